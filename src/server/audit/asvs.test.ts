import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const text = readFileSync(new URL('../../../docs/asvs.md', import.meta.url), 'utf8').replaceAll(
  / +/g,
  ' ',
)
const ROW = /^\| (\d+\.\d+\.\d+) \| ([12]) \| (.+?) \| (\w+) \| (.+?) \|(.*?)\|$/gm
const rows = [...text.matchAll(ROW)]

test('every applicable ASVS requirement appears once, with a known status', () => {
  assert.equal(rows.length, 199)
  assert.equal(new Set(rows.map(([, id]) => id)).size, 199)
  for (const [, id, , , status = ''] of rows)
    assert.ok(['built', 'partly', 'operator', 'exception'].includes(status), id)
})

test('every test that the ASVS document names exists', () => {
  const named = rows.map(([, id, , , , , test = '']) => ({
    id,
    file: test.replaceAll('`', '').trim(),
  }))
  const missing = named.filter(
    ({ file }) => file && !existsSync(new URL(`../../../${file}`, import.meta.url)),
  )
  assert.deepEqual(missing, [])
  assert.ok(named.filter(({ file }) => file !== '').length > 150)
})

test('the totals at the top of the ASVS document match its rows', () => {
  for (const level of ['1', '2']) {
    const of = (status: string): number =>
      rows.filter((row) => row[2] === level && row[4] === status).length
    const counts = ['built', 'partly', 'operator', 'exception'].map(of)
    const all = counts.reduce((sum, count) => sum + count, 0)
    assert.ok(text.includes(`| ${level} | ${[...counts, all].join(' | ')} |`))
  }
})
