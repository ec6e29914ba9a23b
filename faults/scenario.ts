import type { Engine } from './installation.ts'

/** Result of a scenario. */
export type ScenarioResult = {
  /** Number of injected faults. */
  rounds: number
  acknowledged: number
  lost: number
  doubled: number
  /** Milliseconds from the end of each fault until all clients were served again. */
  recoveries: number[]
  /** Failures; empty if the product survived. */
  wrong: string[]
  /** Additional figures for the report. */
  notes: string[]
}

/** Options of one run of a scenario. */
export type ScenarioOptions = {
  engine: Engine
  rounds: number
  seconds: number
  /** Maximum recovery time in ms. */
  patience_ms: number
  /** Time (`performance.now()`) after which no round begins. */
  until: number
}

/** Scenario of one fault on one engine. */
export type Scenario = {
  /** Name of the fault, such as F1; several scenarios may share one. */
  fault: string
  name: string
  engines: readonly Engine[]
  /** Rounds of the whole and of the short run; 0 skips the scenario. */
  rounds: { whole: number; short: number }
  run: (options: ScenarioOptions) => Promise<ScenarioResult>
}

/** Engines of a scenario that runs on both. */
export const BOTH_ENGINES: readonly Engine[] = ['embedded', 'external']

/** Creates a result without rounds or failures. */
export const createResult = (): ScenarioResult => ({
  rounds: 0,
  acknowledged: 0,
  lost: 0,
  doubled: 0,
  recoveries: [],
  wrong: [],
  notes: [],
})

/** Records each failure once. */
export const addFailure = (result: ScenarioResult, ...texts: string[]): void => {
  for (const text of texts) if (!result.wrong.includes(text)) result.wrong.push(text)
}

/** Returns true if no submission was lost or doubled and no check failed. */
export const hasSurvived = ({ lost, doubled, wrong }: ScenarioResult): boolean =>
  lost === 0 && doubled === 0 && wrong.length === 0

/** Returns a quantile of unsorted figures; NaN if there are none. */
export const quantile = (figures: readonly number[], share: number): number =>
  figures.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(figures.length * share) - 1)] ??
  Number.NaN

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** Returns the report line of a scenario. */
export const formatResult = (
  { fault, name }: Scenario,
  engine: Engine,
  result: ScenarioResult,
): string => {
  const { rounds, acknowledged, lost, doubled, recoveries, wrong, notes } = result
  const parts = [`${rounds} ${rounds === 1 ? 'round' : 'rounds'}`]
  if (acknowledged > 0)
    parts.push(`${acknowledged} acknowledged`, `${lost} lost`, `${doubled} doubled`)
  if (recoveries.length > 0)
    parts.push(
      `recovery p50 ${seconds(quantile(recoveries, 0.5))}, max ${seconds(Math.max(...recoveries))}`,
    )
  const line = `${hasSurvived(result) ? 'ok  ' : 'FAIL'} ${fault} ${name} (${engine}): ${[...parts, ...notes].join(', ')}`
  return [line, ...wrong.map((text) => `       ${text}`)].join('\n')
}
