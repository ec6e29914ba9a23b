import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '@supabase/auth-js'
import { waitForResume } from '#web/api/paused-calls.ts'
import { createSessionStore } from './session-store.ts'

const userOf = (id: string): User => ({
  id,
  email: `${id}@exemple.fr`,
  app_metadata: {},
  user_metadata: {},
  aud: 'authenticated',
  created_at: '2026-01-01T00:00:00Z',
})
const [camille, dominique] = [userOf('camille'), userOf('dominique')]
const WHOLE = { isFactorMissing: false }

const storeOf = (firstOwner: User | null = null) => {
  const done: string[] = []
  const store = createSessionStore({
    firstOwner,
    clear: () => done.push('clear'),
    resume: () => done.push('resume'),
    restart: () => done.push('restart'),
  })
  return { store, done }
}

test('when a session ends by itself, its screen stays and its calls wait until the same account signs in', async () => {
  const { store, done } = storeOf()
  store.open(camille, WHOLE)
  store.end()
  assert.deepEqual([store.state().user, store.state().isEnded], [camille, true])
  const held = waitForResume()
  assert.ok(held)
  store.end()
  store.open(camille, WHOLE)
  assert.equal(await held, true)
  assert.equal(waitForResume(), undefined)
  assert.equal(store.state().isEnded, false)
  assert.deepEqual(done, ['resume'])
})

test('a sign-out closes the screen, also after the session has ended by itself', () => {
  for (const endsFirst of [false, true]) {
    const { store, done } = storeOf()
    store.open(camille, WHOLE)
    if (endsFirst) store.end()
    store.leave()
    store.end()
    assert.deepEqual([store.state().user, store.state().lostOwner], [null, null])
    assert.equal(waitForResume(), undefined)
    assert.ok(done.includes('clear'))
  }
})

test('a session that another tab reports during a sign-out is closed too, but the next session is not', () => {
  const { store } = storeOf()
  store.open(camille, WHOLE)
  store.leave()
  store.open(camille, WHOLE)
  store.end()
  assert.deepEqual([store.state().user, store.state().lostOwner], [null, null])
  assert.equal(waitForResume(), undefined)
  store.leave()
  store.open(camille, WHOLE)
  store.end()
  assert.equal(store.state().isEnded, true)
  store.abandon()
})

test('a sign-out while the stored session is being read closes that session', () => {
  const { store } = storeOf(camille)
  store.leave()
  store.end()
  assert.deepEqual([store.state().user, store.state().lostOwner], [null, null])
})

test('another account that signs in gets neither the screen nor the waiting calls', async () => {
  const { store, done } = storeOf()
  store.open(camille, WHOLE)
  store.end()
  const held = waitForResume()
  store.open(dominique, WHOLE)
  assert.equal(await held, false)
  assert.equal(store.state().user, camille)
  assert.deepEqual(done, ['restart'])
})

test('the login screen knows the owner of an ended session that the user left', async () => {
  const { store, done } = storeOf()
  store.open(camille, WHOLE)
  store.end()
  const held = waitForResume()
  store.abandon()
  assert.equal(await held, false)
  assert.deepEqual([store.state().user, store.state().lostOwner], [null, camille])
  assert.deepEqual(done, ['clear'])
  store.end()
  assert.equal(store.state().lostOwner, camille)
})

test('the calls of a session wait while the second factor is missing', async () => {
  const { store } = storeOf()
  store.open(camille, WHOLE)
  store.end()
  const held = waitForResume()
  store.open(camille, { isFactorMissing: true })
  assert.equal(waitForResume(), held)
  store.open(camille, WHOLE)
  assert.equal(await held, true)
})

test('a stored session that had ended before the page was opened is reported as lost', () => {
  const { store } = storeOf(camille)
  store.end()
  assert.deepEqual([store.state().isLoading, store.state().lostOwner], [false, camille])
})
