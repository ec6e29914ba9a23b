import fc from 'fast-check'
import {
  CONDITION_JOINS,
  DIMENSION_CHARTS,
  LIMITS,
  VARIANT_PLACES,
} from '#domain/common/vocabulary.ts'
import { NEW_DIMENSION, NEW_TEXT_VARIANT } from '#domain/questionnaire/defaults.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import type { Condition, DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'

/** Builders of dimensions and conditional texts for tests, by hand and at random. */

/** Returns a dimension with defaults; its name is its id. */
export const dimensionOf = (id: string, more: Partial<Dimension> = {}): Dimension => ({
  ...NEW_DIMENSION,
  id,
  quiz_id: 'quiz',
  name: id,
  position: 0,
  ...more,
})

/** Returns a tier with its id as title. */
export const tierOf = (
  id: string,
  from_percent: number,
  to_percent: number,
  more: Partial<DimensionTier> = {},
): DimensionTier => ({ id, from_percent, to_percent, title: id, text: null, ...more })

/** Returns a conditional text with defaults; its text is its id. */
export const textVariantOf = (id: string, more: Partial<TextVariant> = {}): TextVariant => ({
  ...NEW_TEXT_VARIANT,
  id,
  quiz_id: 'quiz',
  text: id,
  position: 0,
  ...more,
})

const words = fc.option(fc.string({ maxLength: 4 }))
const percent = fc.integer({ min: 0, max: 100 })
const rank = fc.nat(8)

const CONDITION_KINDS = [
  'answer_chosen',
  'answer_not_chosen',
  'scale_at_least',
  'scale_at_most',
  'total_between',
  'dimension_tier',
  'dimensions_equal',
  'result',
] as const

/** Random condition. `on` and `of` choose rows by rank; a rank without a row refers to a deleted row. */
export type RandomCondition = {
  kind: (typeof CONDITION_KINDS)[number]
  target: number
  of: number
  from: number | null
  to: number | null
}
/** Random conditions of each kind. */
const randomConditions: fc.Arbitrary<RandomCondition[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...CONDITION_KINDS),
    target: rank,
    of: fc.nat(3),
    from: fc.option(fc.integer({ min: -20, max: 40 })),
    to: fc.option(fc.integer({ min: 0, max: 40 })),
  }),
  { maxLength: LIMITS.conditions_per_variant },
)

/** Random dimensions, conditional texts and assignments of questions, by rank. */
export const dimensionParts = fc.record({
  dimension_chart: fc.constantFrom(...DIMENSION_CHARTS),
  dimensions: fc.array(
    fc.record({
      name: fc.string({ maxLength: 4 }),
      description: words,
      tiers: fc.array(
        fc.record({
          from_percent: percent,
          to_percent: percent,
          title: fc.string({ maxLength: 4 }),
          text: words,
        }),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 3 },
  ),
  assigned: fc.array(fc.option(fc.nat(2)), { maxLength: 9 }),
  variants: fc.array(
    fc.record({
      place: fc.constantFrom(...VARIANT_PLACES),
      result: fc.nat(3),
      joined_by: fc.constantFrom(...CONDITION_JOINS),
      conditions: randomConditions,
      text: fc.string({ maxLength: 4 }),
      button_text: words,
    }),
    { maxLength: 3 },
  ),
})
type DimensionParts = typeof dimensionParts extends fc.Arbitrary<infer Parts> ? Parts : never

/** Returns a condition on rows of the draft. */
export const conditionIn = (
  { questions, dimensions, results }: Pick<Draft, 'questions' | 'dimensions' | 'results'>,
  { kind, target, of, from, to }: RandomCondition,
): Condition => {
  const question = questions[target]
  const question_id = question?.id ?? `gone ${target}`
  switch (kind) {
    case 'answer_chosen':
    case 'answer_not_chosen':
      return { kind, question_id, answer_id: question?.answers[of]?.id ?? `gone ${target}a${of}` }
    case 'scale_at_least':
    case 'scale_at_most':
      return { kind, question_id, number: (to ?? 0) % 11 }
    case 'total_between':
      return { kind, from, to }
    case 'dimension_tier': {
      const dimension = dimensions[target % 4]
      const dimension_id = dimension?.id ?? `gone ${target}`
      return { kind, dimension_id, tier_id: dimension?.tiers[of]?.id ?? `gone ${target}t${of}` }
    }
    case 'dimensions_equal':
      return { kind }
    case 'result':
      return { kind, result_id: results[target]?.id ?? `gone ${target}` }
  }
}

/** Returns the draft with random dimensions and conditional texts. */
export const withDimensions = (
  draft: Draft,
  { dimension_chart, dimensions, assigned, variants }: DimensionParts,
): Draft => {
  const rows = dimensions.map((more, position) => {
    const tiers = more.tiers.map((tier, place) => ({ id: `d${position}t${place}`, ...tier }))
    return dimensionOf(`d${position}`, { ...more, tiers, position })
  })
  const questions = draft.questions.map((question, place) => ({
    ...question,
    dimension_id: rows[assigned[place] ?? -1]?.id ?? null,
  }))
  const changed = { ...draft, questions, dimensions: rows }
  const text_variants = variants.flatMap(({ result, conditions, ...more }, place) => {
    const result_id = more.place === 'result' ? draft.results[result]?.id : null
    if (result_id === undefined) return []
    const listed = conditions.map((condition) => conditionIn(changed, condition))
    return textVariantOf(`v${place}`, { ...more, result_id, conditions: listed })
  })
  return {
    ...changed,
    quiz: { ...draft.quiz, dimension_chart },
    text_variants: text_variants.map((variant, position) => ({ ...variant, position })),
  }
}
