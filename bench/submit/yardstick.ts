import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const CLIENTS = 32

type Rows = {
  quiz_id: string
  seconds: number
  /** SQL that makes a participant's id; as players make them, where PostgreSQL knows how (from version 18 on). */
  new_id?: string
}

/** The rows that a submission stores, without its counters, one transaction each. */
const insert = (quiz_id: string, new_id: string): string => `
\\set person random(1, 1000000000000)
insert into responses (
  quiz_id, participant_uuid, version, email, result_position, score, choices, texts
)
values (
  '${quiz_id}', ${new_id}, 1, 'p' || :person || '@exemple.fr', 1, 12,
  '{0,1,2,3,0,1,2,3,0}', array['p' || :person || '@exemple.fr']
)`

/** Transactions a second of pgbench on the database whose socket is in that folder. */
export const measureYardstick = async (
  socket: string,
  { quiz_id, seconds, new_id = 'uuidv7()' }: Rows,
): Promise<number> => {
  const script = join(socket, `${randomUUID()}.sql`)
  writeFileSync(script, insert(quiz_id, new_id))
  const { stdout } = await run('pgbench', [
    ...['-h', socket, '-U', 'quizaine', '-n', '-M', 'prepared'],
    ...['-c', String(CLIENTS), '-j', '2', '-T', String(seconds), '-f', script, 'postgres'],
  ]).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error('pgbench is missing: apt-get install postgresql-contrib')
  })
  return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
}
