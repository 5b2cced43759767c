import { connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { AbstractConnector } from 'ioredis'
import type { RedisAddress } from './address.ts'

/** How ioredis gets its connections: they begin in this file, which is one of the few that may open them. */
export const connectorTo = ({ host, port, tls }: RedisAddress) =>
  class extends AbstractConnector {
    constructor() {
      super(CLOSE_MS)
    }

    async connect() {
      this.connecting = true
      const stream = tls ? connectTls({ host, port, servername: isIP(host) ? '' : host }) : connect({ host, port })
      this.stream = stream
      stream.once('error', error => {
        this.firstError = error
      })
      return stream
    }
  }

/** From the end of a connection on our side to that on theirs. */
const CLOSE_MS = 500
