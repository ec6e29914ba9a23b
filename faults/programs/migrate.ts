/** A process that migrates the database whose address it is given, and nothing else. */
import { migrate } from '#server/db/migrate.ts'

await migrate({ connectionString: process.argv[2] })
