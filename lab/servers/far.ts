/** A web site at the end of a long cable. */
import http from 'node:http'
import { address } from '../src/inventory.ts'

const { v4, v6 } = address('far.slow.test')
for (const host of [v4, v6]) http.createServer((_, response) => response.end('far away\n')).listen(80, host)
