import { embeddedConnection } from '../src/server/db/embedded/postgres-access.ts'
import { disableDiskSync } from '../src/server/testing/app/test-server.ts'

/** Disables disk flushes after the server has started, because its database is deleted after the tests. */
export default (): Promise<void> =>
  disableDiskSync(embeddedConnection(process.env.E2E_DATA_DIR ?? ''))
