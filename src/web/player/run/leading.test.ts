import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sampleSnapshot } from '#web/player/testing/sample-snapshot.ts'
import { createRedirect } from './leading.ts'
import { NEW_RUN } from './run.ts'

const leading = (t: TestContext, may_leave: boolean) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const seen: string[] = []
  const changes: boolean[] = []
  const state = { may_leave }
  const led = createRedirect({
    mayLeave: () => state.may_leave,
    go: (address) => seen.push(address),
    onChange: () => changes.push(led.isLeading()),
  })
  const begin = (redirect_url: string | null = 'https://exemple.fr'): void => {
    const snapshot = sampleSnapshot()
    const [first] = snapshot.results
    if (first) led.begin(snapshot, { ...NEW_RUN, result: { ...first, redirect_url } })
  }
  return { led, begin, seen, changes, state, pass: (ms: number) => t.mock.timers.tick(ms) }
}

test('a visitor is redirected once, as soon as no answer can be lost', (t) => {
  const { led, begin, seen, pass } = leading(t, true)
  begin()
  assert.ok(led.isLeading())
  led.leave()
  pass(60_000)
  assert.deepEqual([seen, led.isLeading()], [['https://exemple.fr'], false])
})

test('the redirect happens five seconds after the result is shown at the latest', (t) => {
  const { begin, seen, pass } = leading(t, true)
  begin()
  pass(4_999)
  assert.deepEqual(seen, [])
  pass(1)
  assert.deepEqual(seen, ['https://exemple.fr'])
})

test('there is no redirect while the answers are neither acknowledged nor stored', (t) => {
  const { led, begin, seen, state, pass } = leading(t, false)
  begin()
  pass(60_000)
  assert.deepEqual(seen, [])
  state.may_leave = true
  led.leave()
  assert.deepEqual(seen, ['https://exemple.fr'])
})

test('a visitor who chooses to stay is not redirected', (t) => {
  const { led, begin, seen, changes, pass } = leading(t, true)
  begin()
  led.stay()
  led.leave()
  pass(60_000)
  assert.deepEqual([seen, changes], [[], [true, false]])
})

test('a result without a redirect address redirects nobody, and insertions in the address are filled in', (t) => {
  const { led, begin, seen } = leading(t, true)
  begin(null)
  assert.ok(!led.isLeading())
  begin('https://exemple.fr/{{résultat}}')
  led.leave()
  assert.deepEqual(seen, ['https://exemple.fr/Bas'])
})
