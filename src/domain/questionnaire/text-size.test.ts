import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { textSize } from './text-size.ts'

describe('the size of formatting signs', () => {
  const SIGNS = /[*_]|\[|^[ \t]*-[ \t](?:[ \t]*-[ \t])*|:\/\/|www\.|@|\{\{/gim
  /** Returns the signs of a text as they are defined, by a regular expression. */
  const signsIn = (text: string): string[] => [...text.matchAll(SIGNS)].map(([sign]) => sign)
  const bytesOf = (sign: string): number => {
    if (sign === '{{') return 500
    if (sign === '*' || sign === '_') return 10
    if (sign === '[') return 50
    return /-/.test(sign) ? 50 * (sign.split('-').length - 1) : 75
  }
  const pieces = ['*', '_', '[', '-', ' ', '\t', '\n', '\r', '\u2028', ':', '/', 'w', 'W', '.']
  const piece = fc.constantFrom(...pieces, '@', '{', '{{', '- ', '\n- ', 'www.', '://', 'é', 'a')
  test('is that of each sign, in any text', () =>
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (signs) => {
        const text = signs.join('')
        const letters = [...text].reduce((total, letter) => total + textSize(`a${letter}`) - 1, 0)
        const alone = [...text].reduce((total, letter) => {
          const own = signsIn(`a${letter}`).reduce((sum, sign) => sum + bytesOf(sign), 0)
          return total + own
        }, 0)
        const expected = signsIn(text).reduce((total, sign) => total + bytesOf(sign), 0)
        assert.equal(textSize(text), letters - alone + expected)
      }),
      { numRuns: countCases(2_000) },
    ))
})
