import { z } from 'zod'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import { DIMENSION_FIELDS, TEXT_VARIANT_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import { shapesOf } from './field-shapes.ts'
import { uuid } from './fields.ts'

/** Dimension as returned by the API. */
export const dimension = z
  .object({ id: uuid, quiz_id: uuid, ...shapesOf(DIMENSION_FIELDS), position: z.int() })
  .meta({ id: 'Dimension' }) satisfies z.ZodType<Dimension>

/** Conditional text as returned by the API. */
export const textVariant = z
  .object({ id: uuid, quiz_id: uuid, ...shapesOf(TEXT_VARIANT_FIELDS), position: z.int() })
  .meta({ id: 'TextVariant' }) satisfies z.ZodType<TextVariant>
