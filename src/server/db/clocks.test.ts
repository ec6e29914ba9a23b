import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { warnOfClocks } from './clocks.ts'

const app = await createTestApp()
after(() => app.close())

/** Returns the warnings of a start with the clock of this machine `ahead_s` seconds ahead of the true time. */
const warningsOf = async (ahead_s = 0): Promise<[object, string][]> => {
  const warnings: [object, string][] = []
  const { now } = Date
  Date.now = () => now() + ahead_s * 1_000
  try {
    await warnOfClocks(app.pool, {
      warn: (details: object, message: string) => void warnings.push([details, message]),
    } as Parameters<typeof warnOfClocks>[1])
  } finally {
    Date.now = now
  }
  return warnings
}

test('clocks that agree cause no warning', async () => {
  assert.deepEqual(await warningsOf(), [])
  assert.deepEqual(await warningsOf(20), [])
})

test('a clock of this machine that is wrong causes one warning with the difference', async () => {
  for (const ahead_s of [-86_400, 7_200]) {
    const [[details, message] = [{}, ''], ...others] = await warningsOf(ahead_s)
    assert.deepEqual(others, [])
    assert.match(message, /^the clocks of this machine and of the database differ/)
    const { difference_s = 0 } = details as { difference_s?: number }
    assert.ok(Math.abs(difference_s + ahead_s) < 30, `${difference_s}`)
  }
})

test('an event in the future, left by a start with a wrong clock, causes one warning', async () => {
  await app.pool.query(
    "insert into audit_events (event, at) values ('process_started', now() + interval '3 years')",
  )
  const warnings = await warningsOf()
  assert.deepEqual(
    warnings.map(([, message]) => message),
    ['the newest event is in the future: a clock is or was wrong'],
  )
})
