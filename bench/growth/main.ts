/**
 * Compares a large database (10,000 creators with 20 quizzes each, 10,000,000 participants of one quiz; `--creators`,
 * `--quizzes`, `--responses`) with a small one (one creator, 1,000 participants). Calls are made on both alternately.
 * `npm run bench:growth`; `--data FOLDER` keeps the databases for the next run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfStale } from '../server.ts'
import { measureCalls } from './calls.ts'
import {
  type ComparedServer,
  databaseFoldersOf,
  type Size,
  startComparedServer,
} from './compared-server.ts'
import { reportDisk } from './disk.ts'

const NB_RESPONSES_SMALL = 1_000

const { values } = parseArgs({
  options: {
    responses: { type: 'string', default: '10000000' },
    creators: { type: 'string', default: '10000' },
    quizzes: { type: 'string', default: '20' },
    data: { type: 'string' },
  },
})
const creators = Number(values.creators)
const quizzes = Number(values.quizzes)
const responses = Number(values.responses)
const data = values.data ?? mkdtempSync(join(tmpdir(), 'quizaine-growth-'))
const folders = databaseFoldersOf(data)

buildIfStale()

const opened: ComparedServer[] = []
const open = async (folder: string, size: Size): Promise<ComparedServer> => {
  const side = await startComparedServer(folder, size)
  opened.push(side)
  return side
}
try {
  const small = await open(folders.small, { creators: 1, quizzes, responses: NB_RESPONSES_SMALL })
  const big = await open(folders.big, { creators, quizzes, responses })
  await measureCalls(big, small)
  await reportDisk(big)
} finally {
  for (const side of opened) await side.close()
  if (!values.data) rmSync(data, { recursive: true, force: true })
}
