import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import type { Snapshot } from '#domain/snapshot.ts'
import { createCanvas } from './canvas.ts'
import { drawQuiz } from './draw-quiz.ts'
import { encodePng } from './png.ts'
import { loadTypeface } from './typeface.ts'

type Look = Partial<Snapshot['quiz']>
const draw = (look: Look): Promise<Buffer> =>
  drawQuiz({
    quiz: {
      name: 'Été',
      type: 'quiz',
      status: 'Publié',
      bg_color: '#102030',
      text_color: '#ffffff',
      button_color: '#ffcc00',
      button_text_color: '#000000',
      accent_color: '#ff0055',
      ...look,
    },
  })

/** The pixels of a PNG as we write them: one IDAT chunk, no filter. */
const read = (png: Buffer) => {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const start = png.indexOf('IDAT') + 4
  const rows = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)))
  const colorAt = (x: number, y: number): string => {
    const at = y * (width * 3 + 1) + 1 + x * 3
    return `#${rows.subarray(at, at + 3).toString('hex')}`
  }
  /** How many pixels of a band of rows have another colour than the ground. */
  const inked = (from: number, to: number): number => {
    let count = 0
    for (let y = from; y < to; y++)
      for (let x = 0; x < width; x++) if (colorAt(x, y) !== colorAt(0, 300)) count++
    return count
  }
  return { width, height, colorAt, inked }
}

describe('the picture of a quiz', () => {
  test('has the size that networks ask for, in the quiz’s colours, to its edges', async () => {
    const { width, height, colorAt } = read(await draw({}))
    assert.deepEqual([width, height], [1200, 630])
    for (const x of [0, 600, 1199]) assert.equal(colorAt(x, 10), '#ff0055')
    for (const x of [0, 1199]) assert.equal(colorAt(x, 629), '#102030')
    assert.equal(colorAt(100, 475), '#ffcc00')
  })

  test('a quiz without colours has the player’s', async () => {
    const { colorAt } = read(await draw({ bg_color: null, accent_color: null, button_color: null }))
    assert.deepEqual(
      [colorAt(0, 629), colorAt(5, 5), colorAt(100, 475)],
      ['#ffffff', '#ff8c61', '#17c3b2'],
    )
  })

  test('accents are drawn', async () => {
    const [plain, accented] = [await draw({ name: 'Ete' }), await draw({ name: 'Été' })]
    assert.ok(read(accented).inked(60, 440) > read(plain).inked(60, 440))
  })

  test('the longest name stays above the button', async () => {
    const { inked } = read(await draw({ name: 'W'.repeat(100) }))
    assert.ok(inked(60, 440) > 10_000)
    assert.equal(inked(440, 460), 0)
  })

  test('letters that no font has leave a picture all the same', async () => {
    assert.equal(read(await draw({ name: '測驗 😀' })).inked(60, 440), 0)
  })
})

test('French letters and those of other Latin alphabets can be drawn', async () => {
  const { drawable, widthOf } = await loadTypeface()
  const text = 'àâäæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ«»’…–—€ŁłŐőŠšİ'
  assert.equal(drawable(text), text)
  assert.equal(drawable('Qui\u202f?  oui\n😀 !'), 'Qui\u00a0? oui !')
  assert.ok(widthOf('éé', 50) > widthOf('é', 50))
})

test('a half covered pixel takes half the colour', async () => {
  const canvas = createCanvas(4, 2, '#000000')
  const square = [
    { type: 'M' as const, x: 0.5, y: 0 },
    { type: 'L' as const, x: 2, y: 0 },
    { type: 'L' as const, x: 2, y: 1 },
    { type: 'L' as const, x: 0.5, y: 1 },
    { type: 'Z' as const },
  ]
  canvas.fill(square, '#c86432')
  const { colorAt } = read(await encodePng(canvas))
  const row = [0, 1, 2, 3].map((x) => colorAt(x, 0))
  assert.deepEqual(row, ['#643219', '#c86432', '#000000', '#000000'])
  assert.equal(colorAt(1, 1), '#000000')
})
