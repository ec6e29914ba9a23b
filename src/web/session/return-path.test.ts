import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { clearReturnPath, readReturnPath, saveReturnPath } from './return-path.ts'

const [camille, dominique] = [{ id: 'camille' }, { id: 'dominique' }]

beforeEach(() => {
  const entries = new Map<string, string>()
  Object.assign(globalThis, {
    sessionStorage: {
      getItem: (key: string) => entries.get(key) ?? null,
      setItem: (key: string, text: string) => void entries.set(key, text),
      removeItem: (key: string) => void entries.delete(key),
    },
  })
})

test('a path is opened after its own account has signed in, and the dashboard after another account', () => {
  saveReturnPath('/quiz/one/results', camille)
  assert.equal(readReturnPath(dominique), '/dashboard')
  assert.equal(readReturnPath(camille), '/quiz/one/results')
})

test('the return from Kit without a session is opened for any account, and no other path is saved', () => {
  saveReturnPath('/settings?convertkit=install', null)
  saveReturnPath('/quiz/one/results', null)
  assert.equal(readReturnPath(camille), '/settings?convertkit=install')
})

test('the creation from a public template without a session is opened for any account', () => {
  saveReturnPath('/quiz/create?modele=roue-de-la-vie', null)
  assert.equal(readReturnPath(camille), '/quiz/create?modele=roue-de-la-vie')
})

test('the dashboard is opened without a saved path', () => {
  assert.equal(readReturnPath(camille), '/dashboard')
  saveReturnPath('/settings', camille)
  clearReturnPath()
  assert.equal(readReturnPath(camille), '/dashboard')
})
