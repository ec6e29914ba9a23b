import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 10_000

/** Starts a program and returns it with the first match of `pattern` in its output. */
export const startProgram = async (
  command: string,
  { args, env, pattern }: { args: string[]; env?: NodeJS.ProcessEnv; pattern: RegExp },
): Promise<{ child: ChildProcess; match: string }> => {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const endWithParent = (): unknown => child.kill('SIGTERM')
  process.once('exit', endWithParent)
  child.once('exit', () => process.off('exit', endWithParent))
  let output = ''
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const fail = (reason: string) => reject(new Error(`${command} ${reason}: ${output}`))
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text
      const found = pattern.exec(output)
      if (found) resolve(found[1] ?? found[0])
    })
  child.once('error', reject)
  child.once('exit', () => fail('ended'))
  const timer = setTimeout(() => fail('did not become ready'), START_TIMEOUT_MS)
  const match = await promise.finally(() => clearTimeout(timer))
  return { child, match }
}

/** Stops a program and waits for its end. Its output is closed, because its own processes may end later. */
export const stopProgram = async (child: ChildProcess): Promise<void> => {
  child.stdout?.destroy()
  child.stderr?.destroy()
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
}

/** Repeats `attempt` until it returns a value. Throws `explain()` after `timeout_ms`. */
export const poll = async <T>(
  attempt: () => Promise<T | undefined>,
  explain: () => string,
  timeout_ms = 30_000,
): Promise<T> => {
  const deadline = performance.now() + timeout_ms
  for (;;) {
    const value = await attempt()
    if (value !== undefined) return value
    if (performance.now() > deadline) throw new Error(explain())
    await pause(50)
  }
}
