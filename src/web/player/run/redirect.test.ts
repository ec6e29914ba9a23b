import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import '#web/player/testing/text-parts.ts'
import { sampleSnapshot } from '#web/player/testing/sample-snapshot.ts'
import { createRedirect } from './redirect.ts'
import { NEW_RUN } from './run.ts'

const createTestRedirect = (t: TestContext, may_leave: boolean) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const seen: string[] = []
  const changes: boolean[] = []
  const state = { may_leave }
  const redirect = createRedirect({
    mayLeave: () => state.may_leave,
    go: (address) => seen.push(address),
    onRedirectChange: () => changes.push(redirect.isActive()),
  })
  const begin = (redirect_url: string | null = 'https://exemple.fr'): void => {
    const snapshot = sampleSnapshot()
    const [first] = snapshot.results
    if (first) redirect.schedule(snapshot, { ...NEW_RUN, result: { ...first, redirect_url } })
  }
  return { redirect, begin, seen, changes, state, pass: (ms: number) => t.mock.timers.tick(ms) }
}

test('a visitor is redirected once, as soon as no answer can be lost', (t) => {
  const { redirect, begin, seen, pass } = createTestRedirect(t, true)
  begin()
  assert.ok(redirect.isActive())
  redirect.follow()
  pass(60_000)
  assert.deepEqual([seen, redirect.isActive()], [['https://exemple.fr'], false])
})

test('the redirect happens five seconds after the result is shown at the latest', (t) => {
  const { begin, seen, pass } = createTestRedirect(t, true)
  begin()
  pass(4_999)
  assert.deepEqual(seen, [])
  pass(1)
  assert.deepEqual(seen, ['https://exemple.fr'])
})

test('there is no redirect while the answers are neither acknowledged nor stored', (t) => {
  const { redirect, begin, seen, state, pass } = createTestRedirect(t, false)
  begin()
  pass(60_000)
  assert.deepEqual(seen, [])
  state.may_leave = true
  redirect.follow()
  assert.deepEqual(seen, ['https://exemple.fr'])
})

test('a followed redirect is announced no longer, because a frame may refuse it and show its link', (t) => {
  const { redirect, begin, seen, changes, pass } = createTestRedirect(t, true)
  begin()
  redirect.follow()
  pass(60_000)
  assert.deepEqual([seen, changes], [['https://exemple.fr'], [true, false]])
})

test('a visitor who chooses to stay is not redirected', (t) => {
  const { redirect, begin, seen, changes, pass } = createTestRedirect(t, true)
  begin()
  redirect.dismiss()
  redirect.follow()
  pass(60_000)
  assert.deepEqual([seen, changes], [[], [true, false]])
})

test('a result without a redirect address does not redirect, and insertions in the address are filled in', (t) => {
  const { redirect, begin, seen } = createTestRedirect(t, true)
  begin(null)
  assert.ok(!redirect.isActive())
  begin('https://exemple.fr/{{résultat}}')
  redirect.follow()
  assert.deepEqual(seen, ['https://exemple.fr/Bas'])
})
