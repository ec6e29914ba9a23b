/** A process that starts PostgreSQL on the folder named in its arguments as it is, without what our start does to it. */
import { chooseAccount } from '#server/db/embedded/postgres-account.ts'
import { findBinaries } from '#server/db/embedded/postgres-binaries.ts'
import { clusterFolder, socketFolder } from '#server/db/embedded/postgres-folder.ts'
import { spawnPostgres } from '#server/db/embedded/postgres-process.ts'

const [data_dir = ''] = process.argv.slice(2)
const account = chooseAccount(clusterFolder(data_dir))
const binaries = findBinaries(`${data_dir}/postgres-libraries`)
spawnPostgres(data_dir, { binaries, account, socket: socketFolder(data_dir, account) })
console.log('spawned')
// Until it is killed.
setInterval(() => undefined, 60_000)
