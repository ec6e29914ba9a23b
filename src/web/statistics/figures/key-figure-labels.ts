import type { Figures } from '#contract/statistics/figures.ts'
import type { KeyFiguresAnswer } from '#contract/statistics/key-figures.ts'
import { rowText } from '#domain/questionnaire/grids/question-names.ts'
import { NO_RESULT } from '#domain/statistics/figures.ts'
import type { Finding, FindingsInput } from '#domain/statistics/findings.ts'
import { type Comparison, comparisonOf } from '#domain/statistics/periods.ts'
import type { QuestionStats } from '#domain/statistics/question-figures.ts'
import {
  formatDuration,
  formatNumber,
  formatPercentageOf,
  formatShare,
  MISSING,
} from '#web/statistics/format/format.ts'

/** The change of a figure since the earlier period. */
export type Change = {
  direction: 'up' | 'down' | 'same'
  /** The size of the change: '18 %', '5 points'. */
  by: string
}

/** A key figure as text. */
export type KeyFigure = {
  name: string
  /** Null while the figure is being counted. */
  value: string | null
  change: Change | null
  /** True if the figure is a duration, for which more is neither better nor worse. */
  isTime: boolean
}

const PERCENT = 100

/** Returns the change from one number to another in percent; null if there is nothing to compare. */
export const changeOf = (
  now: number | null | undefined,
  before: number | null | undefined,
): Change | null => {
  if (now === null || now === undefined || !before) return null
  const percent = ((now - before) * PERCENT) / before
  const by = Math.abs(percent)
  if (by === 0) return { direction: 'same', by: '' }
  return {
    direction: percent > 0 ? 'up' : 'down',
    by: `${by < 1 ? '<\u00a01' : formatNumber(Math.round(by))}\u00a0%`,
  }
}

/** Returns the change from one share to another in points. */
export const changeInPoints = (now: number | null, before: number | null): Change | null => {
  if (now === null || before === null) return null
  const points = Math.round((now - before) * PERCENT)
  if (points === 0) return { direction: 'same', by: '' }
  const by = Math.abs(points)
  return { direction: points > 0 ? 'up' : 'down', by: `${by}\u00a0point${by > 1 ? 's' : ''}` }
}

const shareOf = ({ nb_participants, nb_opened }: KeyFiguresAnswer['now']): number | null =>
  nb_participants === null || !nb_opened ? null : nb_participants / nb_opened

/** Returns a short text about the compared period: 'vs 30 jours avant, hors aujourd’hui'. */
export const comparedWith = ({ days_earlier, is_without_today }: Comparison): string => {
  const then = days_earlier === 1 ? 'la veille' : `${formatNumber(days_earlier)} jours avant`
  return `vs ${then}${is_without_today ? ', hors aujourd’hui' : ''}`
}

/** Returns the name of the earlier days in a chart: '30 jours plus tôt'. */
export const daysBefore = ({ days_earlier }: Comparison): string =>
  days_earlier === 1 ? 'la veille' : `${formatNumber(days_earlier)} jours plus tôt`

/** Returns the key figures as texts, each with its change since the compared period. */
export const keyFigureLabels = ({
  now,
  compared,
  before,
  as_of,
}: KeyFiguresAnswer): KeyFigure[] => {
  // A figure is null either while it is being counted, or because filters exclude it or no time is known.
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
    change: changeInPoints(compared && shareOf(compared), before && shareOf(before)),
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
    countOf('Envoyés', 'nb_delivered'),
  ]
}

const timeText = (seconds: number, is_more: boolean): string =>
  `${is_more ? 'Au moins ' : ''}${formatDuration(seconds)}`

/** Returns the French sentence of a finding, with numbers formatted as in the charts. */
export const findingText = (finding: Finding): string => {
  switch (finding.kind) {
    case 'loss':
      return lossText(finding)
    case 'change':
      return changeText(finding)
    case 'result':
      return resultText(finding)
    case 'skipped':
      return `« ${finding.question_text} » est laissée vide par ${findingPercentage(finding)} des participants qui la voient (${findingShare(finding)}).`
    case 'slow':
      return `La moitié des participants mettent ${formatDuration(finding.median_seconds)} ou plus à finir.`
  }
}

type FindingOf<Kind extends Finding['kind']> = Extract<Finding, { kind: Kind }>
type Part = { count: number; total: number }

const findingPercentage = ({ count, total }: Part): string => formatPercentageOf(count, total)
const findingShare = ({ count, total }: Part): string => formatShare(count, total)

const lossText = (finding: FindingOf<'loss'>): string => {
  const { kind, page } = finding.step
  const [part, share] = [findingPercentage(finding), findingShare(finding)]
  if (kind === 'opened') return `${part} des visiteurs partent sans donner de réponse (${share}).`
  if (kind === 'began') return `La première page perd ${part} des visiteurs (${share}).`
  return `La page ${page} perd ${part} des visiteurs (${share}).`
}

const changeText = ({ counted, now, before, comparison }: FindingOf<'change'>): string => {
  const what = counted === 'participants' ? 'de participants' : 'de visites'
  const way = now > before ? 'plus' : 'moins'
  const when = comparison.is_without_today ? 'Hors aujourd’hui, ' : ''
  return `${when}${changeOf(now, before)?.by} ${what} de ${way} que ${daysBefore(comparison)}.`
}

const resultText = (finding: FindingOf<'result'>): string => {
  const { result_name, count, total } = finding
  const part = formatPercentageOf(count, total)
  if (count === 0)
    return `Personne n’obtient « ${result_name} », sur ${formatNumber(total)} participants.`
  return count * 2 > total
    ? `${part} des participants obtiennent « ${result_name} » (${findingShare(finding)}).`
    : `Presque personne n’obtient « ${result_name} » : ${part} des participants (${findingShare(finding)}).`
}

type DisplayedFigures = Pick<
  Figures,
  'nb_participants' | 'visits' | 'results' | 'questions' | 'grids' | 'duration'
>

/** Returns the input for the findings: the visible figures and their texts. */
export const findingsInput = (
  { results, questions, grids, ...figures }: DisplayedFigures,
  stats: Record<string, QuestionStats>,
  compared: FindingsInput['compared'],
): FindingsInput => ({
  ...figures,
  compared,
  results: results.filter(({ result_name }) => result_name !== NO_RESULT),
  questions: Object.entries(questions).flatMap(([id, { nb_seen, nb_answered }]) => {
    const text = stats[id]?.question_text
    if (text === undefined) return []
    const grid = grids.find((candidate) => candidate.questions.includes(id))
    return [{ question_text: rowText(grid?.title, text), nb_seen, nb_answered }]
  }),
})

/** Returns the compared key figures; null if there is nothing to compare. */
export const comparedInput = (answer: KeyFiguresAnswer | undefined): FindingsInput['compared'] => {
  const comparison = answer && comparisonOf(answer)
  return comparison && answer.compared && answer.before
    ? { comparison, now: answer.compared, before: answer.before }
    : null
}
