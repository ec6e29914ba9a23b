import type { Engine } from './installation.ts'

/** Observations of a scenario. */
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

export type Options = {
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
  run: (options: Options) => Promise<ScenarioResult>
}

export const BOTH: readonly Engine[] = ['embedded', 'external']

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

export const hasSurvived = ({ lost, doubled, wrong }: ScenarioResult): boolean =>
  lost === 0 && doubled === 0 && wrong.length === 0

export const quantile = (figures: readonly number[], share: number): number =>
  figures.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(figures.length * share) - 1)] ??
  Number.NaN

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** Returns the report line of a scenario. */
export const lineOf = (
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
