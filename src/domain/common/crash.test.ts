import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '#domain/testing/linear-time.ts'
import { cleanCrashMessage } from './crash.ts'

test('the message of an error keeps the names of the code', () => {
  for (const message of [
    "Cannot read properties of undefined (reading 'answers')",
    'Minified React error #31',
    "Failed to execute 'removeChild' on 'Node'",
    'x.map is not a function',
  ])
    assert.equal(cleanCrashMessage(message), message)
})

test('the message of an error keeps nothing that a person may have typed', () => {
  const cases = [
    [
      'Unexpected token B, "Bonjour Marie" is not valid JSON',
      'Unexpected token B, "…" is not valid JSON',
    ],
    ['No lea@exemple.fr here', 'No … here'],
    ['See https://react.dev/errors/31?args[]=Marie', 'See …'],
    ['Tel 0612345678', 'Tel …'],
    ['Réponse de Zoé', '… de …'],
    ['a\u0000b\nc', '… c'],
    ['/quiz/0b1c', '…'],
  ] as const
  for (const [message, cleaned] of cases) assert.equal(cleanCrashMessage(message), cleaned)
})

test('the message of an error is short, and cleaning it takes linear time', () => {
  for (const sign of ['"', "'a", '@', '9', '/', ' ', 'é']) {
    assert.ok(cleanCrashMessage(sign.repeat(1_000_000)).length <= 200)
    assertLinear(cleanCrashMessage, (length) => sign.repeat(length), 1_000_000)
  }
})
