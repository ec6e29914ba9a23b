import type { Engine } from './installation.ts'

/** What a scenario has seen. */
export type Seen = {
  /** How often the fault happened. */
  rounds: number
  acknowledged: number
  lost: number
  doubled: number
  /** ms from the end of each fault until everybody was served again. */
  recoveries: number[]
  /** Why it did not survive; nothing when it did. */
  wrong: string[]
  /** Figures worth saying beside. */
  notes: string[]
}

export type Options = {
  engine: Engine
  rounds: number
  seconds: number
  /** How long coming back may take. */
  patience_ms: number
  /** No round begins after this, by `performance.now()`. */
  until: number
}

/** One fault of the table, on one engine. */
export type Scenario = {
  /** As F1; several may share it. */
  fault: string
  name: string
  engines: readonly Engine[]
  /** Rounds of the whole run, and of the short one; 0 leaves it out of that. */
  rounds: { whole: number; short: number }
  run: (options: Options) => Promise<Seen>
}

export const BOTH: readonly Engine[] = ['embedded', 'external']

export const nothingSeen = (): Seen => ({
  rounds: 0,
  acknowledged: 0,
  lost: 0,
  doubled: 0,
  recoveries: [],
  wrong: [],
  notes: [],
})

/** Says once that something is wrong. */
export const blame = (seen: Seen, ...texts: string[]): void => {
  for (const text of texts) if (!seen.wrong.includes(text)) seen.wrong.push(text)
}

export const hasSurvived = ({ lost, doubled, wrong }: Seen): boolean =>
  lost === 0 && doubled === 0 && wrong.length === 0

export const quantile = (figures: readonly number[], share: number): number =>
  figures.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(figures.length * share) - 1)] ??
  Number.NaN

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** A scenario's line. */
export const lineOf = ({ fault, name }: Scenario, engine: Engine, seen: Seen): string => {
  const { rounds, acknowledged, lost, doubled, recoveries, wrong, notes } = seen
  const parts = [`${rounds} ${rounds === 1 ? 'round' : 'rounds'}`]
  if (acknowledged > 0)
    parts.push(`${acknowledged} acknowledged`, `${lost} lost`, `${doubled} doubled`)
  if (recoveries.length > 0)
    parts.push(
      `recovery p50 ${seconds(quantile(recoveries, 0.5))}, max ${seconds(Math.max(...recoveries))}`,
    )
  const line = `${hasSurvived(seen) ? 'ok  ' : 'FAIL'} ${fault} ${name} (${engine}): ${[...parts, ...notes].join(', ')}`
  return [line, ...wrong.map((text) => `       ${text}`)].join('\n')
}
