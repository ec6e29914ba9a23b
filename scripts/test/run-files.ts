import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../imports.ts'
import { takeFiles } from './file-queue.ts'
import { loadTestRunner } from './load-test-runner.ts'

/**
 * Folder of a queue of test files, and how long a process takes files from it. `preload` is the address of a module whose
 * `prepareFile` runs before each file.
 */
export type QueueShare = {
  queue: string
  limit_ms: number | null
  log_path: string
  preload: string | null
}

/**
 * Runs test files of a queue one after another in this process, so that they share loaded modules. Takes no more files
 * after `limit_ms`; null means until the queue is empty. Each file is a suite, because its hooks then apply to its own
 * tests only. Appends one JSON line with the duration of each file to `log_path`.
 */
export const runFiles = async ({
  queue,
  limit_ms,
  log_path,
  preload,
}: QueueShare): Promise<void> => {
  const { runner, loadIntoSuite } = await loadTestRunner()
  const { after, mock, suite } = runner
  const { prepareFile } = (preload === null ? {} : await import(preload)) as {
    prepareFile?: (name: string) => void
  }
  for (const name of takeFiles(queue)) {
    prepareFile?.(name)
    const env = { ...process.env }
    const started = performance.now()
    const ended = Promise.withResolvers<void>()
    suite(name, async () => {
      try {
        await loadIntoSuite(async () => {
          await import(pathToFileURL(join(ROOT, name)).href)
          after(() => ended.resolve())
        })
      } catch (error) {
        ended.resolve()
        throw error
      }
    })
    await ended.promise
    mock.reset()
    mock.timers.reset()
    restoreEnvironment(env)
    const ms = Math.round(performance.now() - started)
    appendFileSync(log_path, `${JSON.stringify({ name, ms })}\n`)
    if (limit_ms !== null && performance.now() >= limit_ms) return
  }
}

/** Removes what a file left in the environment, because the next file expects its own defaults. */
const restoreEnvironment = (env: NodeJS.ProcessEnv): void => {
  for (const name of Object.keys(process.env))
    if (!(name in env)) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, env)
}
