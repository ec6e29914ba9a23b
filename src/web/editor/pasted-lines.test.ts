import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pastedLines } from './pasted-lines.ts'

test('a list becomes its lines, whatever ends them', () =>
  assert.deepEqual(pastedLines(' Un \r\n\r\nDeux\rTrois\n'), ['Un', 'Deux', 'Trois']))

test('one line is pasted as any text', () => {
  assert.equal(pastedLines('Un, deux'), undefined)
  assert.equal(pastedLines('Un\n\n'), undefined)
  assert.equal(pastedLines(''), undefined)
})
