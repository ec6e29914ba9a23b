import { z } from 'zod'
import { LIMITS, MAX_WHOLE_NUMBER } from '#domain/common/vocabulary.ts'
import type { Condition, DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import { text, uuid } from './fields.ts'

const percent = z.int().min(0).max(100)

/** Range of percentages of a dimension. A draft may hold ranges that overlap, because the creator may be typing. */
export const dimensionTier = z.object({
  id: uuid,
  from_percent: percent,
  to_percent: percent,
  title: text(LIMITS.title),
  text: text(LIMITS.description).nullable(),
}) satisfies z.ZodType<DimensionTier>

const total = z.int().min(-MAX_WHOLE_NUMBER).max(MAX_WHOLE_NUMBER).nullable()

/** Returns the schema of a condition of a text, whose references are of the given kind. */
export const conditionOf = <Id extends z.ZodType<string>>(id: Id) => {
  const named = { question_id: id, answer_id: id }
  const measured = { question_id: id, number: z.int().min(0).max(10) }
  return z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.enum(['answer_chosen', 'answer_not_chosen']), ...named }),
    z.strictObject({ kind: z.enum(['scale_at_least', 'scale_at_most']), ...measured }),
    z.strictObject({ kind: z.literal('total_between'), from: total, to: total }),
    z.strictObject({ kind: z.literal('dimension_tier'), dimension_id: id, tier_id: id }),
    z.strictObject({ kind: z.literal('dimensions_equal') }),
    z.strictObject({ kind: z.literal('result'), result_id: id }),
  ])
}

/** Condition of a text, which may refer to deleted rows. Publishing reports them. */
export const condition = conditionOf(uuid) satisfies z.ZodType<Condition>
