import type { KeyFiguresAnswer } from '#contract/key-figures.ts'
import type { Comparison } from '#domain/periods.ts'
import { formatDuration, formatNumber, formatPercentageOf, MISSING } from './format.ts'

/** How a figure went since the period before. */
export type Change = {
  way: 'up' | 'down' | 'same'
  /** By how much: '18 %', '5 points'. */
  by: string
}

export type KeyFigure = {
  name: string
  /** Null while it is being counted. */
  value: string | null
  change: Change | null
  /** Of a time more is neither better nor worse. */
  isTime: boolean
}

const PERCENT = 100

/** The change from one number to another in percent; null where there is nothing to compare with. */
export const changeOf = (
  now: number | null | undefined,
  before: number | null | undefined,
): Change | null => {
  if (now === null || now === undefined || !before) return null
  const percent = ((now - before) * PERCENT) / before
  const by = Math.abs(percent)
  if (by === 0) return { way: 'same', by: '' }
  return {
    way: percent > 0 ? 'up' : 'down',
    by: `${by < 1 ? '<\u00a01' : formatNumber(Math.round(by))}\u00a0%`,
  }
}

/** The change from one share to another in points. */
export const pointsOf = (now: number | null, before: number | null): Change | null => {
  if (now === null || before === null) return null
  const points = Math.round((now - before) * PERCENT)
  if (points === 0) return { way: 'same', by: '' }
  const by = Math.abs(points)
  return { way: points > 0 ? 'up' : 'down', by: `${by}\u00a0point${by > 1 ? 's' : ''}` }
}

const shareOf = ({ nb_participants, nb_opened }: KeyFiguresAnswer['now']): number | null =>
  nb_participants === null || !nb_opened ? null : nb_participants / nb_opened

/** What a change is since, in few words: 'vs 30 jours avant, hors aujourd’hui'. */
export const comparedWith = ({ days_earlier, is_without_today }: Comparison): string => {
  const then = days_earlier === 1 ? 'la veille' : `${formatNumber(days_earlier)} jours avant`
  return `vs ${then}${is_without_today ? ', hors aujourd’hui' : ''}`
}

/** The days before, as a line of a chart is called: '30 jours plus tôt'. */
export const daysBefore = ({ days_earlier }: Comparison): string =>
  days_earlier === 1 ? 'la veille' : `${formatNumber(days_earlier)} jours plus tôt`

/** The figures at the head of the screen, each with how it went in the days that are compared. */
export const keyFigureWords = ({ now, compared, before, as_of }: KeyFiguresAnswer): KeyFigure[] => {
  // Null of what was counted: filters have no such figure, or nobody's time is known.
  const none = as_of?.counted_at === null ? null : MISSING
  const countOf = (name: string, key: 'nb_participants' | 'nb_addresses' | 'nb_delivered') => ({
    name,
    value: now[key] === null ? none : formatNumber(now[key]),
    change: changeOf(compared?.[key], before?.[key]),
    isTime: false,
  })
  const opened: KeyFigure = {
    name: 'Ont ouvert la page',
    value: now.nb_opened === null ? MISSING : formatNumber(now.nb_opened),
    change: changeOf(compared?.nb_opened, before?.nb_opened),
    isTime: false,
  }
  const finished: KeyFigure = {
    name: 'Vont au bout',
    value:
      now.nb_participants === null || !now.nb_opened
        ? MISSING
        : formatPercentageOf(now.nb_participants, now.nb_opened),
    change: pointsOf(compared && shareOf(compared), before && shareOf(before)),
    isTime: false,
  }
  const time: KeyFigure = {
    name: 'Temps médian',
    value: now.median_seconds === null ? none : timeText(now.median_seconds, now.is_more),
    change: changeOf(compared?.median_seconds, before?.median_seconds),
    isTime: true,
  }
  return [
    opened,
    finished,
    countOf('Participants', 'nb_participants'),
    countOf('Adresses différentes (hors refus)', 'nb_addresses'),
    time,
    countOf('Transmis', 'nb_delivered'),
  ]
}

const timeText = (seconds: number, is_more: boolean): string =>
  `${is_more ? 'Au moins ' : ''}${formatDuration(seconds)}`
