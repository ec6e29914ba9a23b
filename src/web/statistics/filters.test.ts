import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFilters, datesError, readFilters, replaceFilters, writeFilters } from './filters.ts'

test('an address says its filters, and only those', () => {
  const search = new URLSearchParams('email=ada%20&from=2026-03-09&to=&autre=1')
  const filters = readFilters(search)
  assert.deepEqual(filters, { email: 'ada', from: '2026-03-09' })
  assert.equal(countFilters(filters), 2)
  assert.deepEqual(readFilters(new URLSearchParams(writeFilters(filters))), filters)
  assert.deepEqual(writeFilters({}), {})
})

test('an end before its beginning is wrong; the same day, or one end alone, is not', () => {
  assert.ok(datesError({ from: '2026-03-10', to: '2026-03-09' }))
  assert.equal(datesError({ from: '2026-03-09', to: '2026-03-09' }), undefined)
  assert.equal(datesError({ to: '2026-03-09' }), undefined)
})

test('filters take the place of those before, and leave what else an address says', () => {
  const search = new URLSearchParams('email=ada&from=2026-03-09&sort=score')
  const replaced = replaceFilters(search, { result: 'R', from: '2026-03-10', to: '' })
  assert.deepEqual(Object.fromEntries(replaced), { sort: 'score', result: 'R', from: '2026-03-10' })
})
