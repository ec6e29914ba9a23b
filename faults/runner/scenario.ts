import type { Engine } from './installation.ts'

/** Result of a scenario. */
export type ScenarioResult = {
  /** Number of completed rounds; most rounds inject one fault. */
  rounds: number
  nb_acknowledged: number
  /** Acknowledged submissions that are not stored. */
  nb_lost: number
  nb_duplicated: number
  /** Milliseconds from the end of each fault until all clients were served again. */
  recovery_times_ms: number[]
  /** Failed checks; empty if the product behaved as required. */
  failures: string[]
  /** Additional figures for the report. */
  notes: string[]
}

/** Options of one run of a scenario. */
export type ScenarioOptions = {
  engine: Engine
  rounds: number
  seconds: number
  /** Maximum recovery time in ms. */
  max_recovery_ms: number
  /** Time (`performance.now()`) after which no further round starts. */
  deadline: number
}

/** Scenario: breaks something while clients use the product, and checks how the product behaves. */
export type Scenario = {
  /** Identifier in docs/faults.md, such as F1. Several scenarios may have the same identifier. */
  fault: string
  /** Statement of what is broken and, if not obvious, what must hold. */
  name: string
  engines: readonly Engine[]
  /** Rounds of a full and of a short run; 0 skips the scenario. */
  rounds: { full: number; short: number }
  run: (options: ScenarioOptions) => Promise<ScenarioResult>
}

/** List of both database engines, for scenarios that run on each. */
export const BOTH_ENGINES: readonly Engine[] = ['embedded', 'external']

/** Creates an empty result. */
export const createResult = (): ScenarioResult => ({
  rounds: 0,
  nb_acknowledged: 0,
  nb_lost: 0,
  nb_duplicated: 0,
  recovery_times_ms: [],
  failures: [],
  notes: [],
})

/** Adds failures that the result does not have yet. */
export const addFailure = (result: ScenarioResult, ...texts: string[]): void => {
  for (const text of texts) if (!result.failures.includes(text)) result.failures.push(text)
}

/** Returns true if no submission was lost or duplicated and no check failed. */
export const hasPassed = ({ nb_lost, nb_duplicated, failures }: ScenarioResult): boolean =>
  nb_lost === 0 && nb_duplicated === 0 && failures.length === 0

/** Returns a quantile of unsorted numbers; NaN for an empty list. */
export const quantile = (figures: readonly number[], share: number): number =>
  figures.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(figures.length * share) - 1)] ??
  Number.NaN

/** Returns a duration in seconds with their unit, such as `1.5 s`. */
export const formatSeconds = (elapsed_ms: number): string => `${(elapsed_ms / 1_000).toFixed(1)} s`

/** Returns the report line of a scenario, followed by a line for each failure. */
export const formatReportLine = (
  { fault, name }: Scenario,
  engine: Engine,
  result: ScenarioResult,
): string => {
  const { rounds, nb_acknowledged, nb_lost, nb_duplicated, recovery_times_ms, failures, notes } =
    result
  const parts = [`${rounds} ${rounds === 1 ? 'round' : 'rounds'}`]
  if (nb_acknowledged > 0)
    parts.push(`${nb_acknowledged} acknowledged`, `${nb_lost} lost`, `${nb_duplicated} duplicated`)
  if (recovery_times_ms.length > 0)
    parts.push(
      `recovery p50 ${formatSeconds(quantile(recovery_times_ms, 0.5))}, max ${formatSeconds(Math.max(...recovery_times_ms))}`,
    )
  const line = `${hasPassed(result) ? 'ok  ' : 'FAIL'} ${fault} ${name} (${engine}): ${[...parts, ...notes].join(', ')}`
  return [line, ...failures.map((text) => `       ${text}`)].join('\n')
}
