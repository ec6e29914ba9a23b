import type { Change } from './change.ts'

/** Sentence in place of the figures of too few people. */
export const TOO_FEW_PEOPLE = 'Trop peu de personnes'

const DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
const NO_BREAK_SPACE = '\u00a0'
const MINUS = '−'

/** Returns a number with one decimal in French; a negative number has a minus sign. */
const decimal = (value: number): string => {
  const text = Math.abs(value).toLocaleString('fr-FR', DECIMAL)
  return value < 0 && !/^0,0$/.test(text) ? MINUS + text : text
}

const signed = (value: number): string => {
  const text = decimal(value)
  return value > 0 && text !== '0,0' ? `+${text}` : text
}

/** Returns a mean in percent, such as « 62,5 % ». */
export const meanText = (mean: number): string => `${decimal(mean)}${NO_BREAK_SPACE}%`

/** Returns a mean change in points, such as « +12,5 points ». */
export const changePointsText = (mean: number): string => `${signed(mean)}${NO_BREAK_SPACE}points`

/** Returns a 95 % interval, such as « de +4,1 à +20,9 ». */
export const intervalText = ({ low, high }: Pick<Change, 'low' | 'high'>): string =>
  `de ${signed(low)} à ${signed(high)}`

/** Returns the number of people of a measure, or of both campaigns if people are not compared. */
export const peopleCountText = ({
  nb_before,
  nb_after,
}: {
  nb_before: number
  nb_after: number
}): string => (nb_before === nb_after ? `${nb_after}` : `${nb_before} avant, ${nb_after} après`)

/** Returns the change of a measure in words, and its details: means, interval and number of people. */
export const describeChange = ({
  nb_before,
  nb_after,
  change,
}: {
  nb_before: number
  nb_after: number
  change: Change | null
}): { value: string; detail: string } => {
  const people = `n = ${peopleCountText({ nb_before, nb_after })}`
  if (!change) return { value: TOO_FEW_PEOPLE, detail: people }
  const means = `de ${meanText(change.before_mean)} à ${meanText(change.after_mean)}`
  return {
    value: changePointsText(change.mean),
    detail: `${means} ; intervalle à 95${NO_BREAK_SPACE}% : ${intervalText(change)} ; ${people}`,
  }
}
