import { Lightbulb } from 'lucide-react'
import type { Figures } from '#contract/statistics/figures.ts'
import type { KeyFiguresAnswer } from '#contract/statistics/key-figures.ts'
import {
  type FindingsInput,
  findings,
  MIN_PARTICIPANTS_FOR_FINDINGS,
} from '#domain/statistics/findings.ts'
import { comparisonOf } from '#domain/statistics/periods.ts'
import { formatNumber, formatParticipants, MISSING } from '#web/statistics/format/format.ts'
import {
  type Change,
  comparedWith,
  findingText,
  type KeyFigure,
  keyFigureLabels,
} from './key-figure-labels.ts'

/**
 * Renders one or two sentences about the figures. The box stays without a finding, so that nothing moves when
 * participants arrive.
 */
export const Findings = ({ input }: { input: FindingsInput }) => {
  const findingTexts = findings(input).map(findingText)
  return (
    <section
      aria-label="En bref"
      className="flex min-h-24 break-inside-avoid items-center gap-3 rounded-xl bg-brand-wash px-4 py-3 sm:min-h-16 print:min-h-0"
    >
      <Lightbulb aria-hidden="true" className="size-4 shrink-0 text-brand" />
      {findingTexts.length === 0 ? (
        <p className="text-ink-2">{noFindingText(input)}</p>
      ) : (
        <ul className="flex min-w-0 flex-col gap-1 font-medium wrap-anywhere">
          {findingTexts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

const noFindingText = ({ nb_participants }: FindingsInput): string =>
  nb_participants < MIN_PARTICIPANTS_FOR_FINDINGS
    ? `À partir de ${MIN_PARTICIPANTS_FOR_FINDINGS} participants, ce que les chiffres ont de marquant est dit ici.`
    : 'Rien ne sort de l’ordinaire dans ces chiffres.'

/** Renders the key figures, with their changes since the earlier period if there is one. */
export const KeyFiguresList = ({
  answer,
  duration,
  hidesMissing = false,
}: {
  answer: KeyFiguresAnswer
  /** The number of participants whose time is known. */
  duration: Figures['duration'] | undefined
  /** True if unknown figures are left out. */
  hidesMissing?: boolean
}) => {
  const comparison = answer.before && comparisonOf(answer)
  const compared = comparison && comparedWith(comparison)
  const figures = keyFigureLabels(answer).filter(({ value }) => !hidesMissing || value !== MISSING)
  return (
    <ul className="grid grid-cols-2 gap-x-4 gap-y-5 tabular-nums sm:grid-cols-3 xl:grid-cols-6">
      {figures.map((figure) => (
        <Figure
          key={figure.name}
          figure={figure}
          compared={compared}
          note={figure.isTime && duration ? timedText(duration, answer.now.nb_participants) : null}
        />
      ))}
    </ul>
  )
}

const timedText = (
  { count }: NonNullable<Figures['duration']>,
  nb_participants: number | null,
): string | null =>
  nb_participants === null
    ? null
    : `médiane de ${formatParticipants(count)} sur ${formatNumber(nb_participants)}`

const Figure = ({
  figure,
  compared,
  note,
}: {
  figure: KeyFigure
  compared: string | null
  /** The text shown in place of a comparison. */
  note: string | null
}) => {
  const { name, value, change, isTime } = figure
  const isCompared = change && compared
  return (
    <li className="flex min-w-0 flex-col gap-1">
      <p className="min-h-8 text-xs text-ink-2">{name}</p>
      <p className="text-2xl leading-8 font-semibold tracking-tight wrap-anywhere">
        {value ?? <span className="text-base font-normal text-ink-2">Calcul en cours…</span>}
      </p>
      {/* Always two lines high, so that nothing moves when a period is compared. */}
      <p
        className={`min-h-8 text-xs ${isCompared && !isTime ? COLORS[change.direction] : 'text-ink-2'}`}
      >
        {isCompared ? <ChangeText change={change} compared={compared} /> : note}
      </p>
    </li>
  )
}

const COLORS = { up: 'text-ok', down: 'text-warn', same: 'text-ink-2' }

const ChangeText = ({
  change: { direction, by },
  compared,
}: {
  change: Change
  compared: string
}) =>
  direction === 'same' ? (
    `stable ${compared}`
  ) : (
    <>
      <span aria-hidden="true">{direction === 'up' ? '▲' : '▼'}</span>
      <span className="sr-only">{direction === 'up' ? 'en hausse de' : 'en baisse de'}</span> {by}{' '}
      {compared}
    </>
  )
