import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { formatPercent, shownDimensions } from '#domain/run/dimensions.ts'
import { MIN_RADAR_AXES } from '#domain/run/radar.ts'
import { dimensionKey } from './compared-dimensions.ts'

/** Run of a person in one of two campaigns, with the day of the reply in words. */
export type DatedRun = { quiz_id: string; snapshot: Snapshot; replies: Replies; day: string }

/** Dimension of a person in both campaigns, in percent. */
export type OwnChange = { name: string; before: number; after: number }

/** Dimensions of a person before and after, with the days of both replies in words. */
export type OwnProgress = { before_day: string; after_day: string; changes: OwnChange[] }

/** Returns the dimensions that both runs of a person show, in the order of the later run; undefined if there are none. */
export const ownProgress = (earlier: DatedRun, later: DatedRun): OwnProgress | undefined => {
  const is_same_quiz = earlier.quiz_id === later.quiz_id
  const percents = new Map(
    shownDimensions(earlier.snapshot, earlier.replies).map((dimension) => [
      dimensionKey(dimension, is_same_quiz),
      dimension.percent,
    ]),
  )
  const changes = shownDimensions(later.snapshot, later.replies).flatMap((dimension) => {
    const before = percents.get(dimensionKey(dimension, is_same_quiz))
    return before === undefined ? [] : [{ name: dimension.name, before, after: dimension.percent }]
  })
  return changes.length > 0 ? { before_day: earlier.day, after_day: later.day, changes } : undefined
}

/** Title of the section of a person's document and page. */
export const OWN_PROGRESS_TITLE = 'Avant et après'

/** Returns true if both runs are drawn as radars. */
export const hasRadar = ({ changes }: OwnProgress): boolean => changes.length >= MIN_RADAR_AXES

/** Returns the sentence that says which reply is which. */
export const progressLegend = (progress: OwnProgress): string =>
  `Avant : ${progress.before_day}. Après : ${progress.after_day}.${hasRadar(progress) ? ' Le trait interrompu montre la première fois.' : ''}`

/** Returns both percentages of a dimension. */
export const changeText = ({ before, after }: OwnChange): string =>
  `de ${formatPercent(before)} à ${formatPercent(after)}`

/** Signs of a change by its direction. */
const SIGNS: Readonly<Record<number, string>> = { 1: '+', [-1]: '−' }

/** Returns the change of a dimension in words, such as « +12 points ». */
export const pointsText = ({ before, after }: OwnChange): string => {
  const points = Math.abs(after - before)
  const sign = SIGNS[Math.sign(after - before)] ?? ''
  return `${sign}${points} point${points > 1 ? 's' : ''}`
}
