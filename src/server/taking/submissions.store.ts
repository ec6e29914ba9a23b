import type pg from 'pg'

/** One participant as stored, with the texts of the open questions apart for their counts. */
export type Submission = {
  quiz_id: string
  participant_uuid: string
  version: number
  email: string | null
  result_position: number | null
  score: number | null
  choices: number[]
  texts: string[]
  /** [question position, answer position] of each choice. */
  choice_ranks: [number, number][]
  /** The question of each text. */
  text_questions: string[]
}

/** A participant that was there before, with this result of that version. */
export type Known = { kind: 'known'; version: number; result_position: number | null }

/** What became of one submission. */
export type Outcome = { kind: 'stored' } | Known | { kind: 'unpublished' } | { kind: 'gone' }

/**
 * Stores a batch in one statement, thus all or nothing: new participants of published quizzes, and
 * every counter once. Quizzes are locked before anything is written, as a deletion locks them, and
 * rows are taken in a fixed order, so that nobody waits for each other in a circle and no quiz goes
 * away under its participants. Gives those that were stored.
 */
const STORE = `
with input as (
  select * from jsonb_to_recordset($1::jsonb) as row(
    quiz_id uuid, participant_uuid uuid, version integer, email text, result_position smallint,
    score integer, choices jsonb, texts jsonb, choice_ranks jsonb, text_questions jsonb
  )
), open as (
  select id from quizzes
  where id in (select quiz_id from input) and status = 'Publié'
  order by id for key share
), stored as (
  insert into responses (
    quiz_id, participant_uuid, version, email, result_position, score, choices, texts
  )
  select input.quiz_id, participant_uuid, version, email, result_position, score,
    array(select value::smallint from jsonb_array_elements_text(choices) with ordinality order by ordinality),
    array(select value from jsonb_array_elements_text(texts) with ordinality order by ordinality)
  from input join open on open.id = input.quiz_id
  order by input.quiz_id, participant_uuid
  on conflict (quiz_id, participant_uuid) do nothing
  returning quiz_id, participant_uuid, version, created_at, result_position, score
), counted as (
  update quiz_versions set nb_responses = nb_responses + batch.count
  from (select quiz_id, version, count(*) as count from stored group by quiz_id, version) as batch
  where quiz_versions.quiz_id = batch.quiz_id and quiz_versions.version = batch.version
), ended as (
  insert into result_counts (quiz_id, version, result_position, count)
  select quiz_id, version, result_position, count(*) from stored
  where result_position is not null group by 1, 2, 3 order by 1, 2, 3
  on conflict (quiz_id, version, result_position)
  do update set count = result_counts.count + excluded.count
), scored as (
  insert into score_counts (quiz_id, score, count)
  select quiz_id, score, count(*) from stored where score is not null group by 1, 2 order by 1, 2
  on conflict (quiz_id, score) do update set count = score_counts.count + excluded.count
), dated as (
  insert into day_counts (quiz_id, day, count)
  select quiz_id, (created_at at time zone 'Europe/Paris')::date, count(*) from stored
  group by 1, 2 order by 1, 2
  on conflict (quiz_id, day) do update set count = day_counts.count + excluded.count
), kept as (
  select distinct on (input.quiz_id, input.participant_uuid) input.*
  from input join stored using (quiz_id, participant_uuid)
), chosen as (
  insert into choice_counts (quiz_id, version, question_position, answer_position, count)
  select quiz_id, version, (rank ->> 0)::smallint, (rank ->> 1)::smallint, count(*)
  from kept, jsonb_array_elements(choice_ranks) as rank
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (quiz_id, version, question_position, answer_position)
  do update set count = choice_counts.count + excluded.count
), typed as (
  insert into text_counts (quiz_id, question_id, digest, text, count)
  select quiz_id, question_id::uuid, sha256(convert_to(text, 'UTF8')), text, count(*)
  from kept, rows from (
    jsonb_array_elements_text(text_questions), jsonb_array_elements_text(texts)
  ) as reply(question_id, text)
  group by 1, 2, 3, 4 order by 1, 2, 3
  on conflict (quiz_id, question_id, digest)
  do update set count = text_counts.count + excluded.count
)
select quiz_id, participant_uuid from stored
`

/** What is stored of some participants; nothing for those whose quiz is gone. */
const EXPLAIN = `
select quizzes.id as quiz_id, asked.participant_uuid, responses.version, responses.result_position
from jsonb_to_recordset($1::jsonb) as asked(quiz_id uuid, participant_uuid uuid)
join quizzes on quizzes.id = asked.quiz_id
left join responses
  on responses.quiz_id = asked.quiz_id and responses.participant_uuid = asked.participant_uuid
`

export type Participant = { quiz_id: string; participant_uuid: string }
type Explained = Participant & {
  version: number | null
  result_position: number | null
}

const keyOf = ({ quiz_id, participant_uuid }: Participant): string =>
  `${quiz_id} ${participant_uuid}`

/** Stores what is new of a batch, durably, and says what became of each, in the batch's order. */
export const storeSubmissions = async (
  pool: pg.Pool,
  batch: readonly Submission[],
): Promise<Outcome[]> => {
  const first = firstOfEach(batch)
  const { rows } = await pool.query<Participant>({
    name: 'store-submissions',
    text: STORE,
    values: [JSON.stringify(first)],
  })
  const stored = new Set(rows.map(keyOf))
  const others = batch.filter((one) => !(first.includes(one) && stored.has(keyOf(one))))
  const explained = others.length > 0 ? await explain(pool, others) : new Map<string, Outcome>()
  return batch.map((one) =>
    others.includes(one) ? (explained.get(keyOf(one)) ?? { kind: 'gone' }) : { kind: 'stored' },
  )
}

/** The same participant twice in a batch is one participant: the first. */
const firstOfEach = (batch: readonly Submission[]): Submission[] => [
  ...new Map([...batch].reverse().map((one) => [keyOf(one), one])).values(),
]

/** What is stored of a participant; undefined when nothing is. */
export const findKnown = async (pool: pg.Pool, who: Participant): Promise<Known | undefined> => {
  const outcome = (await explain(pool, [who])).get(keyOf(who))
  return outcome?.kind === 'known' ? outcome : undefined
}

const explain = async (
  pool: pg.Pool,
  others: readonly Participant[],
): Promise<Map<string, Outcome>> => {
  const asked = others.map(({ quiz_id, participant_uuid }) => ({ quiz_id, participant_uuid }))
  const { rows } = await pool.query<Explained>({
    name: 'explain-submissions',
    text: EXPLAIN,
    values: [JSON.stringify(asked)],
  })
  return new Map(rows.map((row) => [keyOf(row), outcomeOf(row)]))
}

/** Not stored: its quiz was not published when the batch was written. */
const outcomeOf = ({ version, result_position }: Explained): Outcome =>
  version === null ? { kind: 'unpublished' } : { kind: 'known', version, result_position }
