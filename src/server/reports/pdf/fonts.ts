import { normalizeText } from '#domain/common/normalize-text.ts'
import type { Font } from '#domain/common/vocabulary.ts'
import { type FontWeight, isFamily } from '#domain/questionnaire/look/fonts.ts'
import { type Face, type FamilyEntry, facesOf } from './font-files.ts'

/** Text that one face draws. */
export type FaceRun = { text: string; face: Face }

/** Family of documents whose quiz has the system font, and first fallback. The social image uses the same family. */
const DEFAULT_FAMILY = 'figtree'

/** Scripts with a Noto family of their own. */
const SCRIPTS = ['georgian', 'armenian', 'ethiopic', 'thai', 'tamil', 'bengali', 'khmer'].map(
  (script) => `noto-sans-${script}`,
)
/** Families with one weight, in the order in which they are searched. */
const SIGNS = ['noto-sans-symbols-2', 'chocolate-classical-sans', 'gowun-dodum', 'noto-emoji']
const bothWeights = (family: string): FamilyEntry => ({ family, weights: [400, 600] })
const oneWeight = (family: string): FamilyEntry => ({ family, weights: [400] })

/**
 * Families (OFL) for other scripts and signs, in the order in which they are searched. A file is read only for a document
 * that needs one of its characters. Han and Hangul have families of one weight, because those of Noto take 130 MB.
 */
const FALLBACKS: readonly FamilyEntry[] = [
  ...[DEFAULT_FAMILY, 'noto-sans', 'noto-sans-hebrew', 'noto-sans-arabic'].map(bothWeights),
  ...SCRIPTS.map(bothWeights),
  oneWeight('noto-sans-tifinagh'),
  { ...oneWeight('noto-sans-math'), has_more: true },
  ...SIGNS.map(oneWeight),
]

/** Text that replaces the characters of scripts without a font. */
const REPLACEMENT = '[…]'
/** Sentence at the end of a document that contains the replacement. */
export const REPLACEMENT_NOTE = `${REPLACEMENT} remplace des caractères que ce document ne sait pas écrire.`

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
    const own = isFamily(font) ? [bothWeights(font)] : []
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

  /** Returns true if the fonts have every character of a text. */
  canDraw(text: string): boolean {
    const drawn = this.runsOf(text, 400).map((run) => run.text)
    return countReplacements(drawn.join('')) === countReplacements(text)
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
    const chosen =
      this.#find(composed, weight) ??
      this.#findCompatible(composed, weight) ??
      this.#divide(composed, weight)
    this.#chosen.set(key, chosen)
    return chosen
  }

  #find(text: string, weight: FontWeight): FaceRun[] | undefined {
    const [first = ''] = text
    const code = first.codePointAt(0) ?? 0
    const families = EMOJI.test(text) ? [...this.#families].reverse() : this.#families
    for (const family of families)
      for (const face of facesOf(family, code, weight))
        if (covers(face, text)) return [{ text: withoutMissing(face, text), face }]
    return undefined
  }

  /** Returns the runs of the plain letters of which a sign such as a ligature consists; undefined for other graphemes. */
  #findCompatible(text: string, weight: FontWeight): FaceRun[] | undefined {
    const plain = normalizeText(text, 'NFKC')
    return plain === text || plain.trim() === '' ? undefined : this.runsOf(plain, weight)
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

const countReplacements = (text: string): number => text.split(REPLACEMENT).length

/** Returns a text without the ignorable characters that a face lacks, which it would draw as boxes. */
const withoutMissing = ({ file }: Face, text: string): string =>
  [...text].filter((character) => file.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)).join('')
