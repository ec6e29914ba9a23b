import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { ConfirmationState } from '#domain/confirmations/confirmation.ts'
import type { StoredReplies } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import type { Opening } from '#server/published-versions/opening.ts'
import {
  CREATOR_TIME_ZONE,
  IS_CLOSED_FOR_ALL,
  IS_LIMITED,
  IS_UNOPENED,
  REMAINING_PLACES,
} from '#server/published-versions/quiz-limits.ts'
import { toColumns } from './submission-columns.ts'
import { buildStoreStatement, type StoreMode, type Submission } from './submission-statement.ts'

/** Participant that is already stored, with the position of its result in its version. */
export type ExistingParticipant = { kind: 'known'; version: number; result_position: number | null }

/** Stored participant with the replies, and with the digest of the secret that opens the end of the run. */
export type StoredParticipant = ExistingParticipant &
  StoredReplies & {
    run_secret_hash: Buffer | null
    email: string | null
    email_confirmation: ConfirmationState | null
  }

/** Outcome of a submission. `text` is the creator's closing text. */
export type Outcome =
  | { kind: 'stored' }
  | ExistingParticipant
  | { kind: 'full' | 'closed'; text: string | null }
  | { kind: 'unpublished' }
  /** The participant was deleted; the id is refused for new submissions. */
  | { kind: 'erased' }
  | ({ kind: 'unopened' } & Opening)
  | { kind: 'gone' }
  /** A reply was already sent with the link of this invitation, or its campaign has ended. */
  | { kind: 'already_replied' | 'campaign_ended' }

/**
 * Outcome of an attempt to store. `locked`: another transaction has locked the quiz. `limited`: the quiz has a
 * limit and needs the other mode.
 */
export type Attempt = Outcome | { kind: 'locked' } | { kind: 'limited' }

const STORE: Record<StoreMode, { name: string; text: string }> = {
  '': { name: 'store-submissions', text: buildStoreStatement('') },
  'skip locked': { name: 'store-unlocked-submissions', text: buildStoreStatement('skip locked') },
  limited: { name: 'store-limited-submissions', text: buildStoreStatement('limited') },
  anonymous: { name: 'store-anonymous-submissions', text: buildStoreStatement('anonymous') },
}

const LOCK = {
  name: 'lock-limited-quiz',
  text: 'select from quizzes where id = $1 for no key update',
}

/**
 * Client-side timeout of statements that are sent behind the lock, because the driver counts from sending. The
 * timeouts of the database are shorter.
 */
const BEHIND_LOCK: { query_timeout: number } = { query_timeout: 15_000 }

/** SQL that tells why participants were not stored. Participants of deleted quizzes are left out. */
const EXPLAIN = `
select quizzes.id as quiz_id, participant_key.participant_uuid, responses.version, responses.result_position,
  case
    when status <> 'Publié' then 'unpublished'
    when exists (
      select from erased_participants
      where erased_participants.quiz_id = quizzes.id
        and uuid_hash = participant_hash(participant_key.participant_uuid)
    ) then 'erased'
    when ${IS_UNOPENED} then 'unopened'
    when ${IS_CLOSED_FOR_ALL} then 'closed'
    when ${REMAINING_PLACES} <= 0 then 'full'
    when ${IS_LIMITED} then 'limited'
    else 'open'
  end as state, closed_text, opens_at, ${CREATOR_TIME_ZONE} as time_zone
from jsonb_to_recordset($1::jsonb) as participant_key(quiz_id uuid, participant_uuid uuid)
join quizzes on quizzes.id = participant_key.quiz_id
left join responses
  on responses.quiz_id = participant_key.quiz_id and responses.participant_uuid = participant_key.participant_uuid
`

/** Key of a participant. */
export type Participant = { quiz_id: string; participant_uuid: string }
type ParticipantState = Participant & {
  version: number | null
  result_position: number | null
  state: 'unpublished' | 'erased' | 'unopened' | 'closed' | 'full' | 'limited' | 'open'
  closed_text: string | null
  opens_at: string | null
  time_zone: string | null
}

const keyOf = ({ quiz_id, participant_uuid }: Participant): string =>
  `${quiz_id} ${participant_uuid}`

/**
 * Stores the new participants of a batch durably and returns the outcome of each, in the same order. Only the
 * mode that skips locked quizzes returns `locked`. A `limited` batch belongs to one quiz.
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
  return attemptsOf((query) => pool.query(query), batch, { mode, first, rows })
}

/** Runs a statement with its values. */
type RunStatement = (statement: pg.QueryConfig) => Promise<{ rows: unknown[] }>

/** Returns the outcome of each submission of a batch; `rows` has those that were not stored. */
const attemptsOf = async (
  run: RunStatement,
  batch: readonly Submission[],
  {
    mode,
    first,
    rows,
  }: { mode: StoreMode; first: ReadonlyMap<string, Submission>; rows: readonly Participant[] },
): Promise<Attempt[]> => {
  if (rows.length === 0 && first.size === batch.length) return batch.map(() => ({ kind: 'stored' }))
  const missing = new Set(rows.map(keyOf))
  const isStored = (submission: Submission): boolean => {
    const key = keyOf(submission)
    return first.get(key) === submission && !missing.has(key)
  }
  const explained = await explain(
    run,
    batch.filter((submission) => !isStored(submission)),
  )
  const attemptOf = (submission: Submission): Attempt => {
    const row = explained.get(keyOf(submission))
    if (!row) return { kind: 'gone' }
    const { version, result_position, state, closed_text: text, opens_at, time_zone } = row
    if (version !== null) return { kind: 'known', version, result_position }
    if (state === 'erased') return { kind: state }
    if (state === 'unopened' && opens_at !== null) return { kind: state, opens_at, time_zone }
    if (state === 'closed' || state === 'full') return { kind: state, text }
    // A place became free after the statement found the quiz full.
    if (state === 'limited') return mode === 'limited' ? { kind: 'full', text } : { kind: state }
    return { kind: state === 'open' && mode === 'skip locked' ? 'locked' : 'unpublished' }
  }
  return batch.map((submission) =>
    isStored(submission) ? { kind: 'stored' } : attemptOf(submission),
  )
}

/**
 * Stores participants of one quiz in a transaction of the caller, who stores more with them. A quiz with a limit is locked
 * first. Returns the outcome of each.
 */
export const storeInTransaction = async (
  change: Db,
  batch: readonly Submission[],
  mode: Extract<StoreMode, '' | 'limited' | 'anonymous'> = '',
): Promise<Attempt[]> => {
  const run: RunStatement = ({ text, values = [] }) =>
    change.executeQuery(CompiledQuery.raw(text, values))
  const first = firstOfEach(batch)
  const { rows } = await run({ ...STORE[mode], values: toColumns([...first.values()]) })
  const attempts = await attemptsOf(run, batch, { mode, first, rows: rows as Participant[] })
  if (mode !== '' || !attempts.some(({ kind }) => kind === 'limited')) return attempts
  await run({ ...LOCK, values: [batch[0]?.quiz_id] })
  return storeInTransaction(change, batch, 'limited')
}

/**
 * Stores a batch of a limited quiz under a lock, so that the next transaction counts its rows and the limit is
 * exact. The statements are pipelined, because a busy server answers each round trip late.
 */
const storeWithinLimit = async (
  pool: pg.Pool,
  [submission]: readonly Submission[],
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<Participant>> => {
  const client: pg.PoolClient & { pipeline?: boolean } = await pool.connect()
  client.pipeline = true
  const steps = await Promise.allSettled([
    client.query('begin'),
    client.query({ ...LOCK, values: [submission?.quiz_id] }),
    client.query<Participant>({ ...statement, ...BEHIND_LOCK }),
    client.query({ text: 'commit', ...BEHIND_LOCK }),
  ])
  client.pipeline = false
  const failed = steps.find((step) => step.status === 'rejected')
  // A connection with a failed transaction is discarded.
  client.release(failed !== undefined)
  const [, , stored] = steps
  if (failed || stored.status === 'rejected') throw failed?.reason
  return stored.value
}

/** Returns the first submission of each participant in a batch. */
const firstOfEach = (batch: readonly Submission[]): Map<string, Submission> => {
  const first = new Map<string, Submission>()
  for (const one of batch) {
    const key = keyOf(one)
    if (!first.has(key)) first.set(key, one)
  }
  return first
}

const FIND = `
select version, result_position, choices, texts, run_secret_hash, email, email_confirmation from responses
where quiz_id = $1 and participant_uuid = $2 and exists (select from quizzes where id = $1)
`

/** Returns the stored participant; undefined if there is none, or if the quiz is in the trash. */
export const findExistingParticipant = async (
  pool: pg.Pool,
  { quiz_id, participant_uuid }: Participant,
): Promise<StoredParticipant | undefined> => {
  const { rows } = await pool.query<Omit<StoredParticipant, 'kind'>>({
    name: 'find-submission',
    text: FIND,
    values: [quiz_id, participant_uuid],
  })
  return rows[0] && { kind: 'known', ...rows[0] }
}

const explain = async (
  run: RunStatement,
  others: readonly Participant[],
): Promise<Map<string, ParticipantState>> => {
  const keys = others.map(({ quiz_id, participant_uuid }) => ({ quiz_id, participant_uuid }))
  const { rows } = await run({
    name: 'explain-submissions',
    text: EXPLAIN,
    values: [JSON.stringify(keys)],
  })
  return new Map((rows as ParticipantState[]).map((row) => [keyOf(row), row]))
}
