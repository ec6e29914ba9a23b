import type pg from 'pg'
import { MOST_SECONDS } from '#domain/durations.ts'

/** One participant as stored, with the questions that the choices and texts belong to, for their counts. */
export type Submission = {
  quiz_id: string
  participant_uuid: string
  version: number
  email: string | null
  result_position: number | null
  /** What it is called, for whoever is told of the participant. */
  result_name: string | null
  score: number | null
  choices: number[]
  /** The position of the question of each choice. */
  choice_questions: number[]
  texts: string[]
  /** The id of the question of each text. */
  text_questions: string[]
  elapsed_seconds: number | null
  is_suspect: boolean
  /** The wording that was agreed to; 0 of a box left unticked, null where there was none. */
  consent_version: number | null
}

/** A participant that was there before, with this result of that version. */
export type Known = { kind: 'known'; version: number; result_position: number | null }

/** What became of one submission. */
export type Outcome = { kind: 'stored' } | Known | { kind: 'unpublished' } | { kind: 'gone' }

/** The same, or that somebody holds the quiz. */
type Attempt = Outcome | { kind: 'held' }

/** What to do about a quiz that somebody holds, as a deletion does: leave its participants, or wait. */
export type Patience = 'skip locked' | ''

/** How long a delivery is tried while nothing is wrong with its connection (integrations §11.5). */
export const LONGEST_AGE = '72 hours'

/**
 * Stores a batch in one statement, thus all or nothing: new participants of published quizzes, and
 * every counter once. Quizzes are locked before anything is written, as a deletion locks them, and
 * rows are taken in a fixed order, so that nobody waits for each other in a circle and no quiz goes
 * away under its participants. Gives those that were stored. What is to be sent to email tools is
 * written with them: a delivery for each tool that the quiz forwards to, settled at once where there is
 * no address or no consent. Only a wording that visitors were shown can have been agreed to.
 * `taken` is each version that somebody of the batch took, whose questions are said once.
 */
const storeText = (patience: Patience): string => `
with taken as (
  select slot::integer, quiz_id, version, choice_questions::smallint[], text_questions::uuid[]
  from unnest($1::uuid[], $2::integer[], $3::text[], $4::text[]) with ordinality
    as given(quiz_id, version, choice_questions, text_questions, slot)
), input as (
  select slot, quiz_id, version, participant_uuid, email, result_position, result_name, score,
    choices::smallint[], texts::text[], elapsed_seconds, is_suspect, consent_version
  from unnest(
    $5::integer[], $6::uuid[], $7::text[], $8::smallint[], $9::text[], $10::integer[], $11::text[],
    $12::text[], $13::integer[], $14::boolean[], $15::integer[]
  ) as given(
    slot, participant_uuid, email, result_position, result_name, score, choices, texts,
    elapsed_seconds, is_suspect, consent_version
  ) join taken using (slot)
), open as (
  select id, creator_id, consent_mode from quizzes
  where id = any($1::uuid[]) and status = 'Publié'
  order by id for key share ${patience}
), stored as (
  insert into responses (
    quiz_id, participant_uuid, version, email, result_position, score, choices, texts,
    elapsed_seconds, is_suspect, consent_version
  )
  select input.quiz_id, participant_uuid, input.version, email, result_position, score, choices,
    texts, elapsed_seconds, is_suspect,
    case when consent_version > 0 then coalesce(shown.version, 0) else consent_version end
  from input join open on open.id = input.quiz_id
  left join consent_texts as shown
    on shown.quiz_id = input.quiz_id and shown.version = consent_version
  order by input.quiz_id, participant_uuid
  on conflict (quiz_id, participant_uuid) do nothing
  returning quiz_id, participant_uuid, created_at, consent_version
), kept as (
  select slot, quiz_id, version, participant_uuid, email, result_position, result_name, score,
    choices, texts, elapsed_seconds, stored.consent_version, created_at
  from stored join input using (quiz_id, participant_uuid)
), counted as (
  update quiz_versions set nb_responses = nb_responses + batch.count
  from (select quiz_id, version, count(*) as count from kept group by 1, 2) as batch
  where quiz_versions.quiz_id = batch.quiz_id and quiz_versions.version = batch.version
), ended as (
  insert into result_counts (quiz_id, version, result_position, count)
  select quiz_id, version, result_position, count(*) from kept
  where result_position is not null group by 1, 2, 3 order by 1, 2, 3
  on conflict (quiz_id, version, result_position)
  do update set count = result_counts.count + excluded.count
), scored as (
  insert into score_counts (quiz_id, score, count)
  select quiz_id, score, count(*) from kept where score is not null group by 1, 2 order by 1, 2
  on conflict (quiz_id, score) do update set count = score_counts.count + excluded.count
), consented as (
  insert into consent_counts (quiz_id, consent_version, count)
  select quiz_id, consent_version, count(*) from kept where consent_version is not null
  group by 1, 2 order by 1, 2
  on conflict (quiz_id, consent_version) do update set count = consent_counts.count + excluded.count
), dated as (
  insert into day_counts (quiz_id, version, day, count)
  select quiz_id, version, (created_at at time zone 'Europe/Paris')::date, count(*) from kept
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (quiz_id, version, day) do update set count = day_counts.count + excluded.count
), timed as (
  insert into duration_counts (quiz_id, seconds, count)
  select quiz_id, least(elapsed_seconds, ${MOST_SECONDS}), count(*) from kept
  where elapsed_seconds is not null group by 1, 2 order by 1, 2
  on conflict (quiz_id, seconds) do update set count = duration_counts.count + excluded.count
), chosen as (
  insert into choice_counts (quiz_id, version, question_position, answer_position, count)
  select quiz_id, version, choice_questions[rank] as question, answer, count
  from (
    select slot, rank, answer, count(*) from kept, unnest(choices) with ordinality as choice(answer, rank)
    group by 1, 2, 3
  ) as choices join taken using (slot)
  order by 1, 2, 3, 4
  on conflict (quiz_id, version, question_position, answer_position)
  do update set count = choice_counts.count + excluded.count
), typed as (
  insert into text_counts (quiz_id, question_id, digest, text, count)
  select kept.quiz_id, text_questions[rank], sha256(convert_to(text, 'UTF8')), min(text), count(*)
  from kept join taken using (slot), unnest(texts) with ordinality as reply(text, rank)
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (quiz_id, question_id, digest)
  do update set count = text_counts.count + excluded.count
), forwarding as materialized (
  select open.id as quiz_id, consent_mode, forwarded.provider, connected.id as connection_id
  from open
  join quiz_integrations as forwarded on forwarded.quiz_id = open.id and enabled
  join integration_connections as connected
    on connected.user_id = open.creator_id and connected.provider = forwarded.provider
      and connected.status <> 'disconnected'
), forwarded as (
  insert into deliveries (
    quiz_id, participant_uuid, provider, connection_id, status, result_name, created_at,
    next_attempt_at, give_up_at
  )
  select quiz_id, participant_uuid, provider, connection_id,
    case
      when email is null then 'no_email'
      when consent_mode = 'requested' or consent_version > 0 then 'pending'
      else 'no_consent'
    end,
    result_name, created_at, created_at, created_at + interval '${LONGEST_AGE}'
  from forwarding join kept using (quiz_id)
  order by 1, 2, 3
)
select quiz_id, participant_uuid from stored
`

const STORE: Record<Patience, { name: string; text: string }> = {
  '': { name: 'store-submissions', text: storeText('') },
  'skip locked': { name: 'store-unheld-submissions', text: storeText('skip locked') },
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
 * Stores what is new of a batch, durably, and says what became of each, in the batch's order; « held »
 * only when told to skip what is locked.
 */
export const storeSubmissions = async (
  pool: pg.Pool,
  batch: readonly Submission[],
  patience: Patience,
): Promise<Attempt[]> => {
  const first = firstOfEach(batch)
  const { rows } = await pool.query<Participant>({
    ...STORE[patience],
    values: columnsOf([...first.values()]),
  })
  const stored = new Set(rows.map((row) => first.get(keyOf(row))))
  if (stored.size === batch.length) return batch.map(() => ({ kind: 'stored' }))
  const others = batch.filter((one) => !stored.has(one))
  const explained = await explain(pool, others)
  const attemptOf = (one: Submission): Attempt => {
    const row = explained.get(keyOf(one))
    if (!row) return { kind: 'gone' }
    const { version, result_position, is_published } = row
    if (version !== null) return { kind: 'known', version, result_position }
    return { kind: is_published && patience ? 'held' : 'unpublished' }
  }
  return batch.map((one) => (stored.has(one) ? { kind: 'stored' } : attemptOf(one)))
}

/** A batch as the statement takes it: the versions that were taken, then the participants, by columns. */
const columnsOf = (batch: readonly Submission[]): unknown[] => {
  const slots = new Map<string, number>()
  const taken: Submission[] = []
  const slotOf = (one: Submission): number => {
    const key = `${one.quiz_id} ${one.version}`
    const known = slots.get(key)
    if (known) return known
    slots.set(key, taken.push(one))
    return taken.length
  }
  const slot = batch.map(slotOf)
  return [
    taken.map(({ quiz_id }) => quiz_id),
    taken.map(({ version }) => version),
    taken.map(({ choice_questions }) => arrayOf(choice_questions)),
    taken.map(({ text_questions }) => arrayOf(text_questions)),
    slot,
    batch.map(({ participant_uuid }) => participant_uuid),
    batch.map(({ email }) => email),
    batch.map(({ result_position }) => result_position),
    batch.map(({ result_name }) => result_name),
    batch.map(({ score }) => score),
    batch.map(({ choices }) => arrayOf(choices)),
    batch.map(({ texts }) => arrayOf(texts.map(quoted))),
    batch.map(({ elapsed_seconds }) => elapsed_seconds),
    batch.map(({ is_suspect }) => is_suspect),
    batch.map(({ consent_version }) => consent_version),
  ]
}

/** An array as PostgreSQL reads it, of entries that need no quotes or have theirs. */
const arrayOf = (entries: readonly (string | number)[]): string => `{${entries.join()}}`
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

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
