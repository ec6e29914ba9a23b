import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { MAX_DELIVERY_AGE, NETWORK_MAIL_LIMIT_REACHED } from '#domain/deliveries/delivery.ts'
import type { ParameterValues } from '#domain/questionnaire/parameters.ts'
import type { ContactData } from '#domain/run/contact/contact.ts'
import type { ResponseLayout, StoredReplies } from '#domain/run/stored-replies.ts'
import {
  addCounts,
  dimensionRows,
  FAMILIES,
  MAX_COUNTED_VALUES,
  OTHER_VALUES,
  PARTICIPANT_COLUMNS,
  parameterRows,
  type Sources,
} from '#server/db/counter-families.ts'
import {
  CREATOR_TIME_ZONE,
  IS_CLOSED_FOR_ALL,
  IS_LIMITED,
  IS_UNOPENED,
  REMAINING_PLACES,
} from '#server/published-versions/quiz-limits.ts'
import { CONFIRMATION_COLUMNS, CONFIRMATION_TIME, INITIAL_STATUS } from './consent.store.ts'

/** Participant to store, with the layout of its version, which counters and deliveries need. */
export type Submission = ContactData & {
  quiz_id: string
  participant_uuid: string
  /** Digest of the secret of the run (run-secret.ts); null if the run has none. */
  run_secret_hash: Buffer | null
  version: number
  email: string | null
  result_position: number | null
  score: number | null
  choices: StoredReplies['choices']
  texts: string[]
  layout: ResponseLayout
  elapsed_seconds: number | null
  is_suspect: boolean
  /** Version of the accepted consent text; 0 if the box was left unticked, null if there was no box. */
  consent_version: number | null
  /** Version of the accepted text of the second consent, with the same meaning. */
  measure_version: number | null
  /** Percent of each dimension of the version (domain/run/dimensions.ts); null without dimensions. */
  dimension_percents: (number | null)[] | null
  /** Parameters of the page's address, as domain/questionnaire/parameters.ts keeps them. */
  parameters: ParameterValues | null
  /** True if no mail is sent to the participant, because the network of the visitor has reached its daily limit. */
  is_mail_refused: boolean
}

/**
 * Treatment of quizzes that another transaction has locked, as a deletion does: skip or wait. Both modes
 * exclude quizzes with a limit; `limited` stores participants of one such quiz, locked by the caller's
 * transaction. `anonymous` stores replies of an anonymous campaign that the quiz has accepted before: their time is a
 * whole day of the creator, and nothing is delivered.
 */
export type StoreMode = 'skip locked' | '' | 'limited' | 'anonymous'

/** SQL condition that a quiz accepts the participants of a mode. */
const isAccepting = (mode: StoreMode): string =>
  mode === 'anonymous'
    ? 'true'
    : `status = 'Publié' and not ${IS_UNOPENED}
    and ${mode === 'limited' ? `not ${IS_CLOSED_FOR_ALL}` : `not ${IS_LIMITED}`}`

/** SQL expression for the start of the current day in the time zone of the creator of a quiz. */
const START_OF_DAY = `(
    select date_trunc('day', now(), coalesce(${CREATOR_TIME_ZONE}, '${DEFAULT_TIME_ZONE}'))
    from quizzes where quizzes.id = input.quiz_id
  )`

/** SQL for the new participants of a limited quiz, in the order of their arrival, up to the remaining places. */
const ADMITTED = `, admitted_participants as (
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

/**
 * Sources of the counters of a batch. Answers are counted by rank first; the version then gives the question of each rank.
 * `sourcesOf` in db/counter-families.ts counts equal rows of stored participants, so that both change together.
 */
const SOURCES: Sources = {
  participants: { from: 'new_participants' },
  choices: {
    from: `(
    select quiz_id, version, choice_questions[rank] as question_position, answer as answer_position, count
    from (
      select slot, rank, answer, count(*) as count
      from new_participants, unnest(choices) with ordinality as choice(answer, rank) group by 1, 2, 3
    ) as rank_counts join batch_versions using (slot)
  ) as choices`,
    count: 'sum(count)',
  },
  texts: {
    from: `(
    select new_participants.quiz_id, text_questions[rank] as question_id, text
    from new_participants join batch_versions using (slot),
      unnest(texts) with ordinality as reply(text, rank)
  ) as texts`,
  },
  parameters: parameterRows('new_participants'),
  dimensions: dimensionRows('new_participants'),
}

/**
 * SQL for the parameters whose value is counted among « other values », because their parameter has the maximum
 * number of counted values. After that no new value gets its own counter, so that each counter is complete. A
 * batch without parameters skips this work.
 */
const FIND_OTHER_VALUES = `batch_parameters as (
  select quiz_id, participant_uuid, name, value
  from input cross join lateral jsonb_each_text(parameters) as parameter(name, value)
), uncounted_values as (
  select quiz_id, name, value from (
    select quiz_id, name, value, row_number() over (partition by quiz_id, name order by value) as rank
    from (select distinct quiz_id, name, value from batch_parameters) as batch_values
    where not exists (
      select from parameter_counts as counter
      where (counter.quiz_id, counter.name, counter.value)
        = (batch_values.quiz_id, batch_values.name, batch_values.value)
    )
  ) as new_values
  cross join lateral (
    select count(*) as nb_values, bool_or(value = '${OTHER_VALUES}') as has_others
    from parameter_counts as counter
    where counter.quiz_id = new_values.quiz_id and counter.name = new_values.name
  ) as counted_values
  where has_others or nb_values + rank > ${MAX_COUNTED_VALUES}
), other_value_names as (
  select quiz_id, participant_uuid, array_agg(name) as other_values
  from batch_parameters join uncounted_values using (quiz_id, name, value) group by 1, 2
)`

/** SQL condition: the network of the participant has reached the daily limit of mails. */
const IS_NETWORK_LIMITED = `(quiz_id, participant_uuid) in (
      select quiz_id, participant_uuid from input where is_mail_refused
    )`

/** SQL condition: the delivery is the first mail of the participant, and the network has reached the daily limit. */
const IS_MAIL_REFUSED = `(
      provider = case when email_confirmation is null then 'mail' else 'confirmation' end
      and email is not null and ${IS_NETWORK_LIMITED}
    )`

/**
 * Builds the statement that stores a batch atomically: participants, counters and deliveries. Quizzes are
 * locked first, and rows are written in a fixed order, so that no deadlock arises. The statement returns the
 * submissions that were not stored.
 */
export const buildStoreStatement = (mode: StoreMode): string => `
with batch_versions as (
  select slot::integer, quiz_id, version, choice_questions::smallint[], text_questions::uuid[],
    result_names::text[]
  from unnest($1::uuid[], $2::integer[], $3::text[], $4::text[], $5::text[]) with ordinality
    as version_row(quiz_id, version, choice_questions, text_questions, result_names, slot)
), input as (
  select quiz_id, version, participant_uuid, email, result_position, score, choices::smallint[],
    texts::text[], elapsed_seconds, is_suspect, consent_version, parameters::jsonb, is_mail_refused, first_name,
    last_name, phone, contact_words::tsvector, dimension_percents::smallint[],
    decode(run_secret, 'hex') as run_secret_hash, measure_version
  from unnest(
    $6::integer[], $7::uuid[], $8::text[], $9::smallint[], $10::integer[], $11::text[], $12::text[],
    $13::integer[], $14::boolean[], $15::integer[], $16::text[], $17::boolean[], $18::text[],
    $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::integer[]
  ) as submission_row(
    slot, participant_uuid, email, result_position, score, choices, texts, elapsed_seconds,
    is_suspect, consent_version, parameters, is_mail_refused, first_name, last_name, phone,
    contact_words, dimension_percents, run_secret, measure_version
  ) join batch_versions using (slot)
), ${FIND_OTHER_VALUES}, open_quizzes as (
  select id, creator_id, consent_mode, confirms_email from quizzes
  where id = any($1::uuid[]) and ${isAccepting(mode)}
  order by id for key share ${mode === 'skip locked' ? mode : ''}
)${mode === 'limited' ? ADMITTED : ''}, stored_responses as (
  insert into responses (
    quiz_id, participant_uuid, version, email, result_position, score, choices, texts,
    elapsed_seconds, is_suspect, consent_version, parameters, other_values, first_name, last_name, phone,
    contact_words, dimension_percents, run_secret_hash, measure_version,
    email_confirmation${mode === 'anonymous' ? ', created_at, is_anonymous' : ''}
  )
  select input.quiz_id, input.participant_uuid, input.version, email, result_position, score, choices,
    texts, elapsed_seconds, is_suspect,
    case when consent_version > 0 then coalesce(consent_text.version, 0) else consent_version end,
    parameters, other_values, first_name, last_name, phone, contact_words,
    dimension_percents, run_secret_hash,
    case when measure_version > 0 then coalesce(measure_text.version, 0) else measure_version end,
    case
      when ${mode === 'anonymous' ? 'false and ' : ''}confirms_email and email is not null
        and (consent_version is null or consent_version > 0 and consent_text.version is not null)
      then 'waiting'
    end${mode === 'anonymous' ? `, ${START_OF_DAY}, true` : ''}
  from ${mode === 'limited' ? 'admitted_participants as input' : 'input'} join open_quizzes on open_quizzes.id = input.quiz_id
  left join consent_texts as consent_text
    on consent_text.quiz_id = input.quiz_id and consent_text.kind = 'forwarding'
      and consent_text.version = consent_version
  left join consent_texts as measure_text
    on measure_text.quiz_id = input.quiz_id and measure_text.kind = 'measure'
      and measure_text.version = measure_version
  left join other_value_names on (other_value_names.quiz_id, other_value_names.participant_uuid)
    = (input.quiz_id, input.participant_uuid)
  order by input.quiz_id, input.participant_uuid
  on conflict (quiz_id, participant_uuid) do nothing
  returning quiz_id, participant_uuid, email, ${PARTICIPANT_COLUMNS}
), new_participants as (
  select stored_responses.*, slot, result_names[result_position + 1] as result_name
  from stored_responses join batch_versions using (quiz_id, version)
), updated_versions as (
  update quiz_versions set nb_responses = nb_responses + batch.count
  from (select quiz_id, version, count(*) as count from new_participants group by 1, 2) as batch
  where quiz_versions.quiz_id = batch.quiz_id and quiz_versions.version = batch.version
), ${FAMILIES.map(
  ([figure, family]) => `counted_${figure} as (
  ${addCounts(family, SOURCES)}
)`,
).join(', ')}, destinations as materialized (
  select open_quizzes.id as quiz_id, consent_mode, integration.provider, connection.id as connection_id
  from open_quizzes
  join quiz_integrations as integration on integration.quiz_id = open_quizzes.id and enabled
  join integration_connections as connection
    on connection.user_id = open_quizzes.creator_id and connection.provider = integration.provider
      and connection.status <> 'disconnected'
  union all
  select quiz_id, consent_mode, provider, webhook.id
  from open_quizzes join integration_connections as webhook on webhook.quiz_id = open_quizzes.id
  where webhook.status <> 'disconnected' and (webhook.provider <> 'confirmation' or confirms_email)
  ${mode === 'anonymous' ? 'limit 0' : ''}
), new_confirmations as (
  -- Days count from the submission if no mail will leave.
  insert into email_confirmations (${CONFIRMATION_COLUMNS}, waits_since_s)
  select quiz_id, participant_uuid, email, consent_version, created_at, ${CONFIRMATION_TIME}
  from new_participants where email_confirmation is not null and ${IS_NETWORK_LIMITED}
  order by quiz_id, participant_uuid
), new_deliveries as (
  insert into deliveries (
    quiz_id, participant_uuid, provider, connection_id, status, last_code, result_name, created_at,
    next_attempt_at, give_up_at
  )
  select quiz_id, participant_uuid, provider, connection_id,
    case when ${IS_MAIL_REFUSED} then 'refused' else ${INITIAL_STATUS} end,
    case when ${IS_MAIL_REFUSED} then '${NETWORK_MAIL_LIMIT_REACHED}' end,
    result_name, created_at, created_at, created_at + interval '${MAX_DELIVERY_AGE}'
  from destinations join new_participants using (quiz_id)
  order by quiz_id, participant_uuid, connection_id
)
select quiz_id, participant_uuid from input
where (select count(*) from stored_responses) < (select count(*) from input)
  and (quiz_id, participant_uuid) not in (select quiz_id, participant_uuid from stored_responses)
`
