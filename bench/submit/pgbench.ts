import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Connection } from '#server/db/embedded/postgres-session.ts'

const run = promisify(execFile)
const CLIENTS = 32

/** Runs a pgbench script with prepared statements and returns its output. */
export const runPgbench = async (
  { host, user, database, password = '' }: Connection,
  args: string[],
): Promise<string> => {
  const where = ['-h', host, '-U', user, '-n', '-M', 'prepared']
  const env = { ...process.env, PGPASSWORD: password }
  const { stdout } = await run('pgbench', [...where, ...args, database], { env }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      throw new Error('pgbench is missing: apt-get install postgresql-contrib')
    },
  )
  return stdout
}

type Rows = {
  quiz_id: string
  seconds: number
  /** SQL that generates a participant's id; version 7 by default, as in players (PostgreSQL 18). */
  new_id?: string
}

/** Returns a transaction that inserts the rows of one submission without its counters. */
const insert = (quiz_id: string, new_id: string): string => `
\\set person random(1, 1000000000000)
insert into responses (
  quiz_id, participant_uuid, version, email, result_position, score, choices, texts
)
values (
  '${quiz_id}', ${new_id}, 1, 'p' || :person || '@exemple.fr', 1, 12,
  '{0,1,2,3,0,1,2,3,0}', array['p' || :person || '@exemple.fr']
)`

/** Returns the pgbench transactions per second on a database socket. */
export const measurePgbench = async (
  connection: Connection,
  { quiz_id, seconds, new_id = 'uuidv7()' }: Rows,
): Promise<number> => {
  const script = join(connection.host, `${randomUUID()}.sql`)
  writeFileSync(script, insert(quiz_id, new_id))
  const threads = ['-c', String(CLIENTS), '-j', '2', '-T', String(seconds)]
  const stdout = await runPgbench(connection, [...threads, '-f', script])
  return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
}
