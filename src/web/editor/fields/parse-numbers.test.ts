import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readPastedInteger, readScore, readThreshold, readWeight } from './parse-numbers.ts'

describe('numbers as typed (product 3.7)', () => {
  const scores: [string, number][] = [
    ['12', 12],
    ['-3', -3],
    ['', 0],
    ['-', 0],
    ['abc', 0],
    ['99999999', 1_000_000],
  ]
  for (const [typed, score] of scores)
    test(`the typed score '${typed}' is read as ${score}`, () =>
      assert.equal(readScore(typed), score))

  const pasted: [string, string | null][] = [
    ['−3', '-3'],
    ['–3', '-3'],
    [' 12 ', '12'],
    ['1\u202f000', '1000'],
    ['+4', '4'],
    ['1.234,56', null],
    ['3 points', null],
    ['', null],
  ]
  for (const [text, number] of pasted)
    test(`the pasted number '${text}' is read as ${number}`, () =>
      assert.equal(readPastedInteger(text), number))

  const weights: [string, number][] = [
    ['3', 3],
    ['0', 0],
    ['', 1],
    ['-5', 0],
  ]
  for (const [typed, weight] of weights)
    test(`the typed weight '${typed}' is read as ${weight}`, () =>
      assert.equal(readWeight(typed), weight))

  const bounds: [string, number | null][] = [
    ['0', 0],
    ['40', 40],
    ['', null],
    ['-5', 0],
  ]
  for (const [typed, bound] of bounds)
    test(`the typed bound '${typed}' is read as ${bound}`, () =>
      assert.equal(readThreshold(typed), bound))
})
