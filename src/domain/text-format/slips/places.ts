import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { VARIANT_KEYS } from '#domain/text-format/conditional-texts.ts'
import { DIMENSION_KEYS, DIMENSION_TIER_KEYS } from '#domain/text-format/dimensions.ts'
import { NO_KEYS } from '#domain/text-format/key.ts'
import {
  DIMENSIONS_KEYS,
  END_KEYS,
  headKeys,
  LOOK_KEYS,
  RESULT_KEYS,
  WELCOME_KEYS,
} from '#domain/text-format/keys.ts'
import { foldText } from '#domain/text-format/lines.ts'
import { QUESTION_KEYS } from '#domain/text-format/question-keys.ts'

/** Section of the text, or kind of row, that a line belongs to. */
export type Place =
  | 'head'
  | 'welcome'
  | 'look'
  | 'results'
  | 'result'
  | 'dimensions'
  | 'dimension'
  | 'page'
  | 'question'
  | 'variants'
  | 'variant'
  | 'end'
  | 'unknown'

type SettingKinds = ReadonlyMap<string, 'word' | 'text' | 'long'>

const kindsOf = <Row>(...lists: ReadonlyMap<string, { kind: Row }>[]): Map<string, Row> =>
  new Map(lists.flatMap((keys) => [...keys].map(([name, { kind }]) => [name, kind] as const)))

/** Kind of each setting, by place and by the name without case and accents. */
const SETTINGS: Record<Place, SettingKinds> = {
  head: kindsOf(headKeys(DEFAULT_TIME_ZONE)),
  welcome: kindsOf(WELCOME_KEYS),
  look: kindsOf(LOOK_KEYS),
  results: kindsOf(NO_KEYS),
  result: kindsOf(RESULT_KEYS),
  dimensions: kindsOf(DIMENSIONS_KEYS),
  dimension: kindsOf(DIMENSION_KEYS, DIMENSION_TIER_KEYS),
  page: kindsOf(NO_KEYS),
  question: kindsOf(QUESTION_KEYS),
  variants: kindsOf(NO_KEYS),
  variant: kindsOf(VARIANT_KEYS),
  end: kindsOf(END_KEYS),
  unknown: kindsOf(NO_KEYS),
}

/** Returns the kind of a setting; undefined if the place has no setting of that name. */
export const settingKind = (place: Place, key: string): 'word' | 'text' | 'long' | undefined =>
  SETTINGS[place].get(foldText(key))

/** Places that have a long text. A sentence without « > » is read as this text. */
export const LONG_TEXT_PLACES: readonly Place[] = [
  'welcome',
  'result',
  'dimension',
  'variant',
  'end',
]
/** Places whose list items are answers, tiers or conditions. */
export const LIST_PLACES: readonly Place[] = ['question', 'dimension', 'variant']

/** Names that assistants give to sections, with the place and the heading of the text format. */
const PARTS: readonly (readonly [RegExp, Place, string])[] = [
  [/^(?:ecran |page )?(?:d')?accueil$|^introduction$/, 'welcome', 'Accueil'],
  [/^apparence$/, 'look', 'Apparence'],
  [/^(?:les )?(?:resultats?|profils)(?: possibles)?$/, 'results', 'Résultats'],
  [/^(?:les )?dimensions$/, 'dimensions', 'Dimensions'],
  [/^textes conditionnels$/, 'variants', 'Textes conditionnels'],
  [/^(?:ecran |page )?(?:de )?fin$|^conclusion$/, 'end', 'Fin'],
  [/^(?:les )?questions$/, 'page', 'Page'],
]
const PAGE = /^page ?(\d{1,9})?(?: ?[:.–—-] ?(.+))?$/i

/** Section that a heading begins. `title` is the rest of the heading after the name of the section. */
export type Part = { place: Place; heading: string; title: string }

/** Returns the section that a heading names, also with an emoji or a title; undefined for another heading. */
export const partOf = (heading: string): Part | undefined => {
  const bare = heading
    .replaceAll(/\*\*|__|`/g, '')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replaceAll(/\s+/g, ' ')
  const name = bare.replace(/ ?:$/, '').trim()
  const folded = foldText(name)
  for (const [pattern, place, called] of PARTS)
    if (pattern.test(folded)) return { place, heading: called, title: '' }
  const page = PAGE.exec(name)
  if (!page) return undefined
  const [, number, title = ''] = page
  return { place: 'page', heading: number === undefined ? 'Page' : `Page ${number}`, title }
}
