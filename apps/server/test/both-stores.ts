import { after, before, describe } from 'node:test'
import { postgresPrograms, startPostgres, type TestPostgres } from './postgres.ts'

/** Where a test keeps things: in PostgreSQL by address, or in its own folder without one. */
export interface Place {
  address?: string
}

/** The same tests on both databases, each in an empty one. */
export function onBothStores(what: string, suite: (newPlace: () => Promise<Place>) => void): void {
  describe(`${what}, kept in a folder`, () => suite(async () => ({})))
  describe(`${what}, kept in PostgreSQL`, {
    skip: !postgresPrograms && 'the package postgresql is not installed',
  }, () => {
    let server: TestPostgres
    before(async () => {
      server = await startPostgres(postgresPrograms ?? '')
    })
    after(() => server.stop())
    suite(async () => ({ address: await server.create() }))
  })
}
