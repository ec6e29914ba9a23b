import { embeddedConnection } from '../src/server/db/postgres-access.ts'
import { spareTheDisk } from '../src/server/testing/test-server.ts'

/** Runs once the journeys' server is there, whose database nothing outlives. */
export default (): Promise<void> => spareTheDisk(embeddedConnection(process.env.E2E_DATA_DIR ?? ''))
