import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PHONE_PATTERN } from './field-formats.ts'

test('a phone number has at least six digits, with any characters between them', () => {
  const field = new RegExp(`^(?:${PHONE_PATTERN})$`, 'v')
  for (const text of ['06 12 34 56 78', '+33 (0)6.12.34', '123456']) assert.match(text, field)
  for (const text of ['12345', 'non', '06-12', '']) assert.doesNotMatch(text, field)
})
