import { excerpt, isBlankText } from '#domain/common/text.ts'
import { type Dimension, dimensionInsertionNames } from '#domain/questionnaire/dimensions.ts'
import type { DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import { isSondage, type Question } from '#domain/questionnaire/quiz.ts'
import { isBlank, nonBlankAnswers } from '#domain/questionnaire/snapshot.ts'
import { countedQuestion } from '#domain/run/dimensions.ts'
import { pointsRangeOf } from '#domain/run/reachable-totals.ts'
import { insertionKey } from '#domain/run/rich-text.ts'
import type { PublishCheckInput } from './insertable-names.ts'
import { EXCERPT_CHARACTERS, type PublishError } from './publish-error.ts'
import { findUnreachablePages } from './reachability.ts'
import { type CheckedText, insertionAndLinkErrors } from './text-check.ts'

/**
 * Returns the errors of dimensions. Each needs a unique name, a question with different possible points, and tiers that
 * cover 0 to 100 exactly once. Also checks the texts of dimensions, and short names that are their insertions.
 */
export const dimensionErrors = (draft: PublishCheckInput): PublishError[] => {
  const { quiz, quiz_mode, dimensions } = draft
  // A quiz without a mode is checked too, because visitors would see none of its dimensions.
  if (isSondage(quiz) || quiz_mode === 'profils' || dimensions.length === 0) return []
  const unreachable = new Set(findUnreachablePages(draft))
  const seen = new Set<string>()
  const errors = dimensions.flatMap((dimension, rank) => {
    const { id, name } = dimension
    const called = isBlankText(name)
      ? `${rank + 1}`
      : `« ${excerpt(name.trim(), EXCERPT_CHARACTERS)} »`
    const key = insertionKey(name)
    const errorsOfDimension = [
      ...nameErrors(called, dimension, seen.has(key)),
      ...questionErrors(called, dimension, { ...draft, unreachable }),
      ...tierErrors(called, dimension.tiers),
      ...insertionAndLinkErrors(draft, textsOf(called, dimension)),
    ]
    seen.add(key)
    return errorsOfDimension.map((error) => ({ dimension_id: id, ...error }))
  })
  return [...errors, ...labelErrors(draft.questions, dimensions)]
}

const textsOf = (called: string, { description, tiers }: Dimension): CheckedText[] => [
  {
    text: description ?? '',
    name: () => `La description de la dimension ${called}`,
    about: { field: 'description' },
    nb_labels: undefined,
  },
  ...tiers.map(({ id, title, text }) => ({
    text: text ?? '',
    name: () =>
      `Le texte du palier « ${excerpt(title, EXCERPT_CHARACTERS)} » de la dimension ${called}`,
    about: { tier_id: id, field: 'text' },
    nb_labels: undefined,
  })),
]

/** Returns an error for each short name that is an insertion of the dimensions. */
const labelErrors = (
  questions: readonly Question[],
  dimensions: readonly Dimension[],
): PublishError[] => {
  const reserved = new Set(dimensionInsertionNames(dimensions).map(insertionKey))
  return questions
    .filter(({ label }) => reserved.has(insertionKey(label ?? '')))
    .map(({ id, label }) => ({
      message: `Le nom court « ${label?.trim()} » est réservé aux dimensions : donnez-en un autre à la question`,
      question_id: id,
      field: 'label',
    }))
}

const nameErrors = (called: string, { name }: Dimension, isTaken: boolean): PublishError[] => {
  const field = 'name'
  if (isBlankText(name)) return [{ message: `La dimension ${called} n’a pas de nom`, field }]
  if (/[{}]/.test(name))
    return [{ message: `Le nom de la dimension ${called} ne peut pas contenir d’accolades`, field }]
  return isTaken ? [{ message: `Deux dimensions s’appellent ${called}`, field }] : []
}

const questionErrors = (
  called: string,
  { id }: Dimension,
  { questions, unreachable }: PublishCheckInput & { unreachable: ReadonlySet<number> },
): PublishError[] => {
  const field = 'questions'
  const assigned = questions.filter(
    (question) => question.dimension_id === id && !isBlank({ kind: 'question', question }),
  )
  if (assigned.length === 0)
    return [{ message: `La dimension ${called} n’a aucune question`, field }]
  const canVary = (question: Question): boolean => {
    const counted = countedQuestion({ ...question, answers: nonBlankAnswers(question) })
    const { from, to } = pointsRangeOf(counted)
    return from < to
  }
  const counted = assigned.filter(canVary)
  if (counted.length === 0) {
    const message = `Les réponses aux questions de la dimension ${called} donnent toutes le même nombre de points`
    return [{ message, field }]
  }
  if (counted.some(({ page_number }) => !unreachable.has(page_number))) return []
  return [{ message: `Les questions de la dimension ${called} ne sont jamais atteintes`, field }]
}

type TierBounds = Pick<DimensionTier, 'id' | 'from_percent' | 'to_percent'>

const tierErrors = (called: string, tiers: readonly DimensionTier[]): PublishError[] => {
  const nameOf = (tier: TierBounds): string => {
    const { title } = tier as DimensionTier
    return isBlankText(title)
      ? `${tiers.findIndex(({ id }) => id === tier.id) + 1}`
      : `« ${excerpt(title, EXCERPT_CHARACTERS)} »`
  }
  const about = ({ id }: TierBounds, field: string) => ({ tier_id: id, field })
  const untitled = tiers
    .filter(({ title }) => isBlankText(title))
    .map((tier) => ({
      message: `Le palier ${nameOf(tier)} de la dimension ${called} n’a pas de titre`,
      ...about(tier, 'title'),
    }))
  const reversed = tiers.filter(isReversed).map((tier) => ({
    message: `Le palier ${nameOf(tier)} de la dimension ${called} va de ${tier.from_percent} à ${tier.to_percent} % : le premier nombre doit être le plus petit`,
    ...about(tier, 'from_percent'),
  }))
  const ordered = tiers
    .filter((tier) => !isReversed(tier))
    .sort((a, b) => a.from_percent - b.from_percent || a.to_percent - b.to_percent)
  return [...untitled, ...reversed, ...coverErrors(called, ordered, nameOf, about)]
}

const isReversed = ({ from_percent, to_percent }: TierBounds): boolean => from_percent > to_percent

const rangeText = (from: number, to: number): string =>
  from === to ? `${from} %` : `${from} à ${to} %`

/** Returns the overlaps and gaps of tiers that are sorted by their lower bound. No tier at all is no gap. */
const coverErrors = (
  called: string,
  ordered: readonly TierBounds[],
  nameOf: (tier: TierBounds) => string,
  about: (tier: TierBounds, field: string) => Omit<PublishError, 'message'>,
): PublishError[] => {
  const errors: PublishError[] = []
  const addGap = (from: number, to: number, place: Omit<PublishError, 'message'>): void => {
    if (from > to) return
    const message = `Aucun palier de la dimension ${called} ne contient ${rangeText(from, to)}`
    errors.push({ message, ...place })
  }
  let highest: TierBounds | undefined
  for (const tier of ordered) {
    const covered = highest?.to_percent ?? -1
    addGap(covered + 1, tier.from_percent - 1, about(tier, 'from_percent'))
    if (highest && tier.from_percent <= covered) {
      const common = rangeText(tier.from_percent, Math.min(covered, tier.to_percent))
      const message = `Les paliers ${nameOf(highest)} et ${nameOf(tier)} de la dimension ${called} contiennent tous deux ${common}`
      errors.push({ message, ...about(tier, 'from_percent') })
    }
    if (tier.to_percent > covered) highest = tier
  }
  if (highest) addGap(highest.to_percent + 1, 100, about(highest, 'to_percent'))
  return errors
}
