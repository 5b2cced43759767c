import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ipv4Blocks, ipv6Blocks } from '@assay/lib/ip/special'

const exec = promisify(execFile)
const wall = readFileSync(new URL('../../../docs/second-wall.nft', import.meta.url), 'utf8')
const USER = '65534'
const PORT = 80
const OTHER_PORT = 81

/** The first address behind the one that names a block; of blocks that are one address, that. */
const insideOf = (prefix: string): string => {
  const [start = '', length = ''] = prefix.split('/')
  if (length === '32' || length === '128') return start
  return start.endsWith('::') ? `${start}7` : start.replace(/\d+$/, last => String(Number(last) + 7))
}
const PUBLIC = [
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.1.1',
  '198.20.0.1',
  '2001:4860:4860::8888',
  '2a00::1',
]
const SPECIAL = [...ipv4Blocks, ...ipv6Blocks].map(({ prefix }) => insideOf(prefix))
const SERVICE = '10.0.0.99'

/** A network of its own in which every address is this machine's, with a server on all of them. */
const SCRIPT = `
set -u
ip link set lo up
for address in "$@"; do
  ip addr add "$address" dev lo nodad 2>/dev/null || ip addr add "$address" dev lo 2>/dev/null
done
python3 - <<'END' &
import socket, time
held = [socket.create_server(('::', port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=4096) for port in (80, 81)]
time.sleep(60)
END
server=$!
trap 'kill $server' EXIT
probe() {
  setpriv --reuid="$1" --regid="$1" --clear-groups bash -c '
    what=$1 port=$2; shift 2
    for address in "$@"; do
      (timeout 10 bash -c ": </dev/tcp/$address/$port" 2>/dev/null && echo "$what $address open" || echo "$what $address shut") &
    done
    wait' - "$2" "$3" "${'$'}{@:4}"
}
for try in $(seq 100); do
  timeout 1 bash -c ': </dev/tcp/127.0.0.1/81' 2>/dev/null && break
  sleep 0.1
done
probe "$ASSAY_USER" before 80 "$@"
nft -f "$ASSAY_WALL" || exit 1
probe "$ASSAY_USER" after 80 "$@"
probe "$ASSAY_USER" other-port 81 "$ASSAY_SERVICE"
probe 1 other-user 80 "$ASSAY_SERVICE" 10.0.0.7
`

test('security E6: with no filter of ours the wall of docs/second-wall.nft lets through to no special address', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-wall-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'wall.nft')
  const text = wall
    .replace('"assay"', USER)
    .replace('type ipv4_addr . inet_service', line => `${line}\n        elements = { ${SERVICE} . ${PORT} }`)
  writeFileSync(file, text)
  const addresses = [...PUBLIC, ...SPECIAL, SERVICE]
  const { stdout } = await exec('unshare', ['--net', 'bash', '-c', SCRIPT, '-', ...addresses], {
    timeout: 120_000,
    env: { ...process.env, ASSAY_USER: USER, ASSAY_WALL: file, ASSAY_SERVICE: SERVICE },
  })
  const states = new Map(
    stdout
      .trim()
      .split('\n')
      .map(line => [line.replace(/ \w+$/, ''), line.replace(/.* /, '')]),
  )
  const openIn = (what: string, among: readonly string[]) =>
    among.filter(one => states.get(`${what} ${one}`) === 'open')
  // Some addresses no machine can have or reach; of the others all are reached without the wall.
  const reached = openIn('before', SPECIAL)
  assert.ok(reached.length > 30, `${reached.length} of ${SPECIAL.length} special addresses can be tried`)
  assert.deepEqual(openIn('before', PUBLIC), PUBLIC)
  assert.deepEqual(openIn('after', SPECIAL), [])
  assert.deepEqual(openIn('after', PUBLIC), PUBLIC)
  assert.deepEqual(openIn('after', [SERVICE]), [SERVICE], 'a service that is named')
  assert.deepEqual(openIn('other-port', [SERVICE]), [], `and only its port, ${PORT}, not ${OTHER_PORT}`)
  assert.deepEqual(openIn('other-user', ['10.0.0.7']), ['10.0.0.7'], 'other users are not held up')
})
