import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Account } from '#server/db/embedded/postgres-account.ts'

type RunOptions = {
  cwd?: string
  env: NodeJS.ProcessEnv
  /** Maximum duration in milliseconds, after which the program is ended. */
  timeout?: number
  /** Account of the program; null is the account of this process. */
  account?: Account
}

/** Runs a program and returns its standard and error output. Throws an error with this output if the program fails. */
export const runProgram = async (
  program: string,
  args: readonly string[],
  { account = null, ...options }: RunOptions,
): Promise<string> => {
  const child = spawn(program, args, { ...options, ...account })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text
    })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${output}`)
  return output
}
