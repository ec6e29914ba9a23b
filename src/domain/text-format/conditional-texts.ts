import { LIMITS, MAX_WHOLE_NUMBER, type VariantPlace } from '#domain/common/vocabulary.ts'
import { NEW_TEXT_VARIANT } from '#domain/questionnaire/defaults.ts'
import type { Condition, DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import { TEXT_VARIANT_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import { createTarget, type Target } from './build-draft.ts'
import { fieldKeys } from './field-keys.ts'
import { byName, type Keys } from './key.ts'
import { foldText, quoted, type TextErrors, TextSyntaxError } from './lines.ts'
import { findNamed, LOST_ID, LOST_REF, type NamedRow, namedRefs } from './references.ts'
import { readNumber } from './values.ts'

/** Part « ## Textes conditionnels » of the text format (docs/text-format.md). */

/** Settings of a conditional text. */
export const VARIANT_KEYS: Keys<TextVariant> = byName(fieldKeys<TextVariant>(TEXT_VARIANT_FIELDS))

const PLACES: Record<Exclude<VariantPlace, 'result'>, string> = {
  every_result: 'Tous les résultats',
  end: 'Fin',
  mail: 'Email',
}
const RESULT = /^r[ée]sultat\s+(.+)$/isu

/** Rows that places and conditions refer to. Questions are in reading order. */
type Referable = Pick<Draft, 'results' | 'questions' | 'dimensions'>

const tierRows = (tiers: readonly DimensionTier[]): NamedRow[] =>
  tiers.map(({ id, title }) => ({ id, name: title }))

/** Returns functions that print the heading of a conditional text and its conditions. */
export const conditionPrinter = ({ results, questions, dimensions }: Referable) => {
  const resultRefs = namedRefs(results)
  const dimensionRefs = namedRefs(dimensions)
  const refOf = (refs: ReadonlyMap<string, string>, id: string): string => refs.get(id) ?? LOST_REF
  const rankOf = (rows: readonly { id: string }[], id: string): string =>
    `${rows.findIndex((row) => row.id === id) + 1 || LOST_REF}`
  const heading = ({ place, result_id }: TextVariant): string =>
    place === 'result' ? `Résultat ${refOf(resultRefs, result_id ?? '')}` : PLACES[place]
  const condition = (row: Condition): string => {
    switch (row.kind) {
      case 'answer_chosen':
      case 'answer_not_chosen': {
        const { answers = [] } = questions.find(({ id }) => id === row.question_id) ?? {}
        const answer = `réponse ${rankOf(answers, row.answer_id)}`
        const said = row.kind === 'answer_chosen' ? answer : `pas la ${answer}`
        return `question ${rankOf(questions, row.question_id)} : ${said}`
      }
      case 'scale_at_least':
      case 'scale_at_most': {
        const bound = row.kind === 'scale_at_least' ? 'au moins' : 'au plus'
        return `question ${rankOf(questions, row.question_id)} : ${bound} ${row.number}`
      }
      case 'total_between':
        return `total de ${row.from ?? LOST_REF} à ${row.to ?? LOST_REF}`
      case 'dimension_tier': {
        const { tiers = [] } = dimensions.find(({ id }) => id === row.dimension_id) ?? {}
        const tier = refOf(namedRefs(tierRows(tiers)), row.tier_id)
        return `dimension ${refOf(dimensionRefs, row.dimension_id)} : palier ${tier}`
      }
      case 'dimensions_equal':
        return DIMENSIONS_EQUAL
      case 'result':
        return `résultat ${refOf(resultRefs, row.result_id)}`
    }
  }
  return { heading, condition }
}

/** Condition that all shown dimensions have one percentage. */
const DIMENSIONS_EQUAL = 'toutes les dimensions sont égales'

const EXPECTED =
  'Une condition s’écrit « question 2 : réponse 1 », « question 2 : pas la réponse 1 », « question 3 : au moins 7 », « question 3 : au plus 4 », « total de 3 à 12 », « dimension Santé : palier Faible », « toutes les dimensions sont égales » ou « résultat Lève-tôt ».'

const ANSWERED = /^question (\d{1,3}|\?) ?: ?(pas la )?reponse (\d{1,3}|\?)$/
const MEASURED = /^question (\d{1,3}|\?) ?: ?au (moins|plus) (\d{1,2})$/
const TOTAL = /^total de ([+-]?\d{1,7}|\?) a ([+-]?\d{1,7}|\?)$/
/** Returns the references to a dimension and to its tier; undefined for another condition. */
const readTierRefs = (written: string): [dimension_ref: string, tier_ref: string] | undefined => {
  const [, rest = ''] = /^dimension\s(.+)$/isu.exec(written) ?? []
  const colon = rest.search(/:\s*palier\s/iu)
  if (colon < 0) return undefined
  const dimension_ref = rest.slice(0, colon).trim()
  const tier_ref = rest
    .slice(colon)
    .replace(/^:\s*palier\s/iu, '')
    .trim()
  return dimension_ref === '' || tier_ref === '' ? undefined : [dimension_ref, tier_ref]
}

const readCondition = (
  written: string,
  { results, questions, dimensions }: Referable,
): Condition => {
  const folded = foldText(written).replaceAll('−', '-')
  const ranked = <Row>(rows: readonly Row[], rank: string, called: string): Row | undefined => {
    if (rank === LOST_REF) return undefined
    const row = rows[Number(rank) - 1]
    if (row) return row
    throw new TextSyntaxError(`Il n’y a pas de ${called}.`)
  }
  const [, asked = '', not, answered = ''] = ANSWERED.exec(folded) ?? []
  if (asked) {
    const question = ranked(questions, asked, `question ${asked}`)
    const answer =
      question && ranked(question.answers, answered, `réponse ${answered} à la question ${asked}`)
    return {
      kind: not ? 'answer_not_chosen' : 'answer_chosen',
      question_id: question?.id ?? LOST_ID,
      answer_id: answer?.id ?? LOST_ID,
    }
  }
  const [, measured = '', bound, number = ''] = MEASURED.exec(folded) ?? []
  if (measured)
    return {
      kind: bound === 'moins' ? 'scale_at_least' : 'scale_at_most',
      question_id: ranked(questions, measured, `question ${measured}`)?.id ?? LOST_ID,
      number: readNumber(number, { least: 0, most: 10, expected: EXPECTED }),
    }
  const [, from, to] = TOTAL.exec(folded) ?? []
  if (from !== undefined && to !== undefined) {
    const most = MAX_WHOLE_NUMBER
    const total = (bound: string): number | null =>
      bound === LOST_REF ? null : readNumber(bound, { least: -most, most, expected: EXPECTED })
    return { kind: 'total_between', from: total(from), to: total(to) }
  }
  const tier_refs = readTierRefs(written)
  if (tier_refs) {
    const [dimension_ref, tier_ref] = tier_refs
    const dimension =
      dimension_ref === LOST_REF ? undefined : findNamed(dimension_ref, dimensions, 'dimension')
    const tier =
      tier_ref === LOST_REF || !dimension
        ? undefined
        : findNamed(tier_ref, tierRows(dimension.tiers), 'palier')
    return {
      kind: 'dimension_tier',
      dimension_id: dimension?.id ?? LOST_ID,
      tier_id: tier?.id ?? LOST_ID,
    }
  }
  if (folded === foldText(DIMENSIONS_EQUAL)) return { kind: 'dimensions_equal' }
  const [, ref] = RESULT.exec(written) ?? []
  if (ref === undefined) throw new TextSyntaxError(EXPECTED)
  return { kind: 'result', result_id: ref === LOST_REF ? LOST_ID : resultOf(ref, results) }
}

const resultOf = (ref: string, results: readonly NamedRow[]): string =>
  findNamed(ref, results, 'résultat').id

const readPlace = (title: string): { place: VariantPlace; ref: string | null } => {
  const folded = foldText(title)
  const place = (Object.keys(PLACES) as (keyof typeof PLACES)[]).find(
    (place) => foldText(PLACES[place]) === folded,
  )
  if (place) return { place, ref: null }
  if (folded === 'e-mail') return { place: 'mail', ref: null }
  const [, ref] = RESULT.exec(title) ?? []
  if (ref !== undefined) return { place: 'result', ref }
  throw new TextSyntaxError(
    `${quoted(title)} n’est pas la place d’un texte : « Tous les résultats », « Résultat … », « Fin » ou « Email ».`,
  )
}

/** Returns a builder of the conditional texts, whose references are resolved when the rest is known. */
export const createVariantsBuilder = (errors: TextErrors) => {
  const variants: TextVariant[] = []
  const unresolved: ((draft: Referable) => void)[] = []

  const addVariant = (line: number, title: string): Target | undefined => {
    const { length: position } = variants
    if (errors.exceeds(line, position, LIMITS.text_variants, 'textes conditionnels'))
      return undefined
    const { place, ref } = readPlace(title)
    const row: TextVariant = {
      ...NEW_TEXT_VARIANT,
      id: `v${position}`,
      quiz_id: '',
      position,
      place,
      conditions: [],
    }
    variants.push(row)
    if (ref !== null)
      unresolved.push(({ results }) => {
        row.result_id = errors.attempt(line, () => resultOf(ref, results), null)
      })
    return createTarget<TextVariant>({ row, keys: VARIANT_KEYS })
  }

  /** Adds a condition to the last text. */
  const addCondition = (line: number, written: string): void => {
    const row = variants.at(-1)
    if (!row) throw new TextSyntaxError('Cette condition n’est sous aucun texte conditionnel.')
    const limit = LIMITS.conditions_per_variant
    unresolved.push((draft) => {
      if (row.conditions.length === limit)
        errors.add(line, `Un texte conditionnel a ${limit} conditions au plus.`)
      const condition = errors.attempt(line, () => readCondition(written, draft), undefined)
      if (condition) row.conditions.push(condition)
    })
  }

  /** Returns the draft with its conditional texts. */
  const build = (draft: Draft): Draft => {
    for (const resolve of unresolved) resolve(draft)
    return { ...draft, text_variants: variants }
  }
  return { addVariant, addCondition, build }
}
