import { MAX_WHOLE_NUMBER } from '#domain/common/vocabulary.ts'
import type { FieldPart } from '#domain/questionnaire/fields/field.ts'
import { PAGE_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import {
  ACCESS_FIELDS,
  COLOR_FIELDS,
  CONSENT_FIELDS,
  SENDER_FIELDS,
  TIE_FIELDS,
} from '#domain/questionnaire/fields/quiz-fields.ts'
import { RESULT_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import { THEMES } from '#domain/questionnaire/look/themes.ts'
import type { Draft, Quiz, Result } from '#domain/questionnaire/quiz.ts'
import { fieldKeys, keyName } from './field-keys.ts'
import { byName, type Key, type Keys, keysOf } from './key.ts'
import { foldText, quoted, TextSyntaxError } from './lines.ts'
import { quizMode, quizType, readNumber } from './values.ts'

/** Settings of the parts of a quiz in the text format (docs/text-format.md). */

/** Quiz with its mode, as the settings below its name set it. */
export type HeadRow = Quiz & Pick<Draft, 'quiz_mode'>

const quiz = keysOf<HeadRow>()
/** Name of the slug setting, which only the server can check completely. */
export const SLUG_KEY = keyName(ACCESS_FIELDS.slug)
/** Name of the setting of the opening date. The parser compares both dates at the end of the text. */
export const OPENING_KEY = keyName(ACCESS_FIELDS.opens_at)

/** Parts with a heading of their own; the others are set below the name of the quiz. */
const HEADED_PARTS: readonly (FieldPart | undefined)[] = [
  'welcome',
  'end',
  'look',
  'dimension_chart',
]

/** Returns the settings below the name of a quiz; times are local to `time_zone`. */
export const headKeys = (time_zone: string): Keys<HeadRow> =>
  byName([
    quiz.setting('Type', 'type', quizType),
    quiz.setting('Mode', 'quiz_mode', quizMode),
    ...fieldKeys<HeadRow>(
      { ...TIE_FIELDS, ...PAGE_FIELDS, ...CONSENT_FIELDS, ...SENDER_FIELDS, ...ACCESS_FIELDS },
      { time_zone, holds: ({ part }) => !HEADED_PARTS.includes(part) },
    ),
  ])

/** Returns the settings of a part of the page. */
const partKeys = (part: FieldPart): Key<HeadRow>[] =>
  fieldKeys<HeadRow>(PAGE_FIELDS, { holds: (field) => field.part === part })

/** Settings of the welcome screen. */
export const WELCOME_KEYS: Keys<HeadRow> = byName(partKeys('welcome'))
/** Settings of the end screen. */
export const END_KEYS: Keys<HeadRow> = byName(partKeys('end'))
/** Settings of the dimensions as a whole. */
export const DIMENSIONS_KEYS: Keys<HeadRow> = byName(partKeys('dimension_chart'))

/** Theme by name. Only read: a theme is printed as its colours and fonts. */
const THEME: Key<HeadRow> = {
  key: 'Thème',
  kind: 'word',
  read: (text) => {
    const found = THEMES.find(({ name }) => foldText(name) === foldText(text))
    if (found) return found.look
    const listed = THEMES.map(({ name }) => quoted(name)).join(', ')
    throw new TextSyntaxError(`${quoted(text)} n’est le nom d’aucun thème : ${listed}.`)
  },
  write: () => null,
}

/** Settings of the look. Colours stand between the lists and the pictures. */
export const LOOK_KEYS: Keys<HeadRow> = byName([
  THEME,
  ...partKeys('look').filter(({ field }) => !`${field}`.endsWith('image_id')),
  ...fieldKeys<HeadRow>(COLOR_FIELDS),
  ...partKeys('look').filter(({ field }) => `${field}`.endsWith('image_id')),
])

const TIER: Key<Result> = {
  key: 'Palier',
  kind: 'word',
  read: (text) => {
    const [, from, to] = /^(\d+|\?) ?(?:a|-|–) ?(\d+|\?)$/.exec(foldText(text)) ?? []
    const expected = '« Palier » attend deux nombres, par exemple « 0 à 5 ».'
    if (from === undefined || to === undefined) throw new TextSyntaxError(expected)
    const bound = (typed: string): number | null =>
      typed === '?' ? null : readNumber(typed, { least: 0, most: MAX_WHOLE_NUMBER, expected })
    return { min_score: bound(from), max_score: bound(to) }
  },
  write: ({ min_score, max_score }) =>
    min_score === null && max_score === null ? null : `${min_score ?? '?'} à ${max_score ?? '?'}`,
}

/** Settings of a result. */
export const RESULT_KEYS: Keys<Result> = byName([TIER, ...fieldKeys<Result>(RESULT_FIELDS)])
