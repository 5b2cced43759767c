import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from './programs.ts'

/** Asks a WHOIS server, and gives up after a second or 300 KB. */
const WHOIS = `
import socket, sys, time
with socket.create_connection((sys.argv[1], 43), 1) as server:
    server.sendall(sys.argv[2].encode() + b"\\r\\n")
    answer, deadline = b"", time.time() + 1
    try:
        while len(answer) < 300000 and time.time() < deadline and (piece := server.recv(65536)): answer += piece
    except TimeoutError:
        pass
sys.stdout.buffer.write(answer)
`
const whois = async (server: string, question: string) =>
  (await run('/usr/bin/python3', '-c', WHOIS, server, question)).output

test("IANA's list leads to the registry, the registry to the registrar", async () => {
  const list = await run('curl', '-sS', 'https://data.iana.org/rdap/dns.json')
  assert.deepEqual(JSON.parse(list.output).services[0], [['test'], ['https://rdap.nic.test']])
  const registry = await run('curl', '-sS', 'https://rdap.nic.test/domain/good.test')
  const [{ href }] = JSON.parse(registry.output).links
  const registrar = await run('curl', '-sS', href)
  assert.equal(JSON.parse(registrar.output).ldhName, 'GOOD.TEST')
})

test('the registry has no record, a limit, a fault and a redirect inwards', async () => {
  const statuses = ['nobody', 'limited', 'broken', 'inward-redirect'].map(label =>
    run('curl', '-sS', '-o', '/dev/null', '-w', '%{http_code}', `https://rdap.nic.test/domain/${label}.test`),
  )
  const outputs = (await Promise.all(statuses)).map(({ output }) => output)
  assert.deepEqual(outputs, ['404', '429', '503', '302'])
})

test('port 43 refers from IANA down, and in a circle', async () => {
  assert.match(await whois('whois.iana.org', 'loop.test'), /refer: +whois\.nic\.test/)
  assert.match(await whois('whois.nic.test', 'loop.test'), /Registrar WHOIS Server: whois\.loop\.registrar\.test/)
  assert.match(await whois('whois.loop.registrar.test', 'loop.test'), /Registrar WHOIS Server: whois\.nic\.test/)
})

test('one answer never ends and one never comes', async () => {
  assert.ok((await whois('whois.nic.test', 'endless.test')).length >= 300_000)
  assert.equal(await whois('whois.nic.test', 'mute.test'), '')
})

test('the announcers of an address stand in the DNS', async () => {
  const { output } = await run('dig', '@8.8.8.8', '+short', 'TXT', '10.0.3.26.origin.asn.cymru.com')
  assert.match(output, /"64496 \| 26\.3\.0\.0\/24 \|/)
})
