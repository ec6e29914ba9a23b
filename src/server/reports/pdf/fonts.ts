import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Font as FontFile } from 'fontkit'
import { normalizeText } from '#domain/common/normalize-text.ts'
import type { Font } from '#domain/common/vocabulary.ts'
import { type FontWeight, isFamily } from '#domain/questionnaire/look/fonts.ts'
import { openFont, woffToSfnt } from './shaping.ts'

/** Font file. `file` measures texts; `open` returns the font of one document, so that documents share no state. */
export type Face = { key: string; file: FontFile; open: () => FontFile }
/** Text that one face draws. */
export type FaceRun = { text: string; face: Face }

/** Family of documents whose quiz has the system font, and first fallback. The social image uses the same family. */
const DEFAULT_FAMILY = 'figtree'
type FamilyEntry = {
  family: string
  weights: readonly FontWeight[]
  /** True if the files contain more characters than the list of their ranges, such as arrows. */
  has_more?: boolean
}

/** Families (OFL) for other scripts and signs, in the order in which they are searched. Signs have one weight. */
const FALLBACKS: readonly FamilyEntry[] = [
  { family: DEFAULT_FAMILY, weights: [400, 600] },
  { family: 'noto-sans', weights: [400, 600] },
  { family: 'noto-sans-hebrew', weights: [400, 600] },
  { family: 'noto-sans-arabic', weights: [400, 600] },
  { family: 'noto-sans-math', weights: [400], has_more: true },
  { family: 'noto-sans-symbols-2', weights: [400] },
  { family: 'noto-emoji', weights: [400] },
]

/** Text that replaces the characters of scripts without a font, such as Chinese. */
const REPLACEMENT = '[…]'
/** Sentence at the end of a document that contains the replacement. */
export const REPLACEMENT_NOTE = `${REPLACEMENT} remplace des caractères que ce document ne sait pas écrire.`

type Subset = { file: string; ranges: [from: number, to: number][] }

const addressOf = (path: string): string =>
  fileURLToPath(import.meta.resolve(`@fontsource/${path}`))

/** Subsets of each family: Fontsource splits the characters of a family into several files. */
const subsetsByFamily = new Map<string, Subset[]>()

const subsetsOf = (family: string): Subset[] => {
  const known = subsetsByFamily.get(family)
  if (known) return known
  const ranges = JSON.parse(readFileSync(addressOf(`${family}/unicode.json`), 'utf8')) as Record<
    string,
    string
  >
  const subsets = Object.entries(ranges).map(([name, text]) => ({
    file: `${family}-${name.replace(/[[\]]/g, '')}`,
    ranges: text.split(',').map((range): [number, number] => {
      const [from = '', to = from] = range.replace('U+', '').split('-')
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
    }),
  }))
  subsetsByFamily.set(family, subsets)
  return subsets
}

/** Opened faces by key, for the lifetime of the thread. */
const faces = new Map<string, Face>()

const openFace = (family: string, file: string, weight: FontWeight): Face => {
  const key = `${file}-${weight}-normal`
  const known = faces.get(key)
  if (known) return known
  const sfnt = woffToSfnt(readFileSync(addressOf(`${family}/files/${key}.woff`)))
  const open = (): FontFile => openFont(sfnt, key)
  const face = { key, file: open(), open }
  faces.set(key, face)
  return face
}

/** Characters that a font may lack, because they are invisible or only change the preceding character. */
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\p{Cc}]/u
/** Characters that are shown as emoji. */
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u

const covers = ({ file }: Face, text: string): boolean =>
  [...text].every(
    (character) =>
      IGNORABLE.test(character) || file.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
  )

const graphemes = new Intl.Segmenter('fr', { granularity: 'grapheme' })
/** Texts of letters that are graphemes by themselves, which need no segmentation. */
const PLAIN = /^[\x20-\x7e\u00a0-\u02ff\u2010-\u2027]*$/

/** Returns the graphemes of a text. A line never breaks inside a grapheme. */
export const graphemesOf = (text: string): string[] =>
  PLAIN.test(text) ? text.split('') : Array.from(graphemes.segment(text), ({ segment }) => segment)

/** Maximum length of a drawn grapheme. A family of emoji has 25 code units, a letter of a language far fewer. */
const MAX_GRAPHEME_LENGTH = 40

/** Chooses the face of each character for one font of a quiz. */
export class FontChooser {
  readonly #families: readonly FamilyEntry[]
  readonly #chosen = new Map<string, FaceRun[]>()
  /** True after a text contained characters without a font. */
  hasReplaced = false

  constructor(font: Font) {
    const own = isFamily(font) ? [{ family: font, weights: [400, 600] as const }] : []
    this.#families = [...own, ...FALLBACKS]
  }

  /** Splits a text into runs of one face. Narrow spaces become wide ones, which all fonts have. */
  runsOf(text: string, weight: FontWeight): FaceRun[] {
    const runs: FaceRun[] = []
    for (const grapheme of graphemesOf(text.replaceAll('\u202f', '\u00a0')))
      for (const { text: piece, face } of this.#choose(grapheme, weight)) {
        const last = runs.at(-1)
        if (last?.face === face) last.text += piece
        else if (piece !== '') runs.push({ text: piece, face })
      }
    return runs
  }

  /** Composes a grapheme, and replaces one whose marks no page has room for. */
  #compose(grapheme: string): string {
    if (grapheme.length <= MAX_GRAPHEME_LENGTH) return normalizeText(grapheme)
    this.hasReplaced = true
    const [first = ''] = grapheme
    return first + REPLACEMENT
  }

  #choose(grapheme: string, weight: FontWeight): FaceRun[] {
    const key = `${weight} ${grapheme}`
    const known = this.#chosen.get(key)
    if (known) return known
    const composed = this.#compose(grapheme)
    const chosen = this.#find(composed, weight) ?? this.#divide(composed, weight)
    this.#chosen.set(key, chosen)
    return chosen
  }

  #find(text: string, weight: FontWeight): FaceRun[] | undefined {
    const [first = ''] = text
    const code = first.codePointAt(0) ?? 0
    const families = EMOJI.test(text) ? [...this.#families].reverse() : this.#families
    for (const { family, weights, has_more } of families) {
      const subsets = subsetsOf(family).filter(
        ({ ranges }) => has_more || ranges.some(([from, to]) => from <= code && code <= to),
      )
      for (const { file } of subsets) {
        const face = openFace(family, file, weights.includes(weight) ? weight : 400)
        if (covers(face, text)) return [{ text: withoutMissing(face, text), face }]
      }
    }
    return undefined
  }

  /** Finds a face for each character of a grapheme that no face has as a whole. */
  #divide(grapheme: string, weight: FontWeight): FaceRun[] {
    const characters = [...grapheme]
    if (characters.length > 1)
      return characters
        .filter((character) => !IGNORABLE.test(character))
        .flatMap((character) => this.#choose(character, weight))
    if (IGNORABLE.test(grapheme)) return []
    this.hasReplaced = true
    return this.runsOf(REPLACEMENT, weight)
  }
}

/** Returns a text without the ignorable characters that a face lacks, which it would draw as boxes. */
const withoutMissing = ({ file }: Face, text: string): string =>
  [...text].filter((character) => file.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)).join('')
