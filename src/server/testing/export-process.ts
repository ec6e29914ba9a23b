/**
 * Writes the account export of a creator to the standard output. The first argument is the database address as JSON, the
 * second the id of the creator. Tests start this program with a small heap.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pino } from 'pino'
import { exportParts } from '#server/account/export-data.ts'
import { openPool } from '#server/db/database.ts'

const [connection = '', creator_id = ''] = process.argv.slice(2)
const { db, close } = openPool(JSON.parse(connection), pino({ level: 'silent' }))
const parts = exportParts({ db, creator_id, inTurn: (task) => task() })
await pipeline(Readable.from(parts, { objectMode: false }), process.stdout)
await close()
