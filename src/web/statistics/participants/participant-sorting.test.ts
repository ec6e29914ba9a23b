import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NEWEST_FIRST, PARTICIPANT_SORTS } from '#domain/statistics/participant-sort.ts'
import {
  isNewestFirst,
  listSortFields,
  readList,
  replaceList,
  sortBy,
  sortingOf,
  sortLabel,
  sortOptions,
} from './participant-sorting.ts'

const read = (query: string) => readList(new URLSearchParams(query))

describe('the sorting of the list in an address', () => {
  test('the sort of the list is read from an address as it was written, and other parameters are kept', () => {
    const address = new URLSearchParams('email=ada&participant=P')
    for (const { value } of sortOptions(PARTICIPANT_SORTS))
      for (const search of [undefined, 'un mot']) {
        const list = { ...sortingOf(value), ...(search && { search }) }
        const written = replaceList(address, list)
        assert.deepEqual(readList(written), list)
        assert.equal(written.get('email'), 'ada')
        assert.equal(written.get('participant'), 'P')
        assert.equal(replaceList(written, NEWEST_FIRST).toString(), address.toString())
      }
  })

  test('the list of participants is sorted newest first if the address has no valid sort', () => {
    for (const query of [
      '',
      'sort=name&order=asc',
      'sort=email',
      'sort=email&order=up',
      'search= ',
    ])
      assert.ok(isNewestFirst(read(query)), query)
    assert.equal(isNewestFirst(read('search=ada')), false)
    assert.equal(read(`search=${'a'.repeat(300)}`).search?.length, 200)
  })
})

describe('the sort fields of the list', () => {
  test('a sort field is offered if participants differ in the field', () => {
    const choices = { results: [{}] }
    assert.deepEqual(listSortFields({ figures: { scores: {} }, choices }), PARTICIPANT_SORTS)
    assert.deepEqual(listSortFields({ figures: undefined, choices: { results: [] } }), [
      'date',
      'email',
      'delivery',
    ])
  })

  test('every sorting has its own label', () => {
    const labels = sortOptions(PARTICIPANT_SORTS).map(({ value }) => sortLabel(sortingOf(value)))
    assert.equal(new Set(labels).size, 10)
    assert.ok(labels.every((label) => label !== ''))
  })

  test('a sort field starts with the most useful order and reverses on a second choice', () => {
    const byScore = sortBy('score', NEWEST_FIRST)
    assert.deepEqual(byScore, { sort: 'score', order: 'desc' })
    assert.deepEqual(sortBy('score', byScore), { sort: 'score', order: 'asc' })
    assert.deepEqual(sortBy('score', sortBy('score', byScore)), byScore)
    assert.deepEqual(sortBy('email', byScore), { sort: 'email', order: 'asc' })
  })
})
