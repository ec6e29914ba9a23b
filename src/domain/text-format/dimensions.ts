import { LIMITS } from '#domain/common/vocabulary.ts'
import { NEW_DIMENSION } from '#domain/questionnaire/defaults.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import type { DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import { DIMENSION_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import { modeAfterEdit } from '#domain/questionnaire/mode.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { type Assignment, createTarget, type Target } from './build-draft.ts'
import { fieldKeys } from './field-keys.ts'
import { byName, type Keys, keysOf } from './key.ts'
import { escapeText, type TextErrors, TextSyntaxError, unescapeText } from './lines.ts'
import { findNamed } from './references.ts'
import { checkLength, limitedText, readNumber } from './values.ts'

/** Part « ## Dimensions » of the text format (docs/text-format.md). */

/** Settings of a dimension. */
export const DIMENSION_KEYS: Keys<Dimension> = byName(fieldKeys<Dimension>(DIMENSION_FIELDS))

/** Settings of a tier. */
export const DIMENSION_TIER_KEYS: Keys<DimensionTier> = byName([
  keysOf<DimensionTier>().long('Texte', 'text', limitedText(LIMITS.description)),
])

const TIER = /^(\d{1,3}) ?(?:à|a|-|–) ?(\d{1,3})(?: ?%)?(?: ?: ?(.*))?$/is
const EXPECTED_TIER = 'Un palier s’écrit « - 0 à 49 % : Faible », de 0 à 100.'

const readTier = (written: string): Omit<DimensionTier, 'id' | 'text'> => {
  const [, from, to, title = ''] = TIER.exec(written) ?? []
  if (from === undefined || to === undefined) throw new TextSyntaxError(EXPECTED_TIER)
  const percent = (digits: string): number =>
    readNumber(digits, { least: 0, most: 100, expected: EXPECTED_TIER })
  return {
    from_percent: percent(from),
    to_percent: percent(to),
    title: checkLength(unescapeText(title), LIMITS.title),
  }
}

/** Returns a tier as a line. */
export const printTier = ({ from_percent, to_percent, title }: DimensionTier): string =>
  `- ${from_percent} à ${to_percent} %${title === '' ? '' : ` : ${escapeText(title, 'value')}`}`

/** Returns a builder of the dimensions, which receives their lines in the order of the text. */
export const createDimensionsBuilder = (errors: TextErrors) => {
  const dimensions: Dimension[] = []

  const addDimension = (line: number, title: string): Target | undefined => {
    const { length: position } = dimensions
    if (errors.exceeds(line, position, LIMITS.dimensions, 'dimensions')) return undefined
    const read = (): string => checkLength(unescapeText(title), LIMITS.dimension_name)
    const name = errors.attempt(line, read, '')
    const row = { ...NEW_DIMENSION, id: `d${position}`, quiz_id: '', name, position, tiers: [] }
    dimensions.push(row)
    return createTarget<Dimension>({ row, keys: DIMENSION_KEYS })
  }

  /** Adds a tier to the last dimension, and returns the target of its text. */
  const addTier = (line: number, written: string): Target => {
    const dimension = dimensions.at(-1)
    if (!dimension) throw new TextSyntaxError('Ce palier n’est sous aucune dimension.')
    const { tiers } = dimension
    const limit = LIMITS.tiers_per_dimension
    if (tiers.length === limit) errors.add(line, `Une dimension a ${limit} paliers au plus.`)
    // The title stays known, so that conditions on a refused tier are not refused too.
    const title = unescapeText(written.slice(written.indexOf(':') + 1)).trim()
    const refused = { from_percent: 0, to_percent: 0, title }
    const row: DimensionTier = {
      id: `${dimension.id}t${tiers.length}`,
      text: null,
      ...errors.attempt(line, () => readTier(written), refused),
    }
    tiers.push(row)
    return createTarget<DimensionTier>({ row, keys: DIMENSION_TIER_KEYS })
  }

  /** Returns the draft with its dimensions; questions refer to them by name or rank. */
  const build = (draft: Draft, assignments: readonly Assignment[]): Draft => {
    const ids = new Map<string, string>()
    for (const { line, question, ref } of assignments)
      errors.attempt(
        line,
        () => ids.set(question.id, findNamed(ref, dimensions, 'dimension').id),
        undefined,
      )
    const questions = draft.questions.map((question) => ({
      ...question,
      dimension_id: ids.get(question.id) ?? null,
    }))
    // A scale of a dimension sets the mode, so that the mode is known only now.
    const quiz_mode = modeAfterEdit(draft.quiz_mode, questions)
    return { ...draft, quiz_mode, questions, dimensions }
  }
  return { addDimension, addTier, build }
}
