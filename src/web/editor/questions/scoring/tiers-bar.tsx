import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { Result } from '#domain/questionnaire/quiz.ts'
import { chartTiersOf, type Range, tierBoundariesOf } from '#domain/questionnaire/tiers.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { resultColorStyle } from '#web/ui/result-colors.ts'

/** Returns a range of totals as text, such as '3–5'. */
export const formatTotalRange = ({ from, to }: Range): string =>
  from === to ? `${from}` : `${from}–${to}`

/**
 * Shows the possible totals as a bar with a segment for each tier. The boundaries between tiers can be
 * dragged.
 */
const TiersBar = ({
  results,
  reachable,
  change,
}: {
  results: readonly Result[]
  /** Totals that are possible with the current scores. */
  reachable: Range
  change: ChangeQuestions
}) => {
  const bar = useRef<HTMLDivElement>(null)
  const tiers = chartTiersOf(results)
  const from = Math.min(0, reachable.from)
  const to = Math.max(reachable.to, ...tiers.map((tier) => tier.to), 1)
  // Each total is one unit wide, so that adjacent tiers (to 5, from 6) leave no gap.
  const share = (value: number): number => (value - from) / (to - from + 1)
  const percent = (value: number): string => `${share(value) * 100}%`
  if (tiers.length === 0) return null

  const valueAt = (x: number): number => {
    const box = bar.current?.getBoundingClientRect()
    if (!box || box.width === 0) return from
    return Math.round(from + ((x - box.left) / box.width) * (to - from + 1)) - 1
  }
  return (
    <div
      ref={bar}
      className="relative h-6.5 min-w-0 flex-1 rounded-md bg-press max-sm:order-last max-sm:basis-full sm:max-w-[35rem]"
    >
      {tiers.map((tier) => (
        <span
          key={tier.id}
          aria-hidden="true"
          title={`${tier.name} : ${formatTotalRange(tier)}`}
          className="result-tint absolute inset-y-0 truncate rounded-sm px-2 text-xs leading-6.5 text-ink"
          dir="auto"
          style={{
            ...resultColorStyle(tier.index),
            left: percent(tier.from),
            width: `max(3px, calc(${percent(tier.to + 1)} - ${percent(tier.from)} - 2px))`,
          }}
        >
          {formatTotalRange(tier)} {tier.name}
        </span>
      ))}
      {tierBoundariesOf(tiers).map(({ lower, upper }) => (
        <Boundary
          key={`${lower.id} ${upper.id}`}
          label={`Limite entre ${lower.name} et ${upper.name}`}
          value={lower.to}
          range={{ from: lower.from, to: upper.to - 1 }}
          left={percent(lower.to + 1)}
          valueAt={valueAt}
          onMove={(at) =>
            change({ type: 'boundary_moved', lower_id: lower.id, upper_id: upper.id, at })
          }
        />
      ))}
    </div>
  )
}

export default TiersBar

const KEYS: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }

/** Slider between two tiers, moved by dragging or with the arrow keys. */
const Boundary = ({
  label,
  value,
  range,
  left,
  valueAt,
  onMove,
}: {
  label: string
  value: number
  range: Range
  left: string
  valueAt: (x: number) => number
  onMove: (at: number) => void
}) => {
  const move = (newLimit: number): void => {
    const at = Math.max(range.from, Math.min(newLimit, range.to))
    if (at !== value) onMove(at)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const ends: Record<string, number> = { Home: range.from, End: range.to }
    const newLimit = ends[event.key] ?? (event.key in KEYS ? value + (KEYS[event.key] ?? 0) : null)
    if (newLimit === null) return
    event.preventDefault()
    move(newLimit)
  }
  const onPointerMove = (event: PointerEvent): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) move(valueAt(event.clientX))
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={range.from}
      aria-valuemax={range.to}
      aria-valuenow={value}
      aria-valuetext={`jusqu’à ${value}`}
      title={label}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      style={{ left }}
      className="absolute -inset-y-1 -ml-2.5 flex w-5 cursor-ew-resize touch-none items-center justify-center rounded-md pointer-coarse:-inset-y-2.5 pointer-coarse:-ml-5.5 pointer-coarse:w-11"
    >
      {/* The transparent border becomes visible with forced colours. */}
      <span className="h-5 w-1 rounded-full border border-transparent bg-ink-2" />
    </div>
  )
}
