import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUpCreator } from '../../bench/creator.ts'
import { compareWithDatabase } from '../runner/compare-with-database.ts'
import { type Engine, openInstallation } from '../runner/installation.ts'
import { startLoad } from '../runner/load.ts'
import { countFileDescriptors, residentMemoryMb } from '../runner/processes.ts'
import { addFailure, createResult, quantile, type ScenarioResult } from '../runner/scenario.ts'

const SAMPLE_MS = 2_000
/** Share of the samples that is ignored as warm-up. */
const WARM_UP_SHARE = 0.3
const VISITORS = 16
const THINK_MS = 20
const MAX_P99_MS = 300

type Sample = {
  at: number
  resident_mb: number
  file_descriptors: number
  disk_mb: number
  p99_ms: number
}

/** Returns the slope of a linear regression, per hour. */
const slopeOf = (samples: readonly { at: number; value: number }[]): number => {
  const count = samples.length
  const meanAt = samples.reduce((sum, { at }) => sum + at, 0) / count
  const mean = samples.reduce((sum, { value }) => sum + value, 0) / count
  const covariance = samples.reduce((sum, { at, value }) => sum + (at - meanAt) * (value - mean), 0)
  const variance = samples.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0)
  return (covariance / variance) * 3_600_000
}

const diskMb = (folder: string): number =>
  Number(spawnSync('du', ['-sk', folder], { encoding: 'utf8' }).stdout.split('\t')[0]) / 1_024

/** Runs the load for `seconds`, and reports how memory, file descriptors, disk use and latency change per hour. */
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
      load.log.latencies.length = 0
      await pause(SAMPLE_MS)
      samples.push({
        at: performance.now() - began,
        resident_mb: residentMemoryMb(pid),
        file_descriptors: countFileDescriptors(pid),
        disk_mb: diskMb(installation.data_dir),
        p99_ms: quantile(load.log.latencies, 0.99),
      })
    }
    await load.finish()
    result.rounds = 1
    const measured = samples.slice(Math.floor(samples.length * WARM_UP_SHARE))
    const slope = (name: keyof Sample) =>
      slopeOf(measured.map((sample) => ({ at: sample.at, value: sample[name] })))
    const firstAndLast = (name: keyof Sample) =>
      `${measured[0]?.[name].toFixed(0)} → ${measured.at(-1)?.[name].toFixed(0)}`
    const p99 = quantile(
      measured.map((figures) => figures.p99_ms),
      0.5,
    )
    const per_second = Math.round(load.log.submissions.size / seconds)
    result.notes.push(
      `${seconds} s at ${per_second} submissions/s`,
      `memory ${firstAndLast('resident_mb')} MB (${slope('resident_mb').toFixed(1)} MB/h)`,
      `file descriptors ${firstAndLast('file_descriptors')} (${slope('file_descriptors').toFixed(1)}/h)`,
      `disk ${firstAndLast('disk_mb')} MB (${slope('disk_mb').toFixed(0)} MB/h)`,
      `p99 ${p99.toFixed(0)} ms (${slope('p99_ms').toFixed(0)} ms/h)`,
    )
    if (p99 > MAX_P99_MS) addFailure(result, `p99 is ${p99.toFixed(0)} ms`)
    const comparison = await compareWithDatabase(installation, { quiz, log: load.log })
    Object.assign(result, {
      ...comparison,
      failures: [...result.failures, ...comparison.failures, ...load.log.failures],
    })
    if (load.log.nb_broken > 0) addFailure(result, `${load.log.nb_broken} connections broke`)
  } finally {
    await installation.cleanUp()
  }
  return result
}
