import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { placeMenu, type Side } from './place-menu.ts'

const view = { width: 390, height: 844 }
const menu = { width: 200, height: 300 }
const opener = (left: number, top: number) => ({
  left,
  right: left + 36,
  top,
  bottom: top + 36,
})
const placed = (left: number, top: number, side: Side = 'below-end', height = menu.height) =>
  placeMenu(opener(left, top), { ...menu, height }, { view, side })

describe('where a menu opens', () => {
  test('under its opener, their ends in line', () =>
    assert.deepEqual(placed(300, 100), { left: 136, top: 140, max_height: 696 }))
  test('their starts in line where asked', () =>
    assert.equal(placed(20, 100, 'below-start').left, 20))
  test('above an opener at the bottom of the screen', () =>
    assert.equal(placed(300, 780).top, 780 - 4 - 300))
  test('inside the screen by an opener at its start', () => assert.equal(placed(10, 100).left, 8))
  test('where there is more room, and scrolls, when it fits neither above nor below', () => {
    const { top, max_height } = placed(300, 300, 'below-end', 1_000)
    assert.deepEqual([top, max_height], [340, 844 - 336 - 4 - 8])
  })
  test('beside the item of another menu, on the side that has room', () => {
    assert.equal(placed(20, 100, 'beside').left, 56)
    assert.equal(placed(300, 100, 'beside').left, 100)
  })
  test('beside an item at the bottom it goes up', () =>
    assert.equal(placed(20, 800, 'beside').top, 844 - 8 - 300))

  test('never reaches past an edge of a screen as wide as itself', () => {
    const number = fc.integer({ min: -200, max: 1_200 })
    const sides = fc.constantFrom<Side>('below-end', 'below-start', 'beside')
    fc.assert(
      fc.property(number, number, fc.integer({ min: 40, max: 2_000 }), sides, (x, y, h, side) => {
        const { left, top, max_height } = placed(x, y, side, h)
        const height = Math.min(h, max_height)
        assert.ok(left >= 8 && left + menu.width <= view.width - 8)
        assert.ok(top >= 8 && top + height <= view.height - 8 + 0.001)
        assert.ok(height > 0)
      }),
    )
  })
})
