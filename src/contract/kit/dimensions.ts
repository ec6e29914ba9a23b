import { z } from 'zod'
import {
  CONDITION_JOINS,
  LIMITS,
  MAX_WHOLE_NUMBER,
  VARIANT_PLACES,
} from '#domain/common/vocabulary.ts'
import type { Dimension, DimensionTier } from '#domain/questionnaire/dimensions.ts'
import type { Condition, TextVariant } from '#domain/questionnaire/text-variants.ts'
import { link, text, uuid } from './fields.ts'

const percent = z.int().min(0).max(100)

/** Range of percentages of a dimension. A draft may hold ranges that overlap, because the creator may be typing. */
export const dimensionTier = z.object({
  id: uuid,
  from_percent: percent,
  to_percent: percent,
  title: text(LIMITS.title),
  text: text(LIMITS.description).nullable(),
}) satisfies z.ZodType<DimensionTier>

/** Fields of a dimension besides its ids and its rank. */
export const dimensionFields = {
  name: text(LIMITS.dimension_name),
  description: text(LIMITS.description).nullable(),
  tiers: z.array(dimensionTier).max(LIMITS.tiers_per_dimension),
}

/** Dimension as returned by the API. */
export const dimension = z
  .object({ id: uuid, quiz_id: uuid, ...dimensionFields, position: z.int() })
  .meta({ id: 'Dimension' }) satisfies z.ZodType<Dimension>

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
const condition = conditionOf(uuid) satisfies z.ZodType<Condition>

/** Fields of a conditional text besides its ids and its rank. */
export const textVariantFields = {
  place: z.enum(VARIANT_PLACES),
  result_id: uuid.nullable(),
  joined_by: z.enum(CONDITION_JOINS),
  conditions: z.array(condition).max(LIMITS.conditions_per_variant),
  text: text(LIMITS.description),
  button_text: text(LIMITS.button_text).nullable(),
  button_url: link,
}

/** Conditional text as returned by the API. */
export const textVariant = z
  .object({ id: uuid, quiz_id: uuid, ...textVariantFields, position: z.int() })
  .meta({ id: 'TextVariant' }) satisfies z.ZodType<TextVariant>
