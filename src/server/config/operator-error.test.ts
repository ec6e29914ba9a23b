import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { ConfigError } from './config.ts'
import { printFailure } from './operator-error.ts'

const systemError = (): unknown => {
  try {
    return readFileSync('/no/such/folder/secret.key')
  } catch (error) {
    return error
  }
}

describe('the reason why a process ends', () => {
  const rows: [name: string, error: unknown, printed: unknown][] = [
    [
      'a mistake of the operator is its message',
      new ConfigError('PORT: too large'),
      'PORT: too large',
    ],
    [
      'an error of the system is its message',
      systemError(),
      "ENOENT: no such file or directory, open '/no/such/folder/secret.key'",
    ],
  ]
  for (const [name, error, printed] of rows)
    test(name, (t) => {
      const print = t.mock.method(console, 'error', () => undefined)
      printFailure(error)
      assert.deepEqual(
        print.mock.calls.map((call) => call.arguments),
        [[printed]],
      )
    })

  test('any other error keeps its stack', (t) => {
    const print = t.mock.method(console, 'error', () => undefined)
    const error = new TypeError('a mistake of ours')
    printFailure(error)
    assert.equal(print.mock.calls[0]?.arguments[0], error)
  })
})
