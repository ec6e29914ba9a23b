import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { findTestServer, runStatement, withDatabaseName } from './test-server.ts'

/** Creates empty databases on the shared server and sessions on them; `cleanUp` removes all. */
export const createEmptyDatabases = async () => {
  const { server, stop } = await findTestServer()
  const names: string[] = []
  const sessions: pg.Client[] = []

  const openSession = async (connection: pg.ClientConfig): Promise<pg.Client> => {
    const client = new pg.Client(connection)
    // A test may end a session on purpose, so connection errors are ignored. Later statements fail anyway.
    client.on('error', () => undefined)
    await client.connect()
    sessions.push(client)
    return client
  }
  return {
    openSession,
    newDatabase: async (): Promise<{ connection: pg.ClientConfig; client: pg.Client }> => {
      const name = `empty_${randomUUID().replaceAll('-', '')}`
      await runStatement(server.connection, `create database ${name}`)
      names.push(name)
      const connection = withDatabaseName(server.connection, name)
      return { connection, client: await openSession(connection) }
    },
    cleanUp: async (): Promise<void> => {
      for (const client of sessions) await client.end()
      for (const name of names)
        await runStatement(server.connection, `drop database ${name} with (force)`)
      await stop()
    },
  }
}
