import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, test } from 'node:test'
import { folder, run } from './programs.ts'

const curl = (...args: string[]) => run('curl', '--silent', '--max-time', '5', ...args)

interface Head {
  readonly status: number
  readonly fields: readonly (readonly [string, string])[]
}

async function head(url: string, ...args: string[]): Promise<Head> {
  const { output } = await curl('--output', '/dev/null', '--dump-header', '-', ...args, url)
  const [first = '', ...lines] = output.split('\r\n').filter(Boolean)
  return {
    status: Number(first.split(' ')[1]),
    fields: lines.map(line => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  }
}

const recommended = [
  ...['cache-control', 'clear-site-data', 'content-security-policy', 'cross-origin-embedder-policy'],
  ...['cross-origin-opener-policy', 'cross-origin-resource-policy', 'permissions-policy', 'referrer-policy'],
  ...['strict-transport-security', 'x-content-type-options', 'x-dns-prefetch-control', 'x-frame-options'],
  'x-permitted-cross-domain-policies',
]

test('www.good.test sends all recommended headers, over HTTP and HTTPS, IPv4 and IPv6', async () => {
  for (const [url, family] of [
    ['http://www.good.test/', '-4'],
    ['https://www.good.test/', '-4'],
    ['https://www.good.test/', '-6'],
    ['https://good.test/', '-4'],
  ] as const) {
    const { status, fields } = await head(url, family)
    const names = fields.map(([name]) => name)
    assert.equal(status, 200)
    assert.deepEqual(
      recommended.filter(name => !names.includes(name)),
      [],
    )
    assert.ok(fields.some(([name, value]) => name === 'server' && value === 'nginx'))
  }
})

test('hardened.good.test leads to HTTPS and answers nothing one should not ask', async () => {
  const plain = await head('http://hardened.good.test/any')
  assert.equal(plain.status, 301)
  assert.ok(plain.fields.some(([name, value]) => name === 'location' && value === 'https://hardened.good.test/any'))
  for (const [path, status] of [
    ['/', 200],
    ['/.git/HEAD', 404],
    ['/.env', 403],
    ['/server-status', 401],
    ['/actuator', 302],
  ] as const) {
    assert.equal((await head(`https://hardened.good.test${path}`)).status, status, path)
  }
})

test('holes.good.test lets any origin in and shows four things it should not', async () => {
  const { fields } = await head('https://holes.good.test/', '-H', 'Origin: https://elsewhere.test')
  assert.ok(fields.some(([name, value]) => name === 'access-control-allow-origin' && /elsewhere/.test(value)))
  for (const path of ['/.git/HEAD', '/.env', '/server-status', '/files/']) {
    assert.equal((await head(`https://holes.good.test${path}`)).status, 200, path)
  }
})

test('spa.good.test answers every path with the same page', async () => {
  const pages = await Promise.all(['/', '/.env', '/no/such/path'].map(path => curl(`https://spa.good.test${path}`)))
  assert.equal(new Set(pages.map(({ output }) => output)).size, 1)
  assert.match(pages[0]?.output ?? '', /<div id=root>/)
})

test('weak.good.test sends none of them, and tells too much', async () => {
  const { fields } = await head('https://weak.good.test/')
  const names = fields.map(([name]) => name)
  assert.deepEqual(
    recommended.filter(name => names.includes(name)),
    [],
  )
  assert.ok(fields.some(([name, value]) => name === 'server' && /nginx\/\d/.test(value)))
  assert.ok(names.includes('x-powered-by'))
  assert.ok(fields.some(([name, value]) => name === 'set-cookie' && !/secure/i.test(value)))
})

test('weak.good.test shows what it should not', async () => {
  const page = async (name: string) => (await curl(`https://weak.good.test${name}`)).output
  assert.match(await page('/.git/HEAD'), /^ref: /)
  assert.match(await page('/.env'), /^[A-Z_]+=/)
  assert.match(await page('/files/'), /Index of \/files\//)
  const { fields } = await head('https://weak.good.test/cors', '--header', 'Origin: https://evil.example')
  assert.ok(fields.some(([name, value]) => name === 'access-control-allow-origin' && value === 'https://evil.example'))
})

test('odd.good.test repeats headers, in odd cases and with odd values', async () => {
  const { fields } = await head('https://odd.good.test/')
  const count = (wanted: string) => fields.filter(([name]) => name === wanted).length
  assert.equal(count('content-security-policy'), 2)
  assert.equal(count('strict-transport-security'), 2)
  assert.equal(count('x-frame-options'), 2)
  assert.equal(count('set-cookie'), 3)
  assert.equal(count('__proto__'), 1)
  assert.equal(count('domain'), 1)
  assert.ok(fields.some(([name, value]) => name === 'x-empty' && value === ''))
})

test('plain.good.test has no TLS; v4only and v6only have one family', async () => {
  assert.equal((await curl('http://plain.good.test/')).output, 'plain\n')
  assert.equal((await curl('https://plain.good.test/')).code, 7)
  assert.equal((await curl('http://v4only.good.test/')).output, 'IPv4 only\n')
  assert.equal((await curl('http://v6only.good.test/')).output, 'IPv6 only\n')
})

describe('redirects', () => {
  for (const hops of [1, 5, 6]) {
    test(`/hops/${hops} arrives after ${hops}`, async () => {
      const { output } = await curl(
        ...['--location', '--output', '/dev/null', '--write-out', '%{num_redirects} %{http_code}'],
        `https://redirect.good.test/hops/${hops}`,
      )
      assert.equal(output, `${hops} 200`)
    })
  }
  test('/loop never arrives', async () => {
    assert.equal((await curl('--location', '--max-redirs', '20', 'https://redirect.good.test/loop')).code, 47)
  })
  for (const [name, location] of [
    ['to-http', 'http://www.good.test/'],
    ['to-other-host', 'https://weak.good.test/'],
    ['to-file', 'file:///etc/passwd'],
    ['to-script', 'javascript:alert(1)'],
    ['to-loopback', 'http://127.0.0.1:22/'],
    ['to-mapped', 'http://[::ffff:127.0.0.1]/'],
    ['to-decimal', 'http://2130706433/'],
    ['to-metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['to-private-name', 'http://loopback.rebind.test/'],
    ['to-userinfo', 'https://good.test@weak.good.test/'],
  ] as const) {
    test(`/${name} names ${location}`, async () => {
      const { status, fields } = await head(`https://redirect.good.test/${name}`)
      assert.equal(status, 302)
      assert.deepEqual(
        fields.filter(([field]) => field === 'location').map(([, value]) => value),
        [location],
      )
    })
  }
})

describe('status.good.test', { concurrency: true }, () => {
  for (const code of [200, 204, 301, 401, 403, 404, 429, 500, 503]) {
    test(`/${code}`, async () => {
      assert.equal((await head(`https://status.good.test/${code}`)).status, code)
    })
  }
  // curl(1), exit codes.
  for (const [name, code] of [
    ['/reset', 56],
    ['/empty', 52],
    ['/cut', 18],
    ['/hang', 28],
    ['/drip', 28],
  ] as const) {
    test(`${name}: curl ends with ${code}`, async () => {
      assert.equal((await curl('--max-time', '1', `http://status.good.test${name}`)).code, code)
    })
  }
  test('/slow answers, but not within a second', async () => {
    assert.equal((await curl('--max-time', '1', 'http://status.good.test/slow')).code, 28)
    assert.equal((await curl('http://status.good.test/slow')).output, 'at last\n')
  })
})

describe('bomb.good.test', () => {
  const mebibyte = 2 ** 20
  for (const name of ['gzip', 'deflate', 'brotli', 'gzip-twice']) {
    test(`/${name}: little on the wire, 200 MiB when opened`, async () => {
      const file = path.join(folder, `run/bomb-${name}`)
      const wire = await curl(
        '--max-time',
        '20',
        '--output',
        file,
        '--write-out',
        '%{size_download}',
        `http://bomb.good.test/${name}`,
      )
      assert.ok(Number(wire.output) < mebibyte, wire.output)
      const script = `const zlib = require('node:zlib'); let data = require('node:fs').readFileSync(process.argv[1])
        const open = { gzip: ['gunzipSync'], deflate: ['inflateSync'], brotli: ['brotliDecompressSync'], 'gzip-twice': ['gunzipSync', 'gunzipSync'] }
        for (const step of open[process.argv[2]]) data = zlib[step](data)
        console.log(data.length)`
      const opened = await run(process.execPath, '--eval', script, file, name)
      assert.equal(Number(opened.output), 200 * mebibyte)
    })
  }
  test('/endless does not end', async () => {
    const { code, output } = await curl(
      ...[
        '--max-time',
        '1',
        '--output',
        '/dev/null',
        '--write-out',
        '%{size_download}',
        'http://bomb.good.test/endless',
      ],
    )
    assert.equal(code, 28)
    assert.ok(Number(output) > mebibyte)
  })
})

describe('raw.good.test', () => {
  const { LAB_CA = '' } = process.env
  const bytes = async (pathname: string) => {
    const request = `GET ${pathname} HTTP/1.1\\r\\nHost: raw.good.test\\r\\n\\r\\n`
    const script = `printf '${request}' | openssl s_client -quiet -connect raw.good.test:443 -CAfile '${LAB_CA}' -verify_quiet`
    return (await run('sh', '-c', script)).output
  }
  test('answers as they come, over TLS too', async () => {
    assert.match(await bytes('/two-lengths'), /Content-Length: 3\r\nContent-Length: 5\r\n/)
    assert.match(await bytes('/space-in-name'), /\r\nBad Name: 1\r\n/)
    assert.match(await bytes('/banner'), /^SSH-2\.0-/)
    assert.ok((await bytes('/huge-header')).length > 2 ** 20)
    assert.equal((await bytes('/many-headers')).match(/\r\nX-\d+: /g)?.length, 5000)
  })
})

describe('certificates', () => {
  for (const [name, said] of [
    ['good', 'ok'],
    ['expired', 'certificate has expired'],
    ['selfsigned', 'self-signed certificate'],
    ['wronghost', 'hostname mismatch'],
    ['nochain', 'unable to get local issuer certificate'],
  ] as const) {
    test(`${name}.tls.test: ${said}`, async () => {
      const host = `${name}.tls.test`
      const { output, complaints } = await run(
        'sh',
        '-c',
        `echo | openssl s_client -connect ${host}:443 -servername ${host} -verify_hostname ${host} -CAfile "$LAB_CA" 2>&1`,
      )
      assert.match(output + complaints, new RegExp(`(Verify return code: \\d+ |error:num=\\d+:)\\(?${said}`, 'i'))
    })
  }
  test('curl, which trusts what the system trusts, accepts the good one alone', async () => {
    assert.equal((await curl('https://good.tls.test/')).output, 'good\n')
    for (const name of ['expired', 'selfsigned', 'wronghost', 'nochain']) {
      assert.equal((await curl(`https://${name}.tls.test/`)).code, 60, name)
    }
  })
  test('RFC 8996: tls10.tls.test speaks TLS 1.0 and nothing newer', async () => {
    assert.equal((await curl('https://tls10.tls.test/')).code, 35)
    const old = ['--tlsv1.0', '--tls-max', '1.0', '--ciphers', 'DEFAULT@SECLEVEL=0']
    assert.equal((await curl(...old, 'https://tls10.tls.test/')).output, 'TLS 1.0\n')
  })
})
