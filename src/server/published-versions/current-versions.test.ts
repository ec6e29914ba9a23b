import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { openPool } from '#server/db/database.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createCurrentVersions } from './current-versions.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
const withdraw = (id: string) => client.quizzes.update({ id, body: { status: 'Brouillon' } })
const UNPUBLISHED = { kind: 'unpublished', version: null }
const WITHDRAWN = { kind: 'unpublished', version: 1 }
const FIRST = {
  kind: 'published',
  version: 1,
  consent: null,
  measure: null,
  is_mailed: false,
  country: 'FR' as const,
  slug: null,
  closed: null,
  opening: null,
  parameters: [],
  keeps_page: false,
  confirms_email: false,
}

/** Cache of one process with a clock that the test controls. */
const onClock = () => {
  const clock = { now: 0 }
  const versions = createCurrentVersions(app.db, { trusted_ms: 500, now: () => clock.now })
  return { clock, ...versions }
}

describe('the cache of current versions', () => {
  test('the cache of current versions answers concurrent calls with one query', async () => {
    const { find } = onClock()
    const [one, other] = [await publishedScoreQuiz(client), await readyScoreQuiz(client)]
    const nowhere = '00000000-0000-4000-8000-000000000000'
    const found = await Promise.all([one.id, other.id, nowhere, one.id].map(find))
    assert.deepEqual(found, [FIRST, UNPUBLISHED, { kind: 'missing' }, FIRST])
  })

  test('the cache of current versions answers without waiting until an entry expires', async () => {
    const { find, getFresh, clock } = onClock()
    const { id } = await publishedScoreQuiz(client)
    assert.equal(getFresh(id), undefined)
    await find(id)
    clock.now = 499
    assert.deepEqual(getFresh(id), FIRST)
    clock.now = 500
    assert.equal(getFresh(id), undefined)
  })

  test('the cache of current versions knows the last state of any age until a change is announced', async () => {
    const { find, forget, getKnown, clock } = onClock()
    const { id } = await publishedScoreQuiz(client)
    assert.equal(getKnown(id), undefined)
    await find(id)
    clock.now = 3_600_000
    assert.deepEqual(getKnown(id), FIRST)
    forget(id)
    assert.equal(getKnown(id), undefined)
  })

  test('the cache of current versions sees a withdrawal within a second even if its notice is lost', async () => {
    const { find, clock } = onClock()
    const { id } = await publishedScoreQuiz(client)
    await find(id)
    await withdraw(id)
    clock.now = 999
    assert.deepEqual(await find(id), WITHDRAWN)
  })

  test('the cache of current versions sees an announced change immediately', async () => {
    const { find, forget, getFresh } = onClock()
    const { id } = await publishedScoreQuiz(client)
    await find(id)
    await withdraw(id)
    forget(id)
    assert.equal(getFresh(id), undefined)
    assert.deepEqual(await find(id), WITHDRAWN)
  })

  test('a value that changed while it was read is not cached', async () => {
    const { find, forget, forgetAll, getFresh } = onClock()
    const { id } = await publishedScoreQuiz(client)
    for (const forgetVersion of [() => forget(id), forgetAll]) {
      const reading = find(id)
      // The query is sent in the next turn of the event loop.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      forgetVersion()
      await reading
      assert.equal(getFresh(id), undefined)
    }
  })

  test('the cache of current versions rejects waiting calls after a failure and does not cache the failure', async () => {
    const { id } = await publishedScoreQuiz(client)
    const away = openPool({ host: '/nowhere' }, pino({ level: 'silent' }))
    const broken = createCurrentVersions(away.db)
    const asked = await Promise.allSettled([broken.find(id), broken.find(id)])
    assert.deepEqual(
      asked.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    await away.close()
    assert.equal(broken.getFresh(id), undefined)
  })
})
