/** Process that migrates the database at the URL in its first argument, so that a scenario can kill it. */
import { migrate } from '#server/db/migrate.ts'

await migrate({ connectionString: process.argv[2] })
