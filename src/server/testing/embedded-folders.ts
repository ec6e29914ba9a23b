import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findRunning } from '#server/db/embedded/postgres-process.ts'

const program = join(import.meta.dirname, 'embedded-process.ts')

/** Returns helpers that create data folders and database processes. `cleanUp` ends and deletes all of them. */
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
    /** Creates a data folder for one test. */
    newFolder: (): string => {
      const folder = mkdtempSync(join(tmpdir(), 'quizaine-embedded-'))
      folders.push(folder)
      return folder
    },
    spawnOn,
    /** Starts a database process on a folder. Waits for its first output, which is `said`, or for its exit. */
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

/** Runs one statement on a separate connection and returns its rows. */
export const query = async (connection: pg.ClientConfig, sql: string): Promise<unknown[]> => {
  const client = new pg.Client(connection)
  // A killed server ends its sessions, so the connection error is ignored.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
