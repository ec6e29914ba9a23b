import { inflateSync } from 'node:zlib'
import { create, type Font as FontFile, type GlyphRun } from 'fontkit'

/** Sizes of the WOFF format (W3C WOFF 1.0) and of the header and entries of an SFNT file, in bytes. */
const WOFF_HEADER = 44
const WOFF_ENTRY = 20
const SFNT_HEADER = 12
const SFNT_ENTRY = 16

type Table = { tag: Buffer; checksum: number; data: Buffer }

/**
 * Converts a WOFF file to the SFNT file that it compresses. fontkit would decompress each table again for each
 * document, in JavaScript.
 */
export const woffToSfnt = (woff: Buffer): Buffer => {
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, rank): Table => {
    const entry = WOFF_HEADER + rank * WOFF_ENTRY
    const [offset, stored, size] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at))
    const raw = woff.subarray(offset, (offset ?? 0) + (stored ?? 0))
    return {
      tag: woff.subarray(entry, entry + 4),
      checksum: woff.readUInt32BE(entry + 16),
      data: raw.length === size ? raw : inflateSync(raw),
    }
  })
  const header = Buffer.alloc(SFNT_HEADER + count * SFNT_ENTRY)
  header.writeUInt32BE(woff.readUInt32BE(4), 0)
  header.writeUInt16BE(count, 4)
  const parts: Buffer[] = [header]
  let offset = header.length
  for (const [rank, { tag, checksum, data }] of tables.entries()) {
    const entry = SFNT_HEADER + rank * SFNT_ENTRY
    tag.copy(header, entry)
    header.writeUInt32BE(checksum, entry + 4)
    header.writeUInt32BE(offset, entry + 8)
    header.writeUInt32BE(data.length, entry + 12)
    const padding = Buffer.alloc(-data.length & 3)
    parts.push(data, padding)
    offset += data.length + padding.length
  }
  return Buffer.concat(parts)
}

/** Opens a font whose `layout` never throws, whatever the text. */
export const openFont = (sfnt: Buffer, key: string): FontFile => {
  const font = create(sfnt)
  if (!('layout' in font)) throw new Error(`${key} is a collection of fonts`)
  const layout = font.layout.bind(font)
  font.layout = (text: string) => shapeText(font, layout, text)
  return font
}

/** Features that place a mark above or below its letter. */
const WITHOUT_MARK_POSITIONS = { mark: false, mkmk: false }

/**
 * Shapes a text with the features of its font. fontkit throws if a font names no place for a mark on a letter, such as
 * U+06A2: marks are then drawn in line. If shaping still fails, each letter has its own shape.
 */
const shapeText = (font: FontFile, layout: FontFile['layout'], text: string): GlyphRun => {
  for (const features of [undefined, WITHOUT_MARK_POSITIONS])
    try {
      return layout(text, features as never)
    } catch {
      // The next attempt needs fewer tables of the font; the last one needs none.
    }
  const glyphs = font.glyphsForString(text)
  const positions = glyphs.map(({ advanceWidth: xAdvance }) => ({
    xAdvance,
    yAdvance: 0,
    xOffset: 0,
    yOffset: 0,
  }))
  const advanceWidth = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
  return { glyphs, positions, advanceWidth } as unknown as GlyphRun
}
