/**
 * Prints which files of the repository a call enters on the server: an autosave, a submission, a statistics call, a
 * publication and a delivery. A function counts if each of several runs enters it, so that timers do not count. Code that
 * runs when a module is imported does not count.
 */
import { join } from 'node:path'
import { startBrevo } from '../src/server/testing/fakes/brevo.ts'
import { freePort } from '../src/server/testing/network/proxies/free-port.ts'
import { startProcess } from '../src/server/testing/server-process.ts'
import { type EnteredFunction, identify, startRecorder } from './walk/entered-functions.ts'
import { connectInspector } from './walk/inspector.ts'
import { createSampleCalls, type SampleCall } from './walk/sample-calls.ts'

const MAX_FILES = 24
const WARM_UP_RUNS = 4
const MEASURED_RUNS = 5

/** Prints the files of each call, then a table of their counts. */
const measure = async (
  server: { pid: number; inspect_port: number },
  calls: readonly SampleCall[],
): Promise<void> => {
  const inspector = await connectInspector(server.pid, server.inspect_port)
  try {
    const recorder = await startRecorder(inspector, join(import.meta.dirname, '..'))
    const rows: { call: string; files: number; functions: number; goal: number }[] = []
    for (const sample of calls) {
      const runs: EnteredFunction[][] = []
      for (let run = 0; run < MEASURED_RUNS; run++) runs.push(await recorder.record(sample))
      const entered = await recorder.order(intersect(runs), sample)
      const files = printFiles(sample.name, entered)
      rows.push({ call: sample.name, files, functions: entered.length, goal: MAX_FILES })
    }
    console.log()
    console.table(rows)
  } finally {
    inspector.close()
  }
}

/** Returns the functions that every run entered. */
const intersect = ([first = [], ...others]: readonly EnteredFunction[][]): EnteredFunction[] => {
  const sets = others.map((run) => new Set(run.map(identify)))
  return first.filter((entered) => sets.every((set) => set.has(identify(entered))))
}

/** Prints the functions by file, and returns the number of files. */
const printFiles = (name: string, functions: readonly EnteredFunction[]): number => {
  const files = Map.groupBy(functions, ({ file }) => file)
  console.log(`\n${name}: ${files.size} files, ${functions.length} functions`)
  let rank = 0
  for (const [file, entered] of files) {
    rank += 1
    const names = entered.map((one) => `${one.name || '(callback)'}:${one.line}`)
    console.log(`${String(rank).padStart(3)}  ${file}\n       ${names.join(', ')}`)
  }
  return files.size
}

const brevo = await startBrevo({ flows: true })
const inspect_port = await freePort()
// Empty variables count as unset, so that rate limits and log have their values of production.
const server = await startProcess({
  ...brevo.env,
  RATE_LIMITS: '',
  LOG_LEVEL: '',
  NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspect_port}`,
})
// A full pipe would block the server.
server.child.stdout?.resume()
try {
  const calls = await createSampleCalls(server.origin, brevo)
  for (let run = 0; run < WARM_UP_RUNS; run++)
    for (const { prepare, call } of calls) {
      await prepare()
      await call()
    }
  await measure({ pid: server.child.pid ?? 0, inspect_port }, calls)
} finally {
  await server.end()
  await brevo.close()
}
