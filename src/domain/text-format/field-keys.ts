import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { CONTACT_ROLES } from '#domain/common/vocabulary.ts'
import { canHaveRole } from '#domain/questionnaire/contact-roles.ts'
import type { Field, Fields, ListField, OptionUse } from '#domain/questionnaire/fields/field.ts'
import { isChoice, type Question } from '#domain/questionnaire/quiz.ts'
import { isScaleFrom0To10 } from '#domain/questionnaire/used-settings.ts'
import { type Key, keysOf } from './key.ts'
import {
  type Codec,
  color,
  enumCodec,
  filledText,
  imageId,
  limitedText,
  linkAddressCodec,
  moment,
  parameterNames,
  readNumber,
  senderName,
  slug,
  yesOrNo,
} from './values.ts'

/** Settings of the text format, derived from the records of the fields. */

/** Returns the key of a field in the text format; '' if the format writes the field in another way. */
export const keyName = ({ key, label }: Field): string => (key === true ? label : (key ?? ''))

const listCodec = ({ default: usual, values, names, words }: ListField<string>): Codec<string> =>
  enumCodec(
    values.map((value) => [value, words?.[value] ?? names?.[value]?.toLowerCase() ?? value]),
    usual,
  )

/** Words of a list whose default is null. */
const NONE = 'non'

const nullableListCodec = (field: ListField<string | null>): Codec<string | null> => {
  const { values, names } = field
  const named = values.map((value) => [value, names?.[value]?.toLowerCase() ?? value] as const)
  return enumCodec<string | null>([[null, NONE], ...named], null)
}

const numberCodec = (field: Extract<Field, { kind: 'number' }>): Codec<number | null> => {
  const { min: least, max: most, unit = '', example: expected = '' } = field
  return {
    read: (text) => {
      const digits = unit && text.endsWith(unit) ? text.slice(0, -unit.length).trimEnd() : text
      return readNumber(digits, { least, most, expected })
    },
    write: (number) => (number === null ? null : `${number} ${unit}`.trimEnd()),
  }
}

/** Codec of a text that every row has. An empty text is omitted. */
const ownText = (limit: number): Codec<string> => ({
  read: (text) => limitedText(limit).read(text) ?? '',
  write: (text) => text || null,
})

/** Returns the codec of a field with a key; times are local to `time_zone`. */
const codecOf = (field: Field, time_zone: string): Codec<never> => {
  const codec = ():
    | Codec<never>
    | Codec<string>
    | Codec<string | null>
    | Codec<boolean>
    | Codec<number | null>
    | Codec<string[]> => {
    switch (field.kind) {
      case 'text':
        if (field.default !== null) return ownText(field.limit)
        return field.is_filled ? filledText(field.limit) : limitedText(field.limit)
      case 'flag':
        return yesOrNo(field.default)
      case 'list':
        return field.default === null
          ? nullableListCodec(field as ListField<string | null>)
          : listCodec(field as ListField<string>)
      case 'number':
        return numberCodec(field)
      case 'moment':
        return moment(time_zone)
      case 'image':
        return imageId
      case 'link':
        return linkAddressCodec
      case 'color':
        return color
      case 'slug':
        return slug
      case 'sender':
        return senderName
      case 'parameters':
        return parameterNames
      case 'id':
      case 'tiers':
      case 'conditions':
        throw new Error(
          `The text format cannot write a field of the kind ${field.kind} as one line`,
        )
    }
  }
  return codec() as Codec<never>
}

/** Conditions of the options that only some questions use, with the refusal for the others. */
export const USES: Record<Exclude<OptionUse, 'every'>, NonNullable<Key<Question>['only']>> = {
  choice: { holds: isChoice, refusal: 'ne s’écrit que sous une question à choix' },
  scale: {
    holds: ({ type }) => type === 'scale',
    refusal: 'ne s’écrit que sous une échelle',
  },
  scale_0_10: {
    holds: (row) => row.type === 'scale' && isScaleFrom0To10(row),
    refusal: 'ne s’écrit que sous une échelle de 0 à 10',
  },
  points: {
    holds: (row) => isChoice(row) || row.type === 'scale',
    refusal: 'ne s’écrit que sous une question à choix ou une échelle',
  },
  contact: {
    holds: ({ type, contact_role }) =>
      CONTACT_ROLES.some((role) => canHaveRole(type, role) && (contact_role ?? role) === role),
    refusal:
      'ne s’écrit que sous un texte court (« prénom », « nom ») ou un téléphone (« téléphone »)',
  },
}

const kindOf = (field: Field): Key<never>['kind'] => {
  if (field.kind === 'text') return field.is_long ? 'long' : 'text'
  return field.kind === 'link' ? 'text' : 'word'
}

/** Returns the settings of the fields that have a key, in their order; `holds` selects some of them. */
export const fieldKeys = <Row extends object>(
  fields: Fields,
  {
    time_zone = DEFAULT_TIME_ZONE,
    holds = () => true,
  }: { time_zone?: string; holds?: (field: Field) => boolean } = {},
): Key<Row>[] => {
  const { setting } = keysOf<Row>()
  return Object.entries(fields)
    .filter(([, field]) => field.key !== undefined && holds(field))
    .map(([name, field]) => {
      const only = field.use && field.use !== 'every' ? USES[field.use] : undefined
      return {
        ...setting(
          keyName(field),
          name as keyof Row,
          codecOf(field, time_zone) as unknown as Codec<Row[keyof Row]>,
        ),
        kind: kindOf(field),
        ...(only && { only: only as unknown as NonNullable<Key<Row>['only']> }),
      }
    })
}
