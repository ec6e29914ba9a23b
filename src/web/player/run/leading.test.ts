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

test('a visitor is led on as soon as nothing is lost by it, and once', (t) => {
  const { led, begin, seen, pass } = leading(t, true)
  begin()
  assert.ok(led.isLeading())
  led.leave()
  pass(60_000)
  assert.deepEqual([seen, led.isLeading()], [['https://exemple.fr'], false])
})

test('at the latest five seconds after the result is shown', (t) => {
  const { begin, seen, pass } = leading(t, true)
  begin()
  pass(4_999)
  assert.deepEqual(seen, [])
  pass(1)
  assert.deepEqual(seen, ['https://exemple.fr'])
})

test('never while the answers are neither acknowledged nor kept', (t) => {
  const { led, begin, seen, state, pass } = leading(t, false)
  begin()
  pass(60_000)
  assert.deepEqual(seen, [])
  state.may_leave = true
  led.leave()
  assert.deepEqual(seen, ['https://exemple.fr'])
})

test('who stays is not led on', (t) => {
  const { led, begin, seen, changes, pass } = leading(t, true)
  begin()
  led.stay()
  led.leave()
  pass(60_000)
  assert.deepEqual([seen, changes], [[], [true, false]])
})

test('a result that leads nowhere leads nobody, and an address has what it inserts', (t) => {
  const { led, begin, seen } = leading(t, true)
  begin(null)
  assert.ok(!led.isLeading())
  begin('https://exemple.fr/{{résultat}}')
  led.leave()
  assert.deepEqual(seen, ['https://exemple.fr/Bas'])
})
