import { appendFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { loadTestRunner } from './load-test-runner.ts'

/**
 * Runs test files one after another in this process, so that they share loaded modules. Each file is a suite, because
 * its hooks then apply to its own tests only. Appends one JSON line with the duration of each file to `log_path`.
 */
export const runFiles = async (
  files: { name: string; path: string }[],
  log_path: string,
): Promise<void> => {
  const { runner, loadIntoSuite } = await loadTestRunner()
  const { after, mock, suite } = runner
  for (const { name, path } of files) {
    const env = { ...process.env }
    const started = performance.now()
    const ended = Promise.withResolvers<void>()
    suite(name, async () => {
      try {
        await loadIntoSuite(async () => {
          await import(pathToFileURL(path).href)
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
  }
}

/** Removes what a file left in the environment, because the next file expects its own defaults. */
const restoreEnvironment = (env: NodeJS.ProcessEnv): void => {
  for (const name of Object.keys(process.env))
    if (!(name in env)) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, env)
}
