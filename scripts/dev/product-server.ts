import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from '../imports.ts'

/** Line that the server prints when it answers. */
const READY = /^Quizaine \S+ is ready on/m

/** The product's server as a child process. */
export type ProductServer = {
  /** Stops the server if it runs, and starts it again. Calls during a restart lead to one more restart. */
  restart: () => Promise<void>
  /** Resolves when no restart is under way. The server then answers, or has ended with an error. */
  settled: () => Promise<unknown>
  stop: () => Promise<void>
}

/** Creates the child process of `scripts/dev/server-main.ts` with an environment. `restart` starts it. */
export const createProductServer = (env: NodeJS.ProcessEnv): ProductServer => {
  let child: ChildProcess | undefined
  let hasEnded = false
  let restarting: Promise<void> = Promise.resolve()
  let isQueued = false

  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [join(import.meta.dirname, 'server-main.ts')], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'), ...env },
    })
    child = started
    const { promise: answers, resolve } = Promise.withResolvers<void>()
    started.stdout?.on('data', (output: Buffer) => {
      process.stdout.write(output)
      if (READY.test(output.toString())) resolve()
    })
    started.once('exit', (code) => {
      if (child === started) child = undefined
      if (!hasEnded && code !== 0)
        console.log('The server has ended. The next change of its files starts it again.')
      resolve()
    })
    await answers
  }
  const end = async (): Promise<void> => {
    if (!child) return
    const exited = once(child, 'exit')
    // A second signal would make the server exit at once.
    if (!child.killed) child.kill('SIGTERM')
    await exited
  }

  return {
    restart: () => {
      if (isQueued) return restarting
      isQueued = true
      restarting = restarting.then(async () => {
        await end()
        isQueued = false
        if (!hasEnded) await start()
      })
      return restarting
    },
    settled: () => restarting,
    stop: async () => {
      hasEnded = true
      // A server that is starting ends too, which ends the restart.
      await Promise.all([end(), restarting])
      await end()
    },
  }
}
