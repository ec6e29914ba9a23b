import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findRunning } from '#server/db/embedded/postgres-process.ts'

const program = join(import.meta.dirname, 'embedded-process.ts')

/** Creates resources for tests of the embedded database; `cleanUp` removes them. */
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
    /** Creates a private data folder. */
    newFolder: (): string => {
      const folder = mkdtempSync(join(tmpdir(), 'quizaine-embedded-'))
      folders.push(folder)
      return folder
    },
    spawnOn,
    /** Starts another process on a folder. Returns its first output and its exit. */
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

/** Returns the rows of one statement on a separate connection. */
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
