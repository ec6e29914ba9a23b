import { isBlankText } from '#domain/common/text.ts'
import type { DimensionOdds } from '#domain/odds/dimension-odds.ts'
import type { ImpossibleResult } from '#domain/odds/impossible-results.ts'
import type { ExtremeOdds } from '#domain/odds/joint-dimensions.ts'
import type { Odds } from '#domain/odds/odds.ts'
import type { LikelyTotals } from '#domain/odds/total-ranges.ts'
import { dimensionInsertion, EXTREME_INSERTIONS } from '#domain/questionnaire/dimensions.ts'
import type { Draft, QuizTies } from '#domain/questionnaire/quiz.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'
import { formatNumber, formatPercentage } from '#web/statistics/format/format.ts'
import type { OddsReport } from './odds-report.ts'
import { impossibleTierSentence } from './tier-labels.ts'

/** Smallest probability above 0 that is shown as a number; smaller ones are shown as '< 0,1 %'. */
const MIN_SHOWN_PROBABILITY = 0.001
/** Maximum rounding error of a sum of probabilities. */
const MAX_ROUNDING_ERROR = 1e-12

/** Returns a probability in percent, such as '21,4 %'. '0 %' and '100 %' are used only for exact values. */
export const probabilityLabel = (probability: number): string => {
  if (probability > 0 && probability < MIN_SHOWN_PROBABILITY)
    return `<\u00a0${formatPercentage(0.1)}`
  if (probability < 1 - MAX_ROUNDING_ERROR && probability > 1 - MIN_SHOWN_PROBABILITY)
    return `>\u00a0${formatPercentage(99.9)}`
  return formatPercentage(Math.min(1, probability) * 100)
}

/** Returns a sentence about how the odds were computed, such as 'Calcul exact sur 243 combinaisons.' */
export const sampleSizeSentence = ({
  is_exact,
  nb_combinations,
  nb_simulated_runs,
  margin,
}: Pick<Odds, 'is_exact' | 'nb_combinations' | 'nb_simulated_runs' | 'margin'>): string => {
  if (!is_exact)
    return `Estimation sur ${formatNumber(nb_simulated_runs)} tirages, à ±\u00a0${marginLabel(margin)} près.`
  if (nb_combinations === null) return 'Calcul exact sur toutes les combinaisons.'
  return nb_combinations === 1
    ? 'Calcul exact sur la seule combinaison.'
    : `Calcul exact sur ${formatNumber(nb_combinations)} combinaisons.`
}

const marginLabel = (margin: number): string => {
  // Rounded up, so that the stated margin is never too small.
  const points = Math.ceil(margin * 10_000) / 100
  return `${formatNumber(points)} point${points >= 2 ? 's' : ''}`
}

const quote = (name: string): string => `«\u00a0${name}\u00a0»`
const listFormat = new Intl.ListFormat('fr-FR', { type: 'conjunction' })
const quoteAll = (all: readonly { name: string }[]): string =>
  listFormat.format(all.map(({ name }) => quote(name)))

/**
 * Returns a sentence about an impossible result, such as '« Loin » ne peut pas sortir : aucune réponse
 * n’y mène.'
 */
export const impossibleResultSentence = ({
  name,
  why,
}: Pick<ImpossibleResult, 'name' | 'why'>): string =>
  `${quote(name)} ne peut pas sortir\u00a0: ${impossibilityReason(why)}.`

/**
 * Returns the reason why a result is impossible as a clause without a name, such as 'aucune réponse n’y mène'.
 */
export const impossibilityReason = (why: ImpossibleResult['why']): string => {
  switch (why.kind) {
    case 'tier_above':
      return `${totalsClause(why.totals)}, son palier commence à ${formatNumber(why.tier.from)}`
    case 'tier_below':
      return `${totalsClause(why.totals)}, son palier finit à ${formatNumber(why.tier.to)}`
    case 'tier_between':
      return `aucune combinaison de réponses ne donne un total ${fromTo(why.tier)}, les plus proches sont ${formatNumber(why.below)} et ${formatNumber(why.above)}`
    case 'tier_covered':
      return `tous les totaux de son palier reviennent à ${quoteAll(why.by)}, qui ${why.by.length > 1 ? 'passent' : 'passe'} avant`
    case 'tier_empty':
      return `son palier commence à ${formatNumber(why.tier.from)} et finit à ${formatNumber(why.tier.to)}, il ne contient aucun total`
    case 'no_answer':
      return 'aucune réponse n’y mène'
    case 'always_fewer':
      return `${quote(why.than.name)} a toujours plus de points`
    case 'loses_ties':
      return `il n’a jamais plus de points que ${quote(why.to.name)}, qui passe avant en cas d’égalité`
    case 'never_highest':
      return `${noCombination(why.nb_combinations)} ne lui donne la première place`
  }
}

const totalsClause = ({ from, to }: Range): string =>
  from === to
    ? `le total est toujours ${formatNumber(from)}`
    : `le total va de ${formatNumber(from)} à ${formatNumber(to)}`

const fromTo = ({ from, to }: Range): string =>
  from === to ? `de ${formatNumber(from)}` : `de ${formatNumber(from)} à ${formatNumber(to)}`

const noCombination = (count: number | null): string =>
  count === null || count < 2
    ? 'aucune combinaison de réponses'
    : `aucune des ${formatNumber(count)} combinaisons de réponses`

/** Returns a sentence about totals that no tier contains: 'Totaux de 7 à 8 sans résultat (12,5 %).' */
export const totalsWithoutResultSentence = ({ probability, ...range }: LikelyTotals): string =>
  `${totalsLabel(range)} sans résultat (${probabilityLabel(probability)}).`

/** Returns a sentence about totals that two tiers contain, such as 'Total 6 dans deux paliers (25 %) : …'. */
export const totalsInTwoTiersSentence = ({
  names: [first, second],
  probability,
  ...range
}: LikelyTotals & { names: [string, string] }): string =>
  `${totalsLabel(range)} dans deux paliers (${probabilityLabel(probability)})\u00a0: ${quote(first)} passe avant ${quote(second)}.`

/**
 * Returns a sentence for a quiz whose tiers contain every possible total, such as 'Tous les totaux de 1 à 15 mènent à
 * un résultat.' Undefined without totals.
 */
export const allTotalsSentence = ({ totals: all }: Pick<Odds, 'totals'>): string | undefined => {
  const [first, last] = [all[0]?.total, all.at(-1)?.total]
  return first === undefined || last === undefined
    ? undefined
    : everyTotalSentence({ from: first, to: last })
}

const totalsLabel = ({ from, to }: Range): string =>
  from === to ? `Total ${formatNumber(from)}` : `Totaux ${fromTo({ from, to })}`

const everyTotalSentence = ({ from, to }: Range): string =>
  from === to
    ? `Le total est toujours ${formatNumber(from)}, il mène à un résultat.`
    : `Tous les totaux de ${formatNumber(from)} à ${formatNumber(to)} mènent à un résultat.`

/**
 * Returns the probability of a result as a label such as '21,4 %', or 'ne peut pas sortir' if the result is impossible.
 */
export const resultProbabilityLabel = (
  { id, probability }: Pick<OddsReport['odds']['results'][number], 'id' | 'probability'>,
  { odds, impossible_results, tie_rule }: OddsReport,
): string => {
  if (impossible_results.some((result) => result.id === id)) return 'ne peut pas sortir'
  if (probability > 0) return probabilityLabel(probability)
  // A result that no simulated run gave may still be possible.
  if (!odds.is_exact) return probabilityLabel(Number.MIN_VALUE)
  // The result may still be shown as one of several tied results.
  return tie_rule === 'both' ? 'jamais en premier' : probabilityLabel(0)
}

/** Returns a sentence for each range of totals without a tier or in two tiers. */
export const totalsWarnings = ({
  totals_without_result,
  totals_in_two_tiers,
}: OddsReport): string[] => [
  ...totals_without_result.map(totalsWithoutResultSentence),
  ...totals_in_two_tiers.map(totalsInTwoTiersSentence),
]

/** Returns the name of the tie rate: all ties, or those that the tie question leaves. */
export const tieRateName = (tie_rule: QuizTies['tie_rule']): string =>
  tie_rule === 'question' ? 'Égalités qui restent' : 'Égalités'

const TIE_OUTCOMES: Record<QuizTies['tie_rule'], string> = {
  priority: 'Le plus haut de la liste l’emporte',
  question: 'La question ne les départage pas, le plus haut de la liste l’emporte',
  both: 'Tous sont montrés ; seul le plus haut de la liste est compté',
}
/** Maximum number of results that a sentence about ties names. */
const MAX_NAMED_WINNERS = 3

/**
 * Returns a sentence about the results that win ties in a quiz by profiles, the most frequent first. Undefined without
 * ties.
 */
export const tieWinnersSentence = ({ odds, tie_rule }: OddsReport): string | undefined => {
  const winners = odds.results
    .filter(({ tie_probability }) => tie_probability > 0)
    .sort((a, b) => b.tie_probability - a.tie_probability)
  if (winners.length === 0) return undefined
  const named = winners
    .slice(0, MAX_NAMED_WINNERS)
    .map(({ name, tie_probability }) =>
      winners.length === 1 ? quote(name) : `${quote(name)} (${probabilityLabel(tie_probability)})`,
    )
  const nb_others = winners.length - named.length
  if (nb_others > 0) named.push(nb_others === 1 ? '1 autre' : `${nb_others} autres`)
  return `${TIE_OUTCOMES[tie_rule]}\u00a0: ${listFormat.format(named)}.`
}

/** Returns how the odds were computed and, without warnings about totals, that every total gives a result. */
export const oddsBasisSentence = (report: OddsReport): string => {
  const hasNoWarnings = totalsWarnings(report).length === 0
  const all = hasNoWarnings ? allTotalsSentence(report.odds) : undefined
  return [sampleSizeSentence(report.odds), ...(all ? [all] : [])].join(' ')
}

/** Returns the warnings before a publication: impossible results, and totals without a result. */
export const publishWarnings = ({
  impossible_results,
  totals_without_result,
  impossible_tiers,
}: OddsReport): string[] => [
  ...impossible_results.map(impossibleResultSentence),
  ...impossible_tiers.map(impossibleTierSentence),
  ...totals_without_result.map(totalsWithoutResultSentence),
]

/**
 * Returns a French sentence about what the draft still needs before its odds can be computed; undefined if nothing is
 * missing.
 */
export const missingForOdds = ({ results, questions, quiz_mode }: Draft): string | undefined => {
  if (results.length === 0) return 'Créez d’abord des résultats à l’étape 1.'
  if (!questions.some(({ text }) => !isBlankText(text)))
    return 'Les chances de chaque résultat s’affichent ici dès la première question.'
  if (!quiz_mode)
    return 'Les chances de chaque résultat s’affichent ici dès le premier score ou la première association.'
  const lacksTiers = results.some(
    ({ min_score, max_score }) => min_score === null || max_score === null,
  )
  if (quiz_mode === 'score' && lacksTiers)
    return 'Les chances de chaque résultat s’affichent ici dès que chacun a son palier.'
  return undefined
}

/** Returns the share of runs that leave each insertion empty, as French text; '≈' marks an estimate. */
export const emptyInsertions = (
  dimensions: readonly DimensionOdds[],
  extremes: ExtremeOdds,
): { name: string; label: string }[] => {
  const labelOf = (probability: number, is_exact: boolean): string =>
    `${is_exact ? '' : '≈\u00a0'}${probabilityLabel(probability)}`
  return [
    ...EXTREME_INSERTIONS.map((name) => ({
      name,
      label: labelOf(extremes.empty_probability, extremes.is_exact),
    })),
    ...dimensions.map(({ name, hidden_probability, is_exact }) => ({
      name: dimensionInsertion(name),
      label: labelOf(hidden_probability, is_exact),
    })),
  ]
}
