import { embeddedConnection } from '../src/server/db/embedded/postgres-access.ts'
import { spareTheDisk } from '../src/server/testing/app/test-server.ts'

/** Runs once the journeys' server is there, whose database nothing outlives. */
export default (): Promise<void> => spareTheDisk(embeddedConnection(process.env.E2E_DATA_DIR ?? ''))
