import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import {
  type DimensionQuiz,
  publishDimensionQuiz,
  publishMovedDimensions,
} from './dimension-quiz.ts'

/** Returns conditional texts of every place, with every kind of condition. */
const textsOf = (
  quiz: DimensionQuiz,
  ids: readonly string[],
): Omit<TextVariant, 'quiz_id' | 'position'>[] => {
  const { way, out, several, a, b, scale, health, weak, result, high } = quiz
  const base = { result_id: null, button_text: null, button_url: null, text: 'Oui' }
  const [first = '', second = '', third = '', fourth = ''] = ids
  return [
    {
      ...base,
      id: first,
      place: 'every_result',
      joined_by: 'and',
      conditions: [
        { kind: 'answer_not_chosen', question_id: several, answer_id: a },
        { kind: 'scale_at_least', question_id: scale, number: 2 },
      ],
    },
    {
      ...base,
      id: second,
      place: 'result',
      result_id: result,
      joined_by: 'or',
      conditions: [
        { kind: 'answer_chosen', question_id: way, answer_id: out },
        { kind: 'dimension_tier', dimension_id: health, tier_id: weak },
      ],
    },
    {
      ...base,
      id: third,
      place: 'mail',
      joined_by: 'and',
      conditions: [
        { kind: 'total_between', from: 3, to: 8 },
        { kind: 'result', result_id: high },
      ],
    },
    {
      ...base,
      id: fourth,
      place: 'every_result',
      joined_by: 'or',
      conditions: [
        { kind: 'scale_at_most', question_id: scale, number: 2 },
        { kind: 'answer_chosen', question_id: several, answer_id: b },
        { kind: 'total_between', from: null, to: 1 },
      ],
    },
  ]
}

type DraftEdit = Omit<Parameters<Client['drafts']['save']>[0]['body'], 'based_on'>
const edit = async (client: Client, id: string, body: DraftEdit): Promise<void> => {
  const { revision } = await client.drafts.get({ id })
  await client.drafts.save({ id, body: { based_on: revision, ...body } })
}

/**
 * Publishes three versions of the quiz of `publishDimensionQuiz`: the second moves the dimensions and has three
 * conditional texts, the third has other conditions, one text more, and no tiers of « Argent ».
 */
export const publishDimensionTexts = async (client: Client): Promise<DimensionQuiz> => {
  const quiz = await publishDimensionQuiz(client)
  const { id, money, high } = quiz
  const texts = textsOf(
    quiz,
    Array.from({ length: 4 }, () => randomUUID()),
  ).map((text, position) => ({ ...text, position }))
  await edit(client, id, { text_variants: texts.slice(0, 3) })
  await publishMovedDimensions(client, quiz)
  const [first, , , added] = texts
  assert.ok(first && added)
  await edit(client, id, {
    dimensions: [{ id: money, tiers: [] }],
    text_variants: [
      { id: first.id, joined_by: 'or', conditions: [{ kind: 'result', result_id: high }] },
      added,
    ],
  })
  await client.quizzes.publish({ id })
  return quiz
}

/** Question under which tests store the questions that a participant saw. */
export const SEEN = 'seen'

/** SQL function that tells whether a participant gave a value (`createGivenReplies`). */
export const HAS_GIVEN = `
create function has_given(uuid, text, text) returns boolean language sql return exists (
  select from given_replies where participant_uuid = $1 and question = $2 and value = $3
);`

/** SQL for who could see and who saw each conditional text of the quiz $1, by the conditions of each version. */
export const TEXT_VIEWS = `
with conditions as (
    select participant_uuid, text, case condition ->> 'kind'
        when 'answer_chosen' then has_given(participant_uuid, condition ->> 'question_id', condition ->> 'answer_id')
        when 'answer_not_chosen' then has_given(participant_uuid, '${SEEN}', condition ->> 'question_id')
          and not has_given(participant_uuid, condition ->> 'question_id', condition ->> 'answer_id')
        when 'total_between' then score between coalesce((condition ->> 'from')::integer, score)
          and coalesce((condition ->> 'to')::integer, score)
        when 'dimension_tier' then has_given(participant_uuid, condition ->> 'dimension_id', condition ->> 'tier_id')
        when 'result' then has_given(participant_uuid, 'result', condition ->> 'result_id')
        else exists (
          select from given_replies as given where given.participant_uuid = responses.participant_uuid
            and question = condition ->> 'question_id' and case condition ->> 'kind'
              when 'scale_at_least' then split_part(value, ':', 2)::integer >= (condition ->> 'number')::integer
              when 'scale_at_most' then split_part(value, ':', 2)::integer <= (condition ->> 'number')::integer
            end
        )
      end as is_met
    from responses join quiz_versions using (quiz_id, version)
    cross join lateral jsonb_array_elements(snapshot -> 'text_variants') as text
    cross join lateral jsonb_array_elements(text -> 'conditions') as condition
    where quiz_id = $1
  ), views as (
    select text ->> 'id' as id, (text ->> 'place' <> 'result' or has_given(participant_uuid, 'result', text ->> 'result_id'))
      and case text ->> 'joined_by' when 'and' then bool_and(is_met) else bool_or(is_met) end as is_shown
    from conditions group by text, participant_uuid
  )
select id, count(*)::integer as nb_participants, count(*) filter (where is_shown)::integer as nb_shown
from views group by 1`
