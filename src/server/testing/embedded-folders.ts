import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findRunning } from '#server/db/embedded/postgres-process.ts'

const program = join(import.meta.dirname, 'embedded-process.ts')

/** What a test of the embedded database leaves behind, and `cleanUp` takes away, whatever failed. */
export const createEmbeddedFolders = () => {
  const folders: string[] = []
  const children: ChildProcess[] = []

  const spawnOn = (data_dir: string): ChildProcess => {
    const child = spawn(process.execPath, [program, data_dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    return child
  }

  return {
    /** A data folder of the test's own, closed to other accounts. */
    newFolder: (): string => {
      const folder = mkdtempSync(join(tmpdir(), 'quizaine-embedded-'))
      folders.push(folder)
      return folder
    },
    spawnOn,
    /** Another process on a folder: what it says first, and how to wait for its end. */
    startProcess: async (data_dir: string) => {
      const child = spawnOn(data_dir)
      const exited = once(child, 'exit')
      const first = await Promise.race([once(child.stdout ?? child, 'data'), exited])
      return { child, exited, said: String(first[0]).trim() }
    },
    cleanUp: (): void => {
      for (const child of children) child.kill('SIGKILL')
      for (const folder of folders) {
        const left = findRunning(folder)
        if (left) process.kill(left, 'SIGKILL')
        rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
      }
    },
  }
}

/** The rows of one statement, on a connection of its own. */
export const query = async (connection: pg.ClientConfig, sql: string): Promise<unknown[]> => {
  const client = new pg.Client(connection)
  // A server that a test kills ends its sessions too; their statements tell.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
