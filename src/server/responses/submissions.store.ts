import type pg from 'pg'
import type { StoredReplies } from '#domain/run/stored-replies.ts'
import {
  buildStoreStatement,
  IS_CLOSED_FOR_ALL,
  IS_LIMITED,
  REMAINING_PLACES,
  type StoreMode,
  type Submission,
  toColumns,
} from './submission-statement.ts'

/** A participant that was stored before, with its result in that version. */
export type ExistingParticipant = { kind: 'known'; version: number; result_position: number | null }

/** The outcome of one submission; of one that came too late, with the creator's words. */
export type Outcome =
  | { kind: 'stored' }
  | ExistingParticipant
  | { kind: 'full' | 'closed'; text: string | null }
  | { kind: 'unpublished' }
  | { kind: 'gone' }

/** The same, or that another transaction has locked the quiz, or that it has a limit. */
export type Attempt = Outcome | { kind: 'locked' } | { kind: 'limited' }

const STORE: Record<StoreMode, { name: string; text: string }> = {
  '': { name: 'store-submissions', text: buildStoreStatement('') },
  'skip locked': { name: 'store-unlocked-submissions', text: buildStoreStatement('skip locked') },
  limited: { name: 'store-limited-submissions', text: buildStoreStatement('limited') },
}

const LOCK = {
  name: 'lock-limited-quiz',
  text: 'select from quizzes where id = $1 for no key update',
}

/**
 * The driver waits for each answer from when its statement is sent: what is sent behind the lock waits for the lock too, and
 * for each other. The database's own time-outs are shorter.
 */
const BEHIND_LOCK: { query_timeout: number } = { query_timeout: 15_000 }

/** What is stored of some participants; nothing for those whose quiz is gone. */
const EXPLAIN = `
select quizzes.id as quiz_id, asked.participant_uuid, responses.version, responses.result_position,
  case
    when status <> 'Publié' then 'unpublished'
    when ${IS_CLOSED_FOR_ALL} then 'closed'
    when ${REMAINING_PLACES} <= 0 then 'full'
    when ${IS_LIMITED} then 'limited'
    else 'open'
  end as state, closed_text
from jsonb_to_recordset($1::jsonb) as asked(quiz_id uuid, participant_uuid uuid)
join quizzes on quizzes.id = asked.quiz_id
left join responses
  on responses.quiz_id = asked.quiz_id and responses.participant_uuid = asked.participant_uuid
`

export type Participant = { quiz_id: string; participant_uuid: string }
type Explained = Participant & {
  version: number | null
  result_position: number | null
  state: 'unpublished' | 'closed' | 'full' | 'limited' | 'open'
  closed_text: string | null
}

const keyOf = ({ quiz_id, participant_uuid }: Participant): string =>
  `${quiz_id} ${participant_uuid}`

/**
 * Stores what is new of a batch, durably, and gives the outcome of each, in the batch's order; `locked`
 * only in the mode that skips locked quizzes. A `limited` batch is of one quiz.
 */
export const storeSubmissions = async (
  pool: pg.Pool,
  batch: readonly Submission[],
  mode: StoreMode,
): Promise<Attempt[]> => {
  const first = firstOfEach(batch)
  const statement = { ...STORE[mode], values: toColumns([...first.values()]) }
  const { rows } =
    mode === 'limited'
      ? await storeWithinLimit(pool, batch, statement)
      : await pool.query<Participant>(statement)
  if (rows.length === 0 && first.size === batch.length) return batch.map(() => ({ kind: 'stored' }))
  const missing = new Set(rows.map(keyOf))
  const isStored = (one: Submission): boolean => {
    const key = keyOf(one)
    return first.get(key) === one && !missing.has(key)
  }
  const explained = await explain(
    pool,
    batch.filter((one) => !isStored(one)),
  )
  const attemptOf = (one: Submission): Attempt => {
    const row = explained.get(keyOf(one))
    if (!row) return { kind: 'gone' }
    const { version, result_position, state, closed_text: text } = row
    if (version !== null) return { kind: 'known', version, result_position }
    if (state === 'closed' || state === 'full') return { kind: state, text }
    // A place became free after the statement, which found none.
    if (state === 'limited') return mode === 'limited' ? { kind: 'full', text } : { kind: state }
    return { kind: state === 'open' && mode === 'skip locked' ? 'locked' : 'unpublished' }
  }
  return batch.map((one) => (isStored(one) ? { kind: 'stored' } : attemptOf(one)))
}

/**
 * The next transaction that stores for this quiz waits for this one and counts its rows: this makes the limit exact.
 * Its statements are sent together, as the answer to each would wait for the requests that a busy server reads.
 */
const storeWithinLimit = async (
  pool: pg.Pool,
  [one]: readonly Submission[],
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<Participant>> => {
  const client: pg.PoolClient & { pipeline?: boolean } = await pool.connect()
  client.pipeline = true
  const steps = await Promise.allSettled([
    client.query('begin'),
    client.query({ ...LOCK, values: [one?.quiz_id] }),
    client.query<Participant>({ ...statement, ...BEHIND_LOCK }),
    client.query({ text: 'commit', ...BEHIND_LOCK }),
  ])
  client.pipeline = false
  const failed = steps.find((step) => step.status === 'rejected')
  // A connection whose transaction failed is not used again.
  client.release(failed !== undefined)
  const [, , stored] = steps
  if (failed || stored.status === 'rejected') throw failed?.reason
  return stored.value
}

/** The same participant twice in a batch is one participant: the first. */
const firstOfEach = (batch: readonly Submission[]): Map<string, Submission> => {
  const first = new Map<string, Submission>()
  for (const one of batch) {
    const key = keyOf(one)
    if (!first.has(key)) first.set(key, one)
  }
  return first
}

const FIND = `
select version, result_position, choices, texts from responses
where quiz_id = $1 and participant_uuid = $2
`

/** What is stored of a participant; undefined when nothing is. */
export const findExistingParticipant = async (
  pool: pg.Pool,
  { quiz_id, participant_uuid }: Participant,
): Promise<(ExistingParticipant & StoredReplies) | undefined> => {
  const { rows } = await pool.query<Omit<ExistingParticipant, 'kind'> & StoredReplies>({
    name: 'find-submission',
    text: FIND,
    values: [quiz_id, participant_uuid],
  })
  return rows[0] && { kind: 'known', ...rows[0] }
}

const explain = async (
  pool: pg.Pool,
  others: readonly Participant[],
): Promise<Map<string, Explained>> => {
  const asked = others.map(({ quiz_id, participant_uuid }) => ({ quiz_id, participant_uuid }))
  const { rows } = await pool.query<Explained>({
    name: 'explain-submissions',
    text: EXPLAIN,
    values: [JSON.stringify(asked)],
  })
  return new Map(rows.map((row) => [keyOf(row), row]))
}
