import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUpCreator } from '../../bench/creator.ts'
import { check } from '../check.ts'
import { type Engine, openInstallation } from '../installation.ts'
import { startLoad } from '../load.ts'
import { nbHandles, residentMb } from '../processes.ts'
import { addFailure, createResult, quantile, type ScenarioResult } from '../scenario.ts'

/** G22: soak test. Measures which resources grow, and how fast. */

const SAMPLE_MS = 2_000
/** Share of the run for warm-up. */
const WARM_UP = 0.3
const VISITORS = 16
const THINK_MS = 20
const MAX_P99_MS = 300

type Sample = { at: number; resident_mb: number; handles: number; disk_mb: number; p99_ms: number }

/** Returns the growth per hour by linear regression. */
const slopeOf = (samples: readonly { at: number; value: number }[]): number => {
  const count = samples.length
  const meanAt = samples.reduce((sum, { at }) => sum + at, 0) / count
  const mean = samples.reduce((sum, { value }) => sum + value, 0) / count
  const above = samples.reduce((sum, { at, value }) => sum + (at - meanAt) * (value - mean), 0)
  const below = samples.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0)
  return (above / below) * 3_600_000
}

const diskMb = (folder: string): number =>
  Number(spawnSync('du', ['-sk', folder], { encoding: 'utf8' }).stdout.split('\t')[0]) / 1_024

/** Runs the load for a long time, and reports how memory, handles, disk and latency change per hour. */
export const soak = async ({
  engine,
  seconds,
}: {
  engine: Engine
  seconds: number
}): Promise<ScenarioResult> => {
  const result = createResult()
  const installation = await openInstallation({ engine })
  try {
    const { origin, pid } = await installation.start()
    const client = await signUpCreator(origin)
    const quiz = await publishedScoreQuiz(client)
    const load = startLoad({ origin, quiz, client, visitors: VISITORS, think_ms: THINK_MS })
    const samples: Sample[] = []
    const began = performance.now()
    while (performance.now() - began < seconds * 1_000) {
      load.record.latencies.length = 0
      await pause(SAMPLE_MS)
      samples.push({
        at: performance.now() - began,
        resident_mb: residentMb(pid),
        handles: nbHandles(pid),
        disk_mb: diskMb(installation.data_dir),
        p99_ms: quantile(load.record.latencies, 0.99),
      })
    }
    await load.finish()
    result.rounds = 1
    const settled = samples.slice(Math.floor(samples.length * WARM_UP))
    const slope = (name: keyof Sample) =>
      slopeOf(settled.map((sample) => ({ at: sample.at, value: sample[name] })))
    const ends = (name: keyof Sample) =>
      `${settled[0]?.[name].toFixed(0)} → ${settled.at(-1)?.[name].toFixed(0)}`
    const p99 = quantile(
      settled.map((one) => one.p99_ms),
      0.5,
    )
    const per_second = Math.round(load.record.sent.size / seconds)
    result.notes.push(
      `${seconds} s at ${per_second} submissions/s`,
      `memory ${ends('resident_mb')} MB (${slope('resident_mb').toFixed(1)} MB/h)`,
      `handles ${ends('handles')} (${slope('handles').toFixed(1)}/h)`,
      `disk ${ends('disk_mb')} MB (${slope('disk_mb').toFixed(0)} MB/h)`,
      `p99 ${p99.toFixed(0)} ms (${slope('p99_ms').toFixed(0)} ms/h)`,
    )
    if (p99 > MAX_P99_MS) addFailure(result, `p99 is ${p99.toFixed(0)} ms`)
    const checked = await check(installation, { quiz, log: load.record })
    Object.assign(result, {
      ...checked,
      wrong: [...result.wrong, ...checked.wrong, ...load.record.wrong],
    })
    if (load.record.nb_broken > 0) addFailure(result, `${load.record.nb_broken} connections broke`)
  } finally {
    await installation.cleanUp()
  }
  return result
}
