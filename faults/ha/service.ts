import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Account } from '#server/db/embedded/postgres-account.ts'

/** Running program of the cluster. */
export type Service = {
  pid: number
  readOutput: () => string
  hasExited: () => boolean
  /** Kills the program (SIGKILL) and waits for its end. */
  kill: () => Promise<void>
}

const MAX_OUTPUT_LENGTH = 200_000

/** Starts a program with additional environment variables under an account; null is the account of this process. */
export const startService = (
  program: string,
  args: string[],
  env: Record<string, string>,
  account: Account = null,
): Service => {
  const child = spawn(program, args, {
    ...account,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: '/nonexistent', ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output = `${output}${text}`.slice(-MAX_OUTPUT_LENGTH)
    })
  child.on('error', (error) => {
    output += String(error)
  })
  const exited = once(child, 'exit')
  exited.catch(() => undefined)
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    pid: child.pid ?? 0,
    readOutput: () => output,
    hasExited,
    kill: async () => {
      if (hasExited() || child.pid === undefined) return
      child.kill('SIGKILL')
      await exited
    },
  }
}
