import fc from 'fast-check'
import { CONDITION_JOINS } from '#domain/common/vocabulary.ts'
import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import type { SnapshotTextVariant } from '#domain/questionnaire/text-variants.ts'

/** Random conditional texts for the quizzes of enumerable-quizzes.ts. Some refer to rows that a quiz lacks. */

const question_id = fc.nat({ max: 3 }).map((rank) => `q${rank}`)
const number = fc.nat({ max: 5 })
const bound = fc.option(fc.integer({ min: -2, max: 12 }))

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc
    .record({
      kind: fc.constantFrom('answer_chosen' as const, 'answer_not_chosen' as const),
      question_id,
      rank: fc.nat({ max: 2 }),
    })
    .map(({ kind, question_id, rank }) => ({
      kind,
      question_id,
      answer_id: `${question_id}a${rank}`,
    })),
  fc.record({
    kind: fc.constantFrom('scale_at_least' as const, 'scale_at_most' as const),
    question_id,
    number,
  }),
  fc.record({ kind: fc.constant('total_between' as const), from: bound, to: bound }),
  fc.record({
    kind: fc.constant('dimension_tier' as const),
    dimension_id: fc.constantFrom('d0', 'd1'),
    tier_id: fc.constantFrom('low', 'high'),
  }),
  fc.constant({ kind: 'dimensions_equal' as const }),
  fc.record({
    kind: fc.constant('result' as const),
    result_id: fc.nat({ max: 3 }).map((rank) => `r${rank}`),
  }),
)

/** Up to four conditional texts with up to three conditions of every kind. */
export const randomVariants: fc.Arbitrary<SnapshotTextVariant[]> = fc
  .array(
    fc.record({
      place: fc.constantFrom('result' as const, 'every_result' as const, 'mail' as const),
      result_rank: fc.nat({ max: 3 }),
      joined_by: fc.constantFrom(...CONDITION_JOINS),
      conditions: fc.array(condition, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) =>
    all.map(({ place, result_rank, joined_by, conditions }, rank) => ({
      id: `v${rank}`,
      place,
      joined_by,
      conditions,
      text: `V${rank}`,
      button_text: null,
      button_url: null,
      result_id: place === 'result' ? `r${result_rank}` : null,
    })),
  )
