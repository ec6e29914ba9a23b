import { MAX_DELIVERY_AGE, NETWORK_MAIL_LIMIT_REACHED } from '#domain/deliveries/delivery.ts'
import { LATE_SUBMISSION_HOURS } from '#domain/questionnaire/access.ts'
import type { ParameterValues } from '#domain/questionnaire/parameters.ts'
import type { ResponseLayout, StoredReplies } from '#domain/run/stored-replies.ts'
import {
  addCounts,
  FAMILIES,
  MOST_COUNTED_VALUES,
  OTHER_VALUES,
  PARTICIPANT_COLUMNS,
  parameterRows,
  type Sources,
} from '#server/db/counter-families.ts'
import { INITIAL_STATUS } from './consent.store.ts'

/** One participant as stored, with what its numbers stand for, for the counts and the tools. */
export type Submission = {
  quiz_id: string
  participant_uuid: string
  version: number
  email: string | null
  result_position: number | null
  score: number | null
  choices: StoredReplies['choices']
  texts: string[]
  layout: ResponseLayout
  elapsed_seconds: number | null
  is_suspect: boolean
  /** The wording that was agreed to; 0 of a box left unticked, null where there was none. */
  consent_version: number | null
  /** As domain/questionnaire/parameters.ts keeps them. */
  parameters: ParameterValues | null
  /** True if no result mail is sent, because the network of the visitor has reached its daily limit. */
  is_mail_refused: boolean
}

/**
 * How a batch treats a quiz that another transaction has locked, as a deletion does: skip it, or wait. Both leave
 * out quizzes with a limit; `limited` is for one of these, which its transaction has locked.
 */
export type StoreMode = 'skip locked' | '' | 'limited'

/** SQL: whether a quiz ends by itself, so that its participants are stored one batch after the other. */
export const IS_LIMITED = '(max_responses is not null or closes_at is not null)'

/** SQL: whether submissions are refused even from visitors who began before the closing date. */
export const IS_CLOSED_FOR_ALL = `(closes_at + interval '${LATE_SUBMISSION_HOURS} hours' <= now()) is true`

/** SQL: how many may still be stored of the quiz; null for any number. */
export const REMAINING_PLACES = `case when max_responses is not null then max_responses - (
  select coalesce(sum(nb_responses), 0) from quiz_versions where quiz_versions.quiz_id = quizzes.id
) end`

/** The new participants of a limited quiz, those who came first before the others. */
const ADMITTED = `, admitted as (
  select * from input
  where not exists (
    select from responses
    where responses.quiz_id = input.quiz_id
      and responses.participant_uuid = input.participant_uuid
  )
  limit (
    select case when places < 0 then 0 else places end
    from (select ${REMAINING_PLACES} as places from quizzes where id = any($1::uuid[])) as limits
  )
)`

/** Answers are grouped before the version says which question each is of. */
const SOURCES: Sources = {
  participants: { from: 'kept' },
  choices: {
    from: `(
    select quiz_id, version, choice_questions[rank] as question_position, answer as answer_position, count
    from (
      select slot, rank, answer, count(*) as count
      from kept, unnest(choices) with ordinality as choice(answer, rank) group by 1, 2, 3
    ) as chosen join taken using (slot)
  ) as choices`,
    count: 'sum(count)',
  },
  texts: {
    from: `(
    select kept.quiz_id, text_questions[rank] as question_id, text
    from kept join taken using (slot), unnest(texts) with ordinality as typed(text, rank)
  ) as texts`,
  },
  parameters: parameterRows('kept'),
}

/**
 * The names of each new participant's parameters whose value is counted among the others: one that the quiz has not
 * counted yet, and has no room for. Once there are others, no new value is counted apart, so that what a value counts is
 * all or none of its participants; and none of this costs a batch without parameters.
 */
const FIND_OTHER_VALUES = `named as (
  select quiz_id, participant_uuid, name, value
  from input cross join lateral jsonb_each_text(parameters) as given(name, value)
), crowded as (
  select quiz_id, name, value from (
    select quiz_id, name, value, row_number() over (partition by quiz_id, name order by value) as rank
    from (select distinct quiz_id, name, value from named) as came
    where not exists (
      select from parameter_counts as kept
      where kept.quiz_id = came.quiz_id and kept.name = came.name and kept.value = came.value
    )
  ) as fresh
  cross join lateral (
    select count(*) as nb_values, bool_or(value = '${OTHER_VALUES}') as has_others from parameter_counts as kept
    where kept.quiz_id = fresh.quiz_id and kept.name = fresh.name
  ) as counted
  where has_others or nb_values + rank > ${MOST_COUNTED_VALUES}
), with_other_values as (
  select quiz_id, participant_uuid, array_agg(name) as other_values
  from named join crowded using (quiz_id, name, value) group by 1, 2
)`

/** SQL that is true for a result mail whose visitor is of a network that has reached its daily limit. */
const IS_MAIL_REFUSED = `(provider = 'mail' and email is not null and (quiz_id, participant_uuid) in (
      select quiz_id, participant_uuid from input where is_mail_refused
    ))`

/**
 * Stores a batch in one statement, thus all or nothing: new participants of published quizzes, and
 * every counter once. Quizzes are locked before anything is written, as a deletion locks them, and
 * rows are taken in a fixed order, so that no deadlock arises and no quiz is deleted under its
 * participants. Gives those that were not stored. A delivery is written with each
 * participant for each tool and webhook that the quiz forwards to, settled at once where a tool may not have them. Only
 * a wording that visitors were shown can have been agreed to.
 * `taken` lists each version of the batch once, with its questions.
 */
export const buildStoreStatement = (mode: StoreMode): string => `
with taken as (
  select slot::integer, quiz_id, version, choice_questions::smallint[], text_questions::uuid[],
    result_names::text[]
  from unnest($1::uuid[], $2::integer[], $3::text[], $4::text[], $5::text[]) with ordinality
    as given(quiz_id, version, choice_questions, text_questions, result_names, slot)
), input as (
  select quiz_id, version, participant_uuid, email, result_position, score, choices::smallint[],
    texts::text[], elapsed_seconds, is_suspect, consent_version, parameters::jsonb, is_mail_refused
  from unnest(
    $6::integer[], $7::uuid[], $8::text[], $9::smallint[], $10::integer[], $11::text[], $12::text[],
    $13::integer[], $14::boolean[], $15::integer[], $16::text[], $17::boolean[]
  ) as given(
    slot, participant_uuid, email, result_position, score, choices, texts, elapsed_seconds,
    is_suspect, consent_version, parameters, is_mail_refused
  ) join taken using (slot)
), ${FIND_OTHER_VALUES}, open as (
  select id, creator_id, consent_mode from quizzes
  where id = any($1::uuid[]) and status = 'Publié'
    and ${mode === 'limited' ? `not ${IS_CLOSED_FOR_ALL}` : `not ${IS_LIMITED}`}
  order by id for key share ${mode === 'limited' ? '' : mode}
)${mode === 'limited' ? ADMITTED : ''}, stored as (
  insert into responses (
    quiz_id, participant_uuid, version, email, result_position, score, choices, texts,
    elapsed_seconds, is_suspect, consent_version, parameters, other_values
  )
  select input.quiz_id, input.participant_uuid, input.version, email, result_position, score, choices,
    texts, elapsed_seconds, is_suspect,
    case when consent_version > 0 then coalesce(shown.version, 0) else consent_version end,
    parameters, other_values
  from ${mode === 'limited' ? 'admitted as input' : 'input'} join open on open.id = input.quiz_id
  left join consent_texts as shown
    on shown.quiz_id = input.quiz_id and shown.version = consent_version
  left join with_other_values as counted_together
    on counted_together.quiz_id = input.quiz_id and counted_together.participant_uuid = input.participant_uuid
  order by input.quiz_id, input.participant_uuid
  on conflict (quiz_id, participant_uuid) do nothing
  returning quiz_id, participant_uuid, email, ${PARTICIPANT_COLUMNS}
), kept as (
  select stored.*, slot, result_names[result_position + 1] as result_name
  from stored join taken using (quiz_id, version)
), counted as (
  update quiz_versions set nb_responses = nb_responses + batch.count
  from (select quiz_id, version, count(*) as count from kept group by 1, 2) as batch
  where quiz_versions.quiz_id = batch.quiz_id and quiz_versions.version = batch.version
), ${FAMILIES.map(
  ([figure, family]) => `counted_${figure} as (
  ${addCounts(family, SOURCES)}
)`,
).join(', ')}, forwarding as materialized (
  select open.id as quiz_id, consent_mode, forwarded.provider, connected.id as connection_id
  from open
  join quiz_integrations as forwarded on forwarded.quiz_id = open.id and enabled
  join integration_connections as connected
    on connected.user_id = open.creator_id and connected.provider = forwarded.provider
      and connected.status <> 'disconnected'
  union all
  select quiz_id, consent_mode, provider, webhook.id
  from open join integration_connections as webhook on webhook.quiz_id = open.id
  where webhook.status <> 'disconnected'
), forwarded as (
  insert into deliveries (
    quiz_id, participant_uuid, provider, connection_id, status, last_code, result_name, created_at,
    next_attempt_at, give_up_at
  )
  select quiz_id, participant_uuid, provider, connection_id,
    case when ${IS_MAIL_REFUSED} then 'refused' else ${INITIAL_STATUS} end,
    case when ${IS_MAIL_REFUSED} then '${NETWORK_MAIL_LIMIT_REACHED}' end,
    result_name, created_at, created_at, created_at + interval '${MAX_DELIVERY_AGE}'
  from forwarding join kept using (quiz_id)
  order by quiz_id, participant_uuid, connection_id
)
select quiz_id, participant_uuid from input
where (select count(*) from stored) < (select count(*) from input)
  and (quiz_id, participant_uuid) not in (select quiz_id, participant_uuid from stored)
`

/** A batch as the statement takes it: the versions that were taken, then the participants, by columns. */
export const toColumns = (batch: readonly Submission[]): string[] => {
  const slots = new Map<string, number>()
  const taken: Submission[] = []
  const slotOf = (one: Submission): number => {
    const key = `${one.quiz_id} ${one.version}`
    const known = slots.get(key)
    if (known) return known
    const slot = taken.push(one)
    slots.set(key, slot)
    return slot
  }
  const slot = batch.map(slotOf)
  return [
    arrayOf(taken, ({ quiz_id }) => quiz_id),
    arrayOf(taken, ({ version }) => version),
    arrayOf(taken, ({ layout }) => `"${arrayOf(layout.choice_questions, itself)}"`),
    arrayOf(taken, ({ layout }) => `"${arrayOf(layout.text_questions, itself)}"`),
    arrayOf(taken, ({ layout }) => quoted(arrayOf(layout.result_names, quoted))),
    arrayOf(slot, itself),
    arrayOf(batch, ({ participant_uuid }) => participant_uuid),
    arrayOf(batch, ({ email }) => (email === null ? null : quoted(email))),
    arrayOf(batch, ({ result_position }) => result_position),
    arrayOf(batch, ({ score }) => score),
    arrayOf(batch, ({ choices }) => `"${arrayOf(choices, itself)}"`),
    arrayOf(batch, ({ texts }) => quoted(arrayOf(texts, quoted))),
    arrayOf(batch, ({ elapsed_seconds }) => elapsed_seconds),
    arrayOf(batch, ({ is_suspect }) => is_suspect),
    arrayOf(batch, ({ consent_version }) => consent_version),
    arrayOf(batch, ({ parameters }) => parameters && quoted(JSON.stringify(parameters))),
    arrayOf(batch, ({ is_mail_refused }) => is_mail_refused),
  ]
}

type Entry = string | number | boolean | null
const itself = <T>(entry: T): T => entry
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** An array as PostgreSQL reads it; entries that are not plain words have quotes of their own. */
const arrayOf = <T>(ones: readonly T[], entryOf: (one: T) => Entry): string => {
  let text = '{'
  for (const one of ones) text += `${text === '{' ? '' : ','}${entryOf(one) ?? 'NULL'}`
  return `${text}}`
}
