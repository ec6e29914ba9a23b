import { z } from 'zod'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Field, Fields } from '#domain/questionnaire/fields/field.ts'
import { PAGE_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import {
  ACCESS_FIELDS,
  OPENING_FIELDS,
  TIE_FIELDS,
} from '#domain/questionnaire/fields/quiz-fields.ts'
import {
  ANSWER_OPTION_FIELDS,
  ENDING_FIELDS,
  OPTION_FIELDS,
} from '#domain/questionnaire/fields/row-fields.ts'
import {
  MAX_DECLARED_PARAMETERS,
  parameterNamesError,
  TOO_MANY_PARAMETERS,
} from '#domain/questionnaire/parameters.ts'
import { condition, dimensionTier } from './conditions.ts'
import { filledText, linkAddress, senderName, slug, text, uuid } from './fields.ts'

/** Shapes of the fields of a questionnaire, derived from their records. */

const hexColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, { error: 'La couleur doit être de la forme #rrggbb' })

/** Names of stored address parameters in addition to `utm_*`. */
const parameters = z
  .array(text(LIMITS.address))
  .max(MAX_DECLARED_PARAMETERS, { error: TOO_MANY_PARAMETERS })
  .refine((names) => parameterNamesError(names) === undefined, {
    error: ({ input }) => parameterNamesError(input as string[]),
  })

/** Returns the shape of a value other than null. */
const valueShape = (field: Field): z.ZodType => {
  switch (field.kind) {
    case 'text':
      return field.is_filled ? filledText(field.limit) : text(field.limit)
    case 'flag':
      return z.boolean()
    case 'list':
      return typeof field.values[0] === 'string'
        ? z.enum(field.values as string[])
        : z.literal([...(field.values as readonly number[])])
    case 'number':
      return z.int().min(field.min).max(field.max)
    case 'moment':
      return z.iso.datetime().refine((time) => time >= '2000' && time < '3000', {
        error: `${field.subject} est entre 2000 et 2999`,
      })
    case 'image':
    case 'id':
      return uuid
    case 'link':
      return linkAddress
    case 'color':
      return hexColor
    case 'slug':
      return slug
    case 'sender':
      return senderName
    case 'parameters':
      return parameters
    case 'tiers':
      return z.array(dimensionTier).max(LIMITS.tiers_per_dimension)
    case 'conditions':
      return z.array(condition).max(LIMITS.conditions_per_variant)
  }
}

const shapeOf = (field: Field): z.ZodType => {
  const isNullable = field.default === null || (field.kind === 'number' && field.is_nullable)
  return isNullable ? valueShape(field).nullable() : valueShape(field)
}

/** Shapes of fields by name. */
type Shapes<Record extends Fields> = {
  [Name in keyof Record]: z.ZodType<Record[Name]['default'], Record[Name]['default']>
}

/** Returns the shape of each field of a row. */
export const shapesOf = <Record extends Fields>(fields: Record): Shapes<Record> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, shapeOf(field)]),
  ) as Shapes<Record>

/** Shapes of fields that a body or a snapshot may omit. */
type OptionalShapes<Record extends Fields> = {
  [Name in keyof Record]: z.ZodOptional<Shapes<Record>[Name]>
}

/** Returns the optional shape of each field of a row: for request bodies, and for snapshots, which omit default values. */
export const optionalShapesOf = <Record extends Fields>(fields: Record): OptionalShapes<Record> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, shapeOf(field).optional()]),
  ) as OptionalShapes<Record>

/**
 * Optional shapes of the fields of a quiz and its rows besides names, texts and places: for request bodies, and for
 * snapshots, which omit default values.
 */
export const optionalFields = {
  quizPage: optionalShapesOf(PAGE_FIELDS),
  quizTies: optionalShapesOf(TIE_FIELDS),
  quizAccess: optionalShapesOf(ACCESS_FIELDS),
  quizOpening: optionalShapesOf(OPENING_FIELDS),
  answerExtras: optionalShapesOf(ANSWER_OPTION_FIELDS),
  ending: optionalShapesOf(ENDING_FIELDS),
  questionExtras: optionalShapesOf(OPTION_FIELDS),
}
