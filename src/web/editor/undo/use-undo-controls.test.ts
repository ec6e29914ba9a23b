import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'

const listeners = new Map<string, (event: object) => void>()
// The module reads the document when it is loaded.
Object.assign(globalThis, {
  document: {
    getElementsByTagName: () => [],
    addEventListener: (type: string, listener: () => void) => listeners.set(type, listener),
    removeEventListener: (type: string) => listeners.delete(type),
  },
})
const { listenToUndoKeys } = await import('./use-undo-controls.ts')

const done: string[] = []
let end = (): void => undefined
beforeEach(() => {
  done.length = 0
  end = listenToUndoKeys({ undo: () => done.push('undo'), redo: () => done.push('redo') })
})
const focus = (target: string) => listeners.get('focusin')?.({ target })
const input = (target: string, isTrusted: boolean) =>
  listeners.get('input')?.({ target, isTrusted })
const press = (key: string, more: object = { ctrlKey: true }) =>
  listeners.get('keydown')?.({ key, target: 'field', preventDefault: () => undefined, ...more })

test('the shortcuts undo and redo, and other keys do nothing', () => {
  press('z')
  press('Z', { ctrlKey: true, shiftKey: true })
  press('y')
  press('z', { metaKey: true })
  press('z', { ctrlKey: true, altKey: true })
  press('z', {})
  press('x')
  assert.deepEqual(done, ['undo', 'redo', 'redo', 'undo'])
  end()
  assert.equal(listeners.size, 0)
})

test('a field keeps the undo of the browser from its first typed letter until the next focus', () => {
  focus('field')
  input('field', false)
  press('z')
  assert.deepEqual(done, ['undo'])
  input('field', true)
  press('z')
  assert.deepEqual(done, ['undo'])
  focus('other')
  focus('field')
  press('z')
  assert.deepEqual(done, ['undo', 'undo'])
})
