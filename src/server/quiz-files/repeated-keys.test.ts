import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { wrongKeyIn } from './repeated-keys.ts'

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
  test(`${json} has a wrong key at ${path}`, () => {
    assert.doesNotThrow(() => JSON.parse(json))
    assert.equal(wrongKeyIn(json), path)
  })

test('no key is wrong in what a program has written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify({ value, 'a"{[,:\\': '"{[,:\\' }, null, 1)
      fc.pre(!/"(?:__proto__|constructor|prototype)":/.test(json))
      assert.equal(wrongKeyIn(json), undefined)
    }),
  )
})

test('long texts are passed over', () => {
  const json = JSON.stringify({ data: 'A'.repeat(20_000_000), more: '\\"'.repeat(500_000) })
  assert.equal(wrongKeyIn(json), undefined)
})
