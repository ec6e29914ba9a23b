/** Process that only migrates the database at a given address. */
import { migrate } from '#server/db/migrate.ts'

await migrate({ connectionString: process.argv[2] })
