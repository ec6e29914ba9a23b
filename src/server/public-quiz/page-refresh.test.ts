import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createPageRefresh } from './public-pages.ts'

const lines: string[] = []
const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })

/** Refreshes the pages of a quiz, whose preparation is `work`. Returns the quizzes that were forgotten. */
const refresh = async (work: Promise<void>): Promise<string[]> => {
  const forgotten: string[] = []
  const versions = { forget: (id: string) => void forgotten.push(id) }
  await createPageRefresh({ versions, pages: { prepare: () => work }, log })('quiz')
  return forgotten
}

test('a stored change is answered although its pages are not rendered yet', {
  timeout: 60_000,
}, async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { promise: endless } = Promise.withResolvers<void>()
  const refreshed = refresh(endless)
  await Promise.resolve()
  t.mock.timers.tick(2_000)
  assert.deepEqual(await refreshed, ['quiz'])
  assert.deepEqual(lines, [])
})

test('pages that cannot be rendered are in the log, and the change stays', async () => {
  assert.deepEqual(await refresh(Promise.reject(new Error('no memory'))), ['quiz'])
  assert.match(lines.join(), /not built ahead/)
})
