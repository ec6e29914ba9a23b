import type pg from 'pg'
import { columnsOf, type LockMode, type Submission, storeText } from './submission-batch.ts'

/** A participant that was stored before, with its result in that version. */
export type Known = { kind: 'known'; version: number; result_position: number | null }

/** The outcome of one submission. */
export type Outcome = { kind: 'stored' } | Known | { kind: 'unpublished' } | { kind: 'gone' }

/** The same, or that another transaction has locked the quiz. */
export type Attempt = Outcome | { kind: 'locked' }

const STORE: Record<LockMode, { name: string; text: string }> = {
  '': { name: 'store-submissions', text: storeText('') },
  'skip locked': { name: 'store-unlocked-submissions', text: storeText('skip locked') },
}

/** What is stored of some participants; nothing for those whose quiz is gone. */
const EXPLAIN = `
select quizzes.id as quiz_id, asked.participant_uuid, responses.version, responses.result_position,
  quizzes.status = 'Publié' as is_published
from jsonb_to_recordset($1::jsonb) as asked(quiz_id uuid, participant_uuid uuid)
join quizzes on quizzes.id = asked.quiz_id
left join responses
  on responses.quiz_id = asked.quiz_id and responses.participant_uuid = asked.participant_uuid
`

export type Participant = { quiz_id: string; participant_uuid: string }
type Explained = Participant & {
  version: number | null
  result_position: number | null
  is_published: boolean
}

const keyOf = ({ quiz_id, participant_uuid }: Participant): string =>
  `${quiz_id} ${participant_uuid}`

/**
 * Stores what is new of a batch, durably, and gives the outcome of each, in the batch's order; `locked`
 * only in the mode that skips locked quizzes.
 */
export const storeSubmissions = async (
  pool: pg.Pool,
  batch: readonly Submission[],
  lock_mode: LockMode,
): Promise<Attempt[]> => {
  const first = firstOfEach(batch)
  const { rows } = await pool.query<Participant>({
    ...STORE[lock_mode],
    values: columnsOf([...first.values()]),
  })
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
    const { version, result_position, is_published } = row
    if (version !== null) return { kind: 'known', version, result_position }
    return { kind: is_published && lock_mode ? 'locked' : 'unpublished' }
  }
  return batch.map((one) => (isStored(one) ? { kind: 'stored' } : attemptOf(one)))
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

/** What is stored of a participant; undefined when nothing is. */
export const findKnown = async (pool: pg.Pool, who: Participant): Promise<Known | undefined> => {
  const { version = null, result_position = null } =
    (await explain(pool, [who])).get(keyOf(who)) ?? {}
  return version === null ? undefined : { kind: 'known', version, result_position }
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
