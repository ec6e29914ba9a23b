import { isBlankText } from '#domain/common/text.ts'
import type { ImpossibleResult } from '#domain/odds/impossible-results.ts'
import type { Odds } from '#domain/odds/odds.ts'
import type { LikelyTotals } from '#domain/odds/total-ranges.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'
import { formatNumber, formatPercentage } from '#web/statistics/format/format.ts'
import type { OddsReport } from './odds-report.ts'

const MIN_SHOWN_PROBABILITY = 0.001
/** Maximum rounding error of a sum of many probabilities. */
const ROUNDING = 1e-12

/** Returns a probability in percent, such as '21,4 %'. '0 %' and '100 %' are used only for exact values. */
export const probabilityLabel = (probability: number): string => {
  if (probability > 0 && probability < MIN_SHOWN_PROBABILITY)
    return `<\u00a0${formatPercentage(0.1)}`
  if (probability < 1 - ROUNDING && probability > 1 - MIN_SHOWN_PROBABILITY)
    return `>\u00a0${formatPercentage(99.9)}`
  return formatPercentage(Math.min(1, probability) * 100)
}

/** Returns a sentence about the basis of the odds, such as 'Calcul exact sur 243 combinaisons.' */
export const sampleSizeSentence = ({
  is_exact,
  nb_combinations,
  nb_simulated_runs,
  margin,
}: Pick<Odds, 'is_exact' | 'nb_combinations' | 'nb_simulated_runs' | 'margin'>): string => {
  if (!is_exact)
    return `Estimation sur ${formatNumber(nb_simulated_runs)} tirages, à ±\u00a0${pointsWords(margin)} près.`
  if (nb_combinations === null) return 'Calcul exact sur toutes les combinaisons.'
  return nb_combinations === 1
    ? 'Calcul exact sur la seule combinaison.'
    : `Calcul exact sur ${formatNumber(nb_combinations)} combinaisons.`
}

const pointsWords = (margin: number): string => {
  // Rounded up, so that the stated margin is never too small.
  const points = Math.ceil(margin * 10_000) / 100
  return `${formatNumber(points)} point${points >= 2 ? 's' : ''}`
}

const quoted = (name: string): string => `«\u00a0${name}\u00a0»`
const listed = new Intl.ListFormat('fr-FR', { type: 'conjunction' })
const allQuoted = (all: readonly { name: string }[]): string =>
  listed.format(all.map(({ name }) => quoted(name)))

/**
 * Returns a sentence about an impossible result: '« Prêt à ouvrir » ne peut pas sortir : le total va de 3 à
 * 12, son palier commence à 13.'
 */
export const impossibleResultSentence = ({
  name,
  why,
}: Pick<ImpossibleResult, 'name' | 'why'>): string =>
  `${quoted(name)} ne peut pas sortir\u00a0: ${impossibilityReason(why)}.`

/**
 * Returns the reason why a result is impossible, without its name: 'le total va de 3 à 12, son palier
 * commence à 13'.
 */
export const impossibilityReason = (why: ImpossibleResult['why']): string => {
  switch (why.kind) {
    case 'tier_above':
      return `${goes(why.totals)}, son palier commence à ${formatNumber(why.tier.from)}`
    case 'tier_below':
      return `${goes(why.totals)}, son palier finit à ${formatNumber(why.tier.to)}`
    case 'tier_between':
      return `aucune combinaison de réponses ne donne un total ${range(why.tier)}, les plus proches sont ${formatNumber(why.below)} et ${formatNumber(why.above)}`
    case 'tier_covered':
      return `tous les totaux de son palier reviennent à ${allQuoted(why.by)}, qui ${why.by.length > 1 ? 'passent' : 'passe'} avant`
    case 'tier_empty':
      return `son palier commence à ${formatNumber(why.tier.from)} et finit à ${formatNumber(why.tier.to)}, il ne contient aucun total`
    case 'no_answer':
      return 'aucune réponse n’y mène'
    case 'always_fewer':
      return `${quoted(why.than.name)} a toujours plus de points`
    case 'loses_ties':
      return `il n’a jamais plus de points que ${quoted(why.to.name)}, qui passe avant en cas d’égalité`
    case 'never_highest':
      return `${noneOf(why.nb_combinations)} ne lui donne la première place`
  }
}

const goes = ({ from, to }: Range): string =>
  from === to
    ? `le total est toujours ${formatNumber(from)}`
    : `le total va de ${formatNumber(from)} à ${formatNumber(to)}`

const range = ({ from, to }: Range): string =>
  from === to ? `de ${formatNumber(from)}` : `de ${formatNumber(from)} à ${formatNumber(to)}`

const noneOf = (count: number | null): string =>
  count === null || count < 2
    ? 'aucune combinaison de réponses'
    : `aucune des ${formatNumber(count)} combinaisons de réponses`

/** Returns a sentence about totals that no tier contains: 'Totaux de 7 à 8 sans résultat (12,5 %).' */
export const totalsWithoutResultSentence = ({ probability, ...one }: LikelyTotals): string =>
  `${totals(one)} sans résultat (${probabilityLabel(probability)}).`

/** Returns a sentence about totals that two tiers contain. */
export const totalsInTwoTiersSentence = ({
  names: [given, other],
  probability,
  ...one
}: LikelyTotals & { names: [string, string] }): string =>
  `${totals(one)} dans deux paliers (${probabilityLabel(probability)})\u00a0: ${quoted(given)} passe avant ${quoted(other)}.`

/**
 * Returns a sentence for a quiz whose tiers contain every possible total; undefined without totals. Example:
 * 'Tous les totaux de 1 à 15 mènent à un résultat.'
 */
export const allTotalsSentence = ({ totals: had }: Pick<Odds, 'totals'>): string | undefined => {
  const [first, last] = [had[0]?.total, had.at(-1)?.total]
  return first === undefined || last === undefined ? undefined : allWords({ from: first, to: last })
}

const totals = ({ from, to }: Range): string =>
  from === to ? `Total ${formatNumber(from)}` : `Totaux ${range({ from, to })}`

const allWords = ({ from, to }: Range): string =>
  from === to
    ? `Le total est toujours ${formatNumber(from)}, il mène à un résultat.`
    : `Tous les totaux de ${formatNumber(from)} à ${formatNumber(to)} mènent à un résultat.`

/**
 * Returns the probability of a result as a label such as '21,4 %', or states that the result is impossible.
 */
export const resultShareLabel = (
  { id, probability }: Pick<OddsReport['odds']['results'][number], 'id' | 'probability'>,
  { odds, impossible, shows_equals }: OddsReport,
): string => {
  if (impossible.some((one) => one.id === id)) return 'ne peut pas sortir'
  if (probability > 0) return probabilityLabel(probability)
  // A result that no simulated run gave is still possible.
  if (!odds.is_exact) return probabilityLabel(Number.MIN_VALUE)
  // The result may still be shown as one of several tied results.
  return shows_equals ? 'jamais en premier' : probabilityLabel(0)
}

/** Returns one sentence for each problem with the totals: totals without a tier, and totals in two tiers. */
export const totalsWarnings = ({ without_result, of_two }: OddsReport): string[] => [
  ...without_result.map(totalsWithoutResultSentence),
  ...of_two.map(totalsInTwoTiersSentence),
]

/** Returns the basis of the figures, and states that every total has a result when there is no problem. */
export const oddsBasisSentence = (report: OddsReport): string => {
  const isWell = totalsWarnings(report).length === 0
  const all = isWell ? allTotalsSentence(report.odds) : undefined
  return [sampleSizeSentence(report.odds), ...(all ? [all] : [])].join(' ')
}

/** Returns warnings against publishing: impossible results, and totals without a result. */
export const publishWarnings = ({ impossible, without_result }: OddsReport): string[] => [
  ...impossible.map(impossibleResultSentence),
  ...without_result.map(totalsWithoutResultSentence),
]

/**
 * Returns a French sentence about what the quiz needs before odds make sense; undefined when nothing is
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
