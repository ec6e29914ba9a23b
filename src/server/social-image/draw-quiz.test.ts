import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { FONTS } from '#domain/common/vocabulary.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { drawQuiz, loadTypeface } from './draw-quiz.ts'

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

const read = async (png: Buffer) => {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const colorAt = (x: number, y: number): string => {
    const at = (y * width + x) * channels
    return `#${data.subarray(at, at + channels).toString('hex')}`
  }
  /** Returns the number of pixels in a band of rows that differ from the background. */
  const inked = (from: number, to: number): number => {
    let count = 0
    for (let y = from; y < to; y++)
      for (let x = 0; x < width; x++) if (colorAt(x, y) !== colorAt(0, 300)) count++
    return count
  }
  return { width, height, colorAt, inked, format: png.subarray(1, 4).toString('latin1') }
}

describe('the picture of a quiz', () => {
  test('the picture of a quiz has the recommended size and the quiz’s colours up to its edges', async () => {
    const { width, height, colorAt, format } = await read(await draw({}))
    assert.deepEqual([format, width, height], ['PNG', 1200, 630])
    for (const x of [0, 600, 1199]) assert.equal(colorAt(x, 10), '#ff0055')
    for (const x of [0, 1199]) assert.equal(colorAt(x, 629), '#102030')
    assert.equal(colorAt(100, 475), '#ffcc00')
  })

  test('the picture of a quiz has the player’s colours if the quiz has none', async () => {
    const { colorAt } = await read(
      await draw({ bg_color: null, accent_color: null, button_color: null }),
    )
    assert.deepEqual(
      [colorAt(0, 629), colorAt(5, 5), colorAt(100, 475)],
      ['#ffffff', '#ff8c61', '#17c3b2'],
    )
  })

  testInAll('the picture of a quiz has the font and corners of the quiz', async () => {
    const name = 'Où œuvrer ? Efficace, à Noël'
    const pictures = await Promise.all(
      FONTS.map(async (font) => (await read(await draw({ font, name }))).inked(60, 440)),
    )
    assert.equal(new Set(pictures).size, FONTS.length)
    const cornerOf = async (corners: 'square' | 'soft' | 'round') =>
      (await read(await draw({ corners }))).colorAt(81, 467)
    assert.equal(await cornerOf('square'), '#ffcc00')
    assert.equal(await cornerOf('round'), '#102030')
  })

  test('the picture of a quiz shows accents', async () => {
    const plain = await read(await draw({ name: 'Ete' }))
    const accented = await read(await draw({ name: 'Été' }))
    assert.ok(accented.inked(60, 440) > plain.inked(60, 440))
  })

  test('the picture of a quiz keeps the longest name above the button', async () => {
    const { inked } = await read(await draw({ name: 'W'.repeat(100) }))
    assert.ok(inked(60, 440) > 10_000)
    assert.equal(inked(440, 460), 0)
  })

  test('the picture of a quiz is drawn even if no font has the letters', async () => {
    const { inked } = await read(await draw({ name: '測驗 😀' }))
    assert.equal(inked(60, 440), 0)
  })

  test('the picture of a quiz has a complete, antialiased button label', async () => {
    const { colorAt } = await read(await draw({}))
    const { widthOf } = await loadTypeface()
    /** Returns the colours of the columns of a word, from its first letter. */
    const colorsOf = (before: string, word: string): Set<string> => {
      const from = Math.round(80 + 44 + widthOf(before, 36))
      const to = Math.round(from + widthOf(word, 36))
      const colors = new Set<string>()
      for (let x = from; x < to; x++) for (let y = 490; y < 530; y++) colors.add(colorAt(x, y))
      return colors
    }
    for (const [before, word] of [
      ['', 'Répondre'],
      ['Répondre ', 'au'],
      ['Répondre au ', 'quiz'],
    ] as const) {
      const colors = colorsOf(before, word)
      assert.ok(colors.has('#ffcc00') && colors.has('#000000') && colors.size > 10, word)
    }
  })
})

test('the fonts have French and other Latin letters', async () => {
  const { drawable, widthOf } = await loadTypeface()
  const text = 'àâäæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ«»’…–—€ŁłŐőŠšİ'
  assert.equal(drawable(text), text)
  assert.equal(drawable('Qui\u202f?  oui\n😀 !'), 'Qui\u00a0? oui\u00a0!')
  assert.ok(widthOf('éé', 50) > widthOf('é', 50))
})
