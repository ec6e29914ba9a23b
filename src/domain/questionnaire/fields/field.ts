import type { QuestionType } from '#domain/common/vocabulary.ts'

/**
 * Record of a field of a questionnaire: one object with its kind, default, limit, names and places. Types, shapes of the
 * contract, saved columns, changes, undo messages and the text format are derived from it.
 */

/** Part of a quiz that a version can change, besides its rows. */
export type FieldPart =
  | 'name'
  | 'type'
  | 'ties'
  | 'welcome'
  | 'end'
  | 'look'
  | 'ending'
  | 'corrections'
  | 'report'
  | 'wording'
  | 'auto_advance'
  | 'dimension_chart'

/** Step of the editor. */
type FieldStep = 'questions' | 'results' | 'settings'

/**
 * Part of a public answer that contains a field: the page, only the snapshot, or the snapshot of a question whose right
 * answers are shown or counted. A field without an audience stays on the server.
 */
type FieldAudience = 'page' | 'snapshot' | 'explained' | 'counted' | 'solved'

/** Questions that use an option. Other questions keep its value without effect. */
export type OptionUse = 'every' | 'choice' | 'scale' | 'scale_0_10' | 'points' | 'contact'

/** Properties that fields of each kind have. */
export type FieldNames = {
  /** French name on screens, in conflicts and in undo messages. */
  label: string
  /** Key in the text format. True means the label. Absent if the format writes the field in another way. */
  key?: string | true
  audience?: FieldAudience
  part?: FieldPart
  /** Step of the editor with the field; by default the step of the row. */
  step?: FieldStep
  /** For options of questions; by default every question. */
  use?: OptionUse
}

/** Text. A default of null means that the field can be empty; `is_filled` refuses blank texts. */
export type TextField<Value extends string | null = string | null> = FieldNames & {
  kind: 'text'
  default: Value
  /** Maximum length in characters. */
  limit: number
  is_filled?: true
  /** True for the long text of its part, which needs no key in the text format. */
  is_long?: true
}
/** Yes or no. */
export type FlagField = FieldNames & { kind: 'flag'; default: boolean }
/** Value of a closed list. */
export type ListField<Value extends string | number | null> = FieldNames & {
  kind: 'list'
  default: Value
  values: readonly NonNullable<Value>[]
  /** French names of the values on screens. */
  names?: ValueNames<Value>
  /** Words of the text format; by default the names in lower case. */
  words?: ValueNames<Value>
}
/** Whole number; null means no number. */
export type NumberField<Value extends number | null = number | null> = FieldNames & {
  kind: 'number'
  default: Value
  min: number
  max: number
  is_nullable: boolean
  /** Unit after the number. */
  unit?: '%'
  /** French example for messages of the text format. */
  example?: string
}
/** Time in ISO 8601; null means none. */
export type MomentField = FieldNames & {
  kind: 'moment'
  default: string | null
  /** Subject of the French error sentence. */
  subject: string
}
/** Reference, colour, address, picture or name of a sender as a text; null means none. */
export type ReferenceField = FieldNames & {
  kind: 'image' | 'id' | 'link' | 'color' | 'slug' | 'sender'
  default: string | null
}
/** List with a shape of its own, stored as one value. */
export type ListOfValuesField<Value> = FieldNames & {
  kind: 'parameters' | 'tiers' | 'conditions'
  default: Value[]
}

/** Field of any kind. */
export type Field =
  | TextField
  | FlagField
  | ListField<string | null>
  | ListField<number>
  | NumberField
  | MomentField
  | ReferenceField
  | ListOfValuesField<unknown>

/** Fields of a row by name. */
export type Fields = Readonly<Record<string, Field>>

/** Values of the fields of a row. */
export type Values<Record extends Fields> = {
  -readonly [Name in keyof Record]: Record[Name]['default']
}

/** Returns the default value of each field. */
export const defaultsOf = <Record extends Fields>(fields: Record): Values<Record> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.default]),
  ) as Values<Record>

/** Returns the names of fields in their order. */
export const namesOf = <Record extends object>(fields: Record): (keyof Record & string)[] =>
  Object.keys(fields) as (keyof Record & string)[]

/** Returns the fields for which `holds` is true. */
export const filterFields = <Record extends Fields>(
  fields: Record,
  holds: (field: Field, name: keyof Record & string) => boolean,
): Partial<Record> =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, field]) => holds(field, name as keyof Record & string)),
  ) as Partial<Record>

/** Returns true if questions of a type use an option. */
export const isUsedBy = (type: QuestionType, use: OptionUse = 'every'): boolean => {
  if (use === 'every') return true
  if (type === 'multiple_choice') return use === 'choice' || use === 'points'
  if (type === 'scale') return use !== 'choice' && use !== 'contact'
  return use === 'contact'
}

/** Creates the record of a text that can be empty. */
export const textField = (
  limit: number,
  names: FieldNames & Pick<TextField, 'is_filled' | 'is_long'>,
): TextField => ({ kind: 'text', default: null, limit, ...names })

/** Creates the record of a text that every row has. */
export const ownTextField = (
  limit: number,
  names: FieldNames & Pick<TextField, 'is_filled' | 'is_long'>,
): TextField<string> => ({ kind: 'text', default: '', limit, ...names })

/** Creates the record of a yes or no. */
export const flagField = (names: FieldNames, usual = false): FlagField => ({
  kind: 'flag',
  default: usual,
  ...names,
})

/** French names of the values of a list. */
type ValueNames<Value extends string | number | null> = { [Name in NonNullable<Value>]: string }

/** Creates the record of a value of a closed list. */
export const listField = <Value extends string | null>(
  values: readonly NonNullable<Value>[],
  usual: Value,
  names: FieldNames & { names: ValueNames<Value>; words?: ValueNames<Value> },
): ListField<Value> & { names: ValueNames<Value> } => ({
  kind: 'list',
  default: usual,
  values,
  ...names,
})

/** Creates the record of one of several numbers. */
export const numberListField = <Value extends number>(
  values: readonly Value[],
  usual: Value,
  names: FieldNames,
): ListField<Value> => ({ kind: 'list', default: usual, values, ...names })

/** Creates the record of a whole number; `usual` is its default. */
export const numberField = (
  [min, max]: readonly [min: number, max: number],
  names: FieldNames & Pick<NumberField, 'unit' | 'example'>,
  usual: number | null = null,
): NumberField => ({ kind: 'number', default: usual, min, max, is_nullable: true, ...names })

/** Creates the record of a reference, colour, address or picture. */
export const referenceField = (
  kind: ReferenceField['kind'],
  names: FieldNames,
): ReferenceField => ({ kind, default: null, ...names })
