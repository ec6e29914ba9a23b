import { type CSSProperties, useId } from 'react'
import { formatPercentageOf, formatShare } from '#web/statistics/format/format.ts'
import { fillClass } from '#web/ui/result-colors.ts'
import { percentOf } from './geometry.ts'
import './charts.css'

/** A step of a funnel. */
export type FunnelLine = {
  text: string
  count: number
  /** Number of visits that ended at this step; null if unknown. */
  stopped: number | null
  isWorst: boolean
  /** Number of steps that are left out before this one. */
  nb_folded: number
}

type Props = {
  lines: readonly FunnelLine[]
  /** True if the steps stand side by side on screens with enough room. */
  isWide: boolean
}

/**
 * Renders how many visits reached each step: solid for those that continued, hatched for those that ended there. The
 * step with the largest loss says so.
 */
export const Funnel = ({ lines, isWide }: Props) => {
  const hatch = useId()
  const all = lines[0]?.count ?? 0
  const steps: CSSProperties & Record<'--steps', number> = { '--steps': lines.length }
  return (
    <>
      <svg aria-hidden="true" className="absolute size-0">
        <defs>
          <Hatch id={hatch} className="stroke-d1" />
          <Hatch id={`${hatch}-worst`} className="stroke-d2" />
        </defs>
      </svg>
      <ol
        style={steps}
        className={`flex flex-col gap-3 ${isWide ? 'sm:grid sm:grid-cols-[repeat(var(--steps),minmax(0,1fr))] sm:gap-1.5' : ''}`}
      >
        {lines.map((line) => (
          <Step key={line.text} line={line} all={all} isWide={isWide} hatch={hatch} />
        ))}
      </ol>
    </>
  )
}

const Hatch = ({ id, className }: { id: string; className: string }) => (
  <pattern
    id={id}
    width="6"
    height="6"
    patternUnits="userSpaceOnUse"
    patternTransform="rotate(45)"
    className={className}
  >
    <line x1="1" x2="1" y2="6" strokeWidth="2" />
  </pattern>
)

type StepProps = { line: FunnelLine; all: number; isWide: boolean; hatch: string }

const Step = ({ line, all, isWide, hatch }: StepProps) => {
  const { text, count, stopped, isWorst, nb_folded } = line
  return (
    <li className={`flex min-w-0 break-inside-avoid flex-col ${isWide ? 'sm:gap-1' : ''}`}>
      {nb_folded > 0 && (
        <span className="pb-2 text-xs text-ink-3">
          {nb_folded > 1 ? `… ${nb_folded} étapes repliées` : '… une étape repliée'}
        </span>
      )}
      <span
        className={`flex flex-wrap items-baseline justify-between gap-x-4 ${isWide ? 'sm:order-last sm:flex-col sm:items-center sm:text-center' : ''}`}
      >
        <span className="min-w-0 wrap-anywhere" dir="auto">
          {text}
        </span>
        <span className={`text-ink-2 tabular-nums max-sm:ml-auto ${isWide ? '' : 'ml-auto'}`}>
          {formatShare(count, all)} · {formatPercentageOf(count, all)}
        </span>
      </span>
      <Bar line={line} all={all} isWide={isWide} hatch={isWorst ? `${hatch}-worst` : hatch} />
      {stopped !== null && stopped > 0 && (
        <span
          className={`text-xs ${isWide ? 'sm:order-last sm:text-center' : ''} ${isWorst ? 'font-semibold text-warn' : 'text-ink-2'}`}
        >
          {formatPercentageOf(stopped, count)} {stopped > 1 ? 's’arrêtent' : 's’arrête'} ici
          {isWorst && ' : la plus grosse perte'}
        </span>
      )}
    </li>
  )
}

const Bar = ({ line, all, isWide, hatch }: StepProps) => {
  const reached_percent = percentOf(line.count, all)
  const continued_percent = percentOf(line.count - (line.stopped ?? 0), all)
  return (
    <>
      <svg aria-hidden="true" className={`my-1 block h-3 w-full ${isWide ? 'sm:hidden' : ''}`}>
        <rect width="100%" height="100%" rx={4} className="fill-press" />
        <rect width={`${reached_percent}%`} height="100%" rx={4} fill={`url(#${hatch})`} />
        <rect
          width={`${continued_percent}%`}
          height="100%"
          rx={4}
          className={`chart-bar ${fillClass(0)}`}
        />
      </svg>
      {isWide && (
        <svg aria-hidden="true" className="hidden h-36 w-full sm:block">
          <rect
            y={`${100 - reached_percent}%`}
            width="100%"
            height={`${reached_percent}%`}
            rx={4}
            fill={`url(#${hatch})`}
          />
          <rect
            y={`${100 - continued_percent}%`}
            width="100%"
            height={`${continued_percent}%`}
            rx={4}
            className={fillClass(0)}
          />
          <line y1="100%" x2="100%" y2="100%" className="stroke-field" />
        </svg>
      )}
    </>
  )
}
