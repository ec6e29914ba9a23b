import type { OddsReport } from './odds-report.ts'
import {
  allTotalsWords,
  countWords,
  impossibleWords,
  ofTwoWords,
  shareWords,
  withoutResultWords,
} from './odds-words.ts'

/** How often one of the results is given: '21,4 %'; or that it never is. */
export const shareOf = (
  { id, probability }: Pick<OddsReport['odds']['results'][number], 'id' | 'probability'>,
  { odds, impossible, shows_equals }: OddsReport,
): string => {
  if (impossible.some((one) => one.id === id)) return 'ne peut pas sortir'
  if (probability > 0) return shareWords(probability)
  // What no run gave that was drawn may come out still.
  if (!odds.is_exact) return shareWords(Number.MIN_VALUE)
  // It may be shown among equals.
  return shows_equals ? 'jamais en premier' : shareWords(0)
}

/** What a creator may want to mend about the totals: a sentence each. */
export const totalsConcerns = ({ without_result, of_two }: OddsReport): string[] => [
  ...without_result.map(withoutResultWords),
  ...of_two.map(ofTwoWords),
]

/** What the figures rest on and, when nothing is to be mended about the totals, that all is well. */
export const reachWords = (report: OddsReport): string => {
  const isWell = totalsConcerns(report).length === 0
  const all = isWell ? allTotalsWords(report.odds) : undefined
  return [countWords(report.odds), ...(all ? [all] : [])].join(' ')
}

/** What speaks against publishing as it is: results that cannot come out, totals that have none. */
export const doubtsOf = ({ impossible, without_result }: OddsReport): string[] => [
  ...impossible.map(impossibleWords),
  ...without_result.map(withoutResultWords),
]
