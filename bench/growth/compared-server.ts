import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { connectForCommand } from '#server/db/embedded/postgres-access.ts'
import { clientOf } from '../../scripts/http-client.ts'
import { signInAs } from '../creator.ts'
import { startServer } from '../server.ts'
import { fill, makeQuiz } from '../statistics/participants.ts'
import { copyQuizzes } from './copy-quizzes.ts'

type Index = { table: string; name: string; definition: string; constraint: string | null }

/** SQL that lists indexes without a dependent foreign key. */
const INDEXES = `
select owner.relname as table, index.relname as name, pg_get_indexdef(indexrelid) as definition,
  pg_get_constraintdef(own.oid) as constraint
from pg_index
join pg_class as index on index.oid = indexrelid
join pg_class as owner on owner.oid = indrelid
left join pg_constraint as own on own.conindid = indexrelid and own.contype in ('p', 'u')
where indrelid = any($1::regclass[])
  and not exists (select from pg_constraint where conindid = indexrelid and contype = 'f')
order by 1, 2`

/**
 * Drops the indexes of some tables, fills the tables, and creates the indexes again. This takes a tenth of the time
 * and gives dense indexes.
 */
const withoutIndexes = async (
  session: pg.Client,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> => {
  const { rows } = await session.query<Index>(INDEXES, [tables])
  for (const { table, name, constraint } of rows)
    await session.query(
      constraint ? `alter table ${table} drop constraint ${name}` : `drop index ${name}`,
    )
  await fill()
  for (const { table, name, constraint, definition } of rows)
    await session.query(
      constraint ? `alter table ${table} add constraint ${name} ${constraint}` : definition,
    )
}

const CREATOR = { email: 'mesure@exemple.fr', password: 'un mot de passe' }

/** Size of a database. */
export type Size = { creators: number; quizzes: number; responses: number }

/**
 * Starts the product on the database of a folder, and first fills an empty database with creators, quizzes, and
 * participants of one quiz.
 */
export const startComparedServer = async (folder: string, size: Size) => {
  mkdirSync(folder, { recursive: true })
  const server = await startServer([], {}, folder)
  const session = await connectForCommand({ database_url: undefined, data_dir: folder })
  if (!session) throw new Error(`No database runs in ${folder}`)
  const token = await signInAs(server.origin, CREATOR)
  const client = clientOf(server.origin, token)
  const close = async (): Promise<void> => {
    await session.end()
    await server.stop()
  }
  try {
    const loaded_id = await findLoadedQuiz(session)
    const quiz_id = loaded_id ?? (await load(session, await makeQuiz(client), size))
    const { questions } = await client.questions.list({ id: quiz_id })
    const { quizzes } = await client.quizzes.list()
    const other_quiz_id = quizzes.find(({ id }) => id !== quiz_id)?.id ?? quiz_id
    return {
      ...server,
      name: folder,
      token,
      client,
      session,
      quiz_id,
      other_quiz_id,
      questions,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Running product on one of the two databases, with a client, a database session and a quiz. */
export type ComparedServer = Awaited<ReturnType<typeof startComparedServer>>

/** Returns the id of the quiz with participants; undefined if the database is not filled yet. */
const findLoadedQuiz = async (session: pg.Client): Promise<string | undefined> => {
  const { rows } = await session.query<{ quiz_id: string }>(
    'select quiz_id from quiz_versions where nb_responses > 0 order by nb_responses desc limit 1',
  )
  return rows[0]?.quiz_id
}

const load = async (
  session: pg.Client,
  quiz_id: string,
  { creators, quizzes, responses }: Size,
): Promise<string> => {
  const { rows } = await session.query<{ creator_id: string }>(
    'select creator_id from quizzes where id = $1',
    [quiz_id],
  )
  const creator_id = rows[0]?.creator_id ?? ''
  const started = performance.now()
  const say = (what: string): void =>
    console.log(`${what} after ${((performance.now() - started) / 1_000).toFixed(0)} s`)
  await session.query(
    `set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set synchronous_commit = off; set jit = off`,
  )
  await session.query('begin')
  await copyQuizzes(session, { quiz_id, creator_id, creators, quizzes })
  say(`${creators} creators of ${quizzes} quizzes loaded`)
  await withoutIndexes(session, ['responses', 'text_counts'], async () => {
    await fill(session, { quiz_id, size: responses })
    say(`${responses} participants loaded`)
  })
  await session.query('commit')
  say('indexes created')
  await session.query('vacuum analyze')
  say('vacuum finished')
  return quiz_id
}

/** Returns the folders of the two databases. */
export const databaseFoldersOf = (data: string): { small: string; big: string } => ({
  small: join(data, 'small'),
  big: join(data, 'big'),
})
