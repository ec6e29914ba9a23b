import { isBlankText } from '#domain/common/text.ts'
import type { ImpossibleResult } from '#domain/odds/impossible-results.ts'
import type { Odds } from '#domain/odds/odds.ts'
import type { LikelyTotals } from '#domain/odds/total-ranges.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'
import { formatNumber, formatPercentage } from '#web/statistics/format/format.ts'
import type { OddsReport } from './odds-report.ts'

const LEAST_SHOWN = 0.001
/** What sums of many shares are off by, at most. */
const ROUNDING = 1e-12

/** A probability in percent: '21,4 %'; '0 %' and '100 %' only of what never or always is. */
export const probabilityLabel = (probability: number): string => {
  if (probability > 0 && probability < LEAST_SHOWN) return `<\u00a0${formatPercentage(0.1)}`
  if (probability < 1 - ROUNDING && probability > 1 - LEAST_SHOWN)
    return `>\u00a0${formatPercentage(99.9)}`
  return formatPercentage(Math.min(1, probability) * 100)
}

/** What the figures rest on: 'Calcul exact sur 243 combinaisons.' */
export const sampleSizeSentence = ({
  is_exact,
  nb_combinations,
  nb_draws,
  margin,
}: Pick<Odds, 'is_exact' | 'nb_combinations' | 'nb_draws' | 'margin'>): string => {
  if (!is_exact)
    return `Estimation sur ${formatNumber(nb_draws)} tirages, à ±\u00a0${pointsWords(margin)} près.`
  if (nb_combinations === null) return 'Calcul exact sur toutes les combinaisons.'
  return nb_combinations === 1
    ? 'Calcul exact sur la seule combinaison.'
    : `Calcul exact sur ${formatNumber(nb_combinations)} combinaisons.`
}

const pointsWords = (margin: number): string => {
  // Never less than it is.
  const points = Math.ceil(margin * 10_000) / 100
  return `${formatNumber(points)} point${points >= 2 ? 's' : ''}`
}

const quoted = (name: string): string => `«\u00a0${name}\u00a0»`
const listed = new Intl.ListFormat('fr-FR', { type: 'conjunction' })
const allQuoted = (all: readonly { name: string }[]): string =>
  listed.format(all.map(({ name }) => quoted(name)))

/** Why a result cannot come out: '« Prêt à ouvrir » ne peut pas sortir : le total va de 3 à 12, son palier commence à 13.' */
export const impossibleResultSentence = ({
  name,
  why,
}: Pick<ImpossibleResult, 'name' | 'why'>): string =>
  `${quoted(name)} ne peut pas sortir\u00a0: ${impossibilityReason(why)}.`

/** The proof alone: 'le total va de 3 à 12, son palier commence à 13'. */
export const impossibilityReason = (why: ImpossibleResult['why']): string => {
  switch (why.kind) {
    case 'tier_above':
      return `${goes(why.totals)}, son palier commence à ${formatNumber(why.tier.from)}`
    case 'tier_below':
      return `${goes(why.totals)}, son palier finit à ${formatNumber(why.tier.to)}`
    case 'tier_between':
      return `aucune combinaison de réponses ne donne un total ${range(why.tier)}, les plus proches sont ${formatNumber(why.below)} et ${formatNumber(why.above)}`
    case 'tier_held':
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

/** Of totals that no tier holds: 'Totaux de 7 à 8 sans résultat (12,5 %).' */
export const totalsWithoutResultSentence = ({ probability, ...one }: LikelyTotals): string =>
  `${totals(one)} sans résultat (${probabilityLabel(probability)}).`

/** Of totals that two tiers hold. */
export const totalsInTwoTiersSentence = ({
  names: [given, other],
  probability,
  ...one
}: LikelyTotals & { names: [string, string] }): string =>
  `${totals(one)} dans deux paliers (${probabilityLabel(probability)})\u00a0: ${quoted(given)} passe avant ${quoted(other)}.`

/** Where every total that runs have is in a tier: 'Tous les totaux de 1 à 15 mènent à un résultat.'; undefined without totals. */
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

/** How often one of the results is given: '21,4 %'; or that it never is. */
export const resultShareLabel = (
  { id, probability }: Pick<OddsReport['odds']['results'][number], 'id' | 'probability'>,
  { odds, impossible, shows_equals }: OddsReport,
): string => {
  if (impossible.some((one) => one.id === id)) return 'ne peut pas sortir'
  if (probability > 0) return probabilityLabel(probability)
  // What no run gave that was drawn may come out still.
  if (!odds.is_exact) return probabilityLabel(Number.MIN_VALUE)
  // It may be shown among equals.
  return shows_equals ? 'jamais en premier' : probabilityLabel(0)
}

/** What a creator may want to mend about the totals: a sentence each. */
export const totalsWarnings = ({ without_result, of_two }: OddsReport): string[] => [
  ...without_result.map(totalsWithoutResultSentence),
  ...of_two.map(totalsInTwoTiersSentence),
]

/** What the figures rest on and, when nothing is to be mended about the totals, that all is well. */
export const oddsBasisSentence = (report: OddsReport): string => {
  const isWell = totalsWarnings(report).length === 0
  const all = isWell ? allTotalsSentence(report.odds) : undefined
  return [sampleSizeSentence(report.odds), ...(all ? [all] : [])].join(' ')
}

/** What speaks against publishing as it is: results that cannot come out, totals that have none. */
export const publishWarnings = ({ impossible, without_result }: OddsReport): string[] => [
  ...impossible.map(impossibleResultSentence),
  ...without_result.map(totalsWithoutResultSentence),
]

/** What a quiz lacks without which its odds would say nothing, in words; undefined when nothing is missing. */
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
