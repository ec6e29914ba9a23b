import { execFileSync } from 'node:child_process'

/** Maximum bytes of the output of a program. The archive of the sources has about five megabytes. */
const MAX_OUTPUT_BYTES = 256 * 1024 ** 2

/** Runs a program and returns its output. Throws with the first lines of its errors if it fails. */
export const runProgram = (
  program: string,
  args: string[],
  { cwd, env }: { cwd: string; env?: NodeJS.ProcessEnv },
): Buffer => {
  try {
    return execFileSync(program, args, {
      cwd,
      env: env ?? process.env,
      maxBuffer: MAX_OUTPUT_BYTES,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (cause) {
    const { stdout, stderr, status, signal } = cause as {
      stdout?: Buffer
      stderr?: Buffer
      status?: number | null
      signal?: string | null
    }
    const output = `${stderr ?? ''}${stdout ?? ''}`.trim()
    const command = [program, ...args.slice(0, 2)].join(' ')
    throw new Error(`${command} failed (${status ?? signal ?? 'not started'}): ${output || cause}`)
  }
}

/** Runs git and returns its output without the last line break. */
export const git = (root: string, ...args: string[]): string =>
  runProgram('git', args, { cwd: root }).toString('utf8').trimEnd()
