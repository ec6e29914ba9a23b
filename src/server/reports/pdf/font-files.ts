import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Font as FontFile } from 'fontkit'
import type { FontWeight } from '#domain/questionnaire/look/fonts.ts'
import { openFont, woffToSfnt } from './shaping.ts'

/** Font file. `file` measures texts; `open` returns the font of one document, so that documents share no state. */
export type Face = { key: string; file: FontFile; open: () => FontFile }

/** Font family of Fontsource and the weights of which documents use a file. */
export type FamilyEntry = {
  family: string
  weights: readonly FontWeight[]
  /** True if the files contain more characters than the list of their ranges, such as arrows. */
  has_more?: boolean
}

/** File of a family with the characters that Fontsource put into it. */
type Subset = { file: string; ranges: [from: number, to: number][] }

/** Maximum bytes of fonts that a thread keeps open for its next documents. */
const MAX_OPEN_BYTES = 8 * 1_048_576

const addressOf = (path: string): string =>
  fileURLToPath(import.meta.resolve(`@fontsource/${path}`))

/** Number of bits of a code point within its block. */
const BLOCK_BITS = 6
/** Subsets of a family by the blocks of their characters, so that one of a hundred files is found at once. */
type SubsetIndex = Map<number, Subset[]>

/** Subsets of each family: Fontsource splits the characters of a family into several files. */
const subsetsByFamily = new Map<string, { all: Subset[]; by_block: SubsetIndex }>()

const indexOf = (subsets: readonly Subset[]): SubsetIndex => {
  const index: SubsetIndex = new Map()
  for (const subset of subsets)
    for (const [from, to] of subset.ranges)
      for (let block = from >> BLOCK_BITS; block <= to >> BLOCK_BITS; block++) {
        const known = index.get(block) ?? []
        index.set(block, known)
        if (known.at(-1) !== subset) known.push(subset)
      }
  return index
}

const subsetsOf = (family: string) => {
  const known = subsetsByFamily.get(family)
  if (known) return known
  const ranges = JSON.parse(readFileSync(addressOf(`${family}/unicode.json`), 'utf8')) as Record<
    string,
    string
  >
  const all = Object.entries(ranges).map(([name, text]) => ({
    file: `${family}-${name.replace(/[[\]]/g, '')}`,
    ranges: text.split(',').map((range): [number, number] => {
      const [from = '', to = from] = range.replace('U+', '').split('-')
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
    }),
  }))
  const subsets = { all, by_block: indexOf(all) }
  subsetsByFamily.set(family, subsets)
  return subsets
}

/** Opened faces by key with their bytes, the last used one at the end. */
const faces = new Map<string, { face: Face; bytes: number }>()
let open_bytes = 0

/** Returns the bytes of the fonts that this thread keeps open. */
export const openFontBytes = (): number => open_bytes

/** Forgets the fonts that were not used for longest, until the others have MAX_OPEN_BYTES. Call it after a document. */
export const forgetUnusedFonts = (): void => {
  for (const [key, { bytes }] of faces) {
    if (open_bytes <= MAX_OPEN_BYTES) return
    faces.delete(key)
    open_bytes -= bytes
  }
}

const openFace = (family: string, file: string, weight: FontWeight): Face => {
  const key = `${file}-${weight}-normal`
  const known = faces.get(key)
  if (known) {
    faces.delete(key)
    faces.set(key, known)
    return known.face
  }
  const sfnt = woffToSfnt(readFileSync(addressOf(`${family}/files/${key}.woff`)))
  const open = (): FontFile => openFont(sfnt, key)
  const face = { key, file: open(), open }
  faces.set(key, { face, bytes: sfnt.length })
  open_bytes += sfnt.length
  return face
}

/** Returns the faces of a family that may have a character. A file is read when its face is asked for. */
export function* facesOf(
  { family, weights, has_more }: FamilyEntry,
  code: number,
  weight: FontWeight,
): Generator<Face> {
  const { all, by_block } = subsetsOf(family)
  for (const { file, ranges } of has_more ? all : (by_block.get(code >> BLOCK_BITS) ?? []))
    if (has_more || ranges.some(([from, to]) => from <= code && code <= to))
      yield openFace(family, file, weights.includes(weight) ? weight : 400)
}
