import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findInvalidKey } from './read-quiz-file.ts'

const noPause = async (): Promise<void> => undefined

for (const [json, path] of [
  ['{"a":1,"a":2}', 'a'],
  ['{"a":{"b":[0,{"c":1,"d":{},"c":3}]}}', 'a.b.1.c'],
  ['[{"a":1},{"a":1,"b":"a","a":2}]', '1.a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"x":{"__proto__":{"is_admin":true}}}', 'x.__proto__'],
  ['{"\\u005f_proto__":1}', '__proto__'],
  ['{"constructor":1}', 'constructor'],
  ['{"a\\\\":1,"a\\\\":2}', 'a\\'],
  ['{"a\\"":"}","a\\"":0}', 'a"'],
] as const)
  test(`the JSON ${json} has a wrong key at ${path}`, async () => {
    assert.doesNotThrow(() => JSON.parse(json))
    assert.equal(await findInvalidKey(json, noPause), path)
  })

test('JSON.stringify output has no wrong key', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const json = JSON.stringify({ value, 'a"{[,:\\': '"{[,:\\' }, null, 1)
      fc.pre(!/"(?:__proto__|constructor|prototype)":/.test(json))
      assert.equal(await findInvalidKey(json, noPause), undefined)
    }),
  )
})

test('the scan for repeated keys yields to the event loop after every 1,000 keys', async () => {
  const json = JSON.stringify(Array.from({ length: 3_500 }, () => ({ a: 1 })))
  let nb_turns = 0
  await findInvalidKey(json, async () => {
    nb_turns++
  })
  assert.equal(nb_turns, 3)
})

test('a long text with many escaped quotes has no wrong key', async () => {
  const json = JSON.stringify({ data: 'A'.repeat(20_000_000), more: '\\"'.repeat(500_000) })
  assert.equal(await findInvalidKey(json, noPause), undefined)
})
