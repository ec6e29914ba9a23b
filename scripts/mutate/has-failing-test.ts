import { spawn } from 'node:child_process'

/** Time after which a run of tests counts as failed. */
const MAX_DURATION_MS = 300_000

/** Command of Node in a copy of the repository. `env` adds to the environment, and `signal` ends the command early. */
type Command = { cwd: string; args: string[]; env?: NodeJS.ProcessEnv; signal?: AbortSignal }

/**
 * Returns true if a command fails. Ends the command at the first failing test of its report in the format TAP, at `signal`
 * or after five minutes. Returns false without a start if the signal was aborted before.
 */
export const hasFailed = ({ cwd, args, env, signal }: Command): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal?.aborted) {
      resolve(false)
      return
    }
    const stdio = ['ignore', 'pipe', 'ignore'] as const
    const child = spawn(process.execPath, args, {
      cwd,
      detached: true,
      env: { ...process.env, ...env },
      stdio: [...stdio],
    })
    const end = (): void => {
      if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    }
    const timer = setTimeout(end, MAX_DURATION_MS)
    signal?.addEventListener('abort', end, { once: true })
    child.stdout.on('data', (bytes: Buffer) => {
      if (/^\s*not ok /m.test(bytes.toString())) end()
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve(code !== 0)
    })
  })

/** Returns true if a test in these files fails in a copy of the repository. */
export const hasFailingTest = (
  files: string[],
  command: Omit<Command, 'args'>,
): Promise<boolean> => {
  const options = ['--test', '--test-concurrency=2', '--test-reporter=tap']
  return hasFailed({ ...command, args: [...options, ...files] })
}
