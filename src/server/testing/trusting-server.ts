/** Process that starts PostgreSQL on a folder without the checks of `startEmbedded`. */
import { chooseAccount } from '#server/db/embedded/postgres-account.ts'
import { findBinaries } from '#server/db/embedded/postgres-binaries.ts'
import { clusterFolder, socketFolder } from '#server/db/embedded/postgres-folder.ts'
import { spawnPostgres } from '#server/db/embedded/postgres-process.ts'

const [data_dir = ''] = process.argv.slice(2)
const account = chooseAccount(clusterFolder(data_dir))
const binaries = findBinaries(`${data_dir}/postgres-libraries`)
spawnPostgres(data_dir, { binaries, account, socket: socketFolder(data_dir, account) })
console.log('spawned')
// The process waits until it is killed.
setInterval(() => undefined, 60_000)
