import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { create } from 'fontkit'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { FONTS } from '#domain/common/vocabulary.ts'
import type { DocumentPart, PdfDocument } from '#domain/reports/document.ts'
import { CUT_NOTE } from '#domain/reports/document-size.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { findAccessibilityErrors } from '#server/testing/pdf/pdf-accessibility.ts'
import { readPdfBody, withoutSpace } from '#server/testing/pdf/read-pdf.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { forgetUnusedFonts, openFontBytes } from './font-files.ts'
import { FontChooser, REPLACEMENT_NOTE } from './fonts.ts'
import { styledWords, wrapWords } from './lines.ts'
import { writePdf } from './write-pdf.ts'

// Runs in test:all, because it builds many large pages.

const documentOf = (parts: DocumentPart[], more: Partial<PdfDocument> = {}): PdfDocument => ({
  title: 'Titre',
  layout: 'report',
  font: 'system',
  logo_image_id: null,
  colors: { text: '#222222', accent: '#0a5bc4' },
  parts,
  ...more,
})
const replyPart = (text: string): DocumentPart => ({
  kind: 'reply',
  question: 'Votre nom ?',
  answers: [text],
  notes: [],
})

const TITLE: DocumentPart = { kind: 'heading', level: 1, text: 'Bravo' }

const FOLDER = fileURLToPath(new URL('../../../../node_modules/@fontsource/', import.meta.url))

/** Returns the code points of the embedded font files of a family. */
const codePointsOf = (family: string): number[] =>
  readdirSync(`${FOLDER}${family}/files`)
    .filter((name) => name.endsWith('-400-normal.woff'))
    .flatMap((name) => {
      const font = create(readFileSync(`${FOLDER}${family}/files/${name}`))
      return 'characterSet' in font ? font.characterSet : []
    })
/** Share of the signs of Han and Hangul that is drawn, because their thousands of signs are drawn alike. */
const SAMPLED: Record<string, number> = { 'chocolate-classical-sans': 40, 'gowun-dodum': 40 }
const CODE_POINTS = [
  ...new Set(
    readdirSync(FOLDER).flatMap((family) =>
      codePointsOf(family).filter((_, rank) => rank % (SAMPLED[family] ?? 1) === 0),
    ),
  ),
].filter((code) => code >= 32 && !(code >= 0xd800 && code < 0xe000))
const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, rank) =>
    items.slice(rank * size, (rank + 1) * size),
  )

/** Returns the signs between two code points. */
const signsBetween = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, rank) => String.fromCodePoint(from + rank))

/** Shapes of a stranger's text, each repeated up to the longest reply. */
const SHAPES: [name: string, unit: string][] = [
  ['words', 'Un été à Noël, « voilà » ; '],
  ['one letter', 'a'],
  ['letters and right-to-left marks', 'a\u200f'],
  ['embeddings', '\u202ba\u202ab\u202c'],
  ['isolates', '\u2067a\u2069'],
  ['invisible characters', 'a\u200b\u200d\u2060'],
  ['marks on one letter', '\u0301'],
  ['marks of alternating classes', '\u0301\u0323\u0330'],
  ['letters with marks', 'e\u0301\u0323\u0330'],
  ['Hebrew', 'שלום '],
  ['Hebrew without spaces', 'שלום'],
  ['Arabic without spaces', 'محمد'],
  ['Arabic letters of other languages', 'ڢ\u062d\u06d8 ڣۘ '],
  ['Arabic with marks', 'م\u0651\u064e'],
  ['Devanagari', 'नमस्ते दुनिया '],
  ['Thai, Georgian, Ethiopic', 'สวัสดีგამარჯობაሰላም '],
  ['Han', '漢字'],
  ['Hangul', '한글'],
  ['Kana', 'やまカナ'],
  ['Tamil, Bengali, Khmer', 'தமிழ் বাংলা ភាសាខ្មែរ '],
  ['scripts without a font', '𞤀𞤣ꦗꦮ'],
  ['ligatures and full width', 'ﬁﬃＡﾊﾞ㍿'],
  ['joined emoji', '👩‍👩‍👧'],
  ['flags', '🇫🇷'],
  ['opening brackets', '('],
  ['brackets in Hebrew', 'ש('],
  ['slashes', 'a/'],
  ['spaces', ' '],
  ['hard spaces', '\u00a0'],
  ['line breaks', 'a\n'],
  ['lone surrogates', '\ud83da'],
]
const LONGEST_REPLY = 10_000
/** Generous for a machine that runs other tests; alone, the slowest shape takes a quarter of it. */
const MAX_CPU_MS = 4_000

const measureCpu = async <Result>(run: () => Promise<Result>): Promise<[Result, number]> => {
  const before = process.cpuUsage()
  const result = await run()
  const { user, system } = process.cpuUsage(before)
  return [result, (user + system) / 1000]
}

describe('a document never fails because of a text', () => {
  testInAll(
    'every character of the embedded fonts is drawn alone, after a letter and with marks',
    async () => {
      assert.ok(CODE_POINTS.length > 5_000, `${CODE_POINTS.length} code points`)
      for (const codes of chunksOf(CODE_POINTS, 1_500)) {
        const letters = codes.map((code) => String.fromCodePoint(code))
        const text = letters.map((letter) => `${letter} a${letter} ${letter}\u0301 ${letter}\u06d8`)
        await writePdf(documentOf([replyPart(text.join(' '))]), new Map())
      }
    },
  )

  test('random runs of these characters are drawn, in every font of a quiz', async () => {
    const letter = fc.constantFrom(...CODE_POINTS).map((code) => String.fromCodePoint(code))
    // Neighbours in the Unicode table are letters and marks of one script.
    const neighbours = fc
      .tuple(fc.nat(CODE_POINTS.length - 1), fc.array(fc.nat(40), { maxLength: 8 }))
      .map(([from, steps]) =>
        steps.map((step) => String.fromCodePoint(CODE_POINTS[from + step] ?? 97)).join(''),
      )
    const runs = fc.array(fc.oneof(letter, neighbours), { maxLength: 6 }).map((few) => few.join(''))
    const texts = fc.sample(runs, { numRuns: countCases(1_800), seed: 62_1 })
    for (const [rank, few] of chunksOf(texts, 200).entries()) {
      const font = FONTS[rank % FONTS.length] ?? 'system'
      const parts: DocumentPart[] = [
        { kind: 'heading', level: 1, text: few.slice(0, 20).join(' ') },
        { kind: 'name', text: few.slice(20, 40).join('') },
        ...few.slice(40).map(replyPart),
      ]
      const layout = rank % 2 === 0 ? 'report' : 'certificate'
      await writePdf(documentOf(parts, { title: few[0] ?? '', font, layout }), new Map())
    }
  })

  test('a letter whose font has no place for its mark keeps its text', async () => {
    for (const text of ['ڢ', 'ح\u06d8', 'Mohamed ڢڣ']) {
      const pdf = await writePdf(documentOf([replyPart(text)]), new Map())
      const body = normalizeText(await readPdfBody(pdf, 'Titre'), 'NFKC')
      for (const letter of withoutSpace(text))
        assert.ok(body.includes(letter), `${letter}: ${body}`)
    }
  })

  for (const [name, unit] of SHAPES)
    testInAll(`the longest reply made of ${name} is drawn in linear time`, async () => {
      const text = unit.repeat(LONGEST_REPLY).slice(0, LONGEST_REPLY)
      const [pdf, cpu_ms] = await measureCpu(() =>
        writePdf(documentOf([TITLE, replyPart(text), replyPart('Fin')]), new Map()),
      )
      assert.ok(cpu_ms < MAX_CPU_MS, `${cpu_ms} ms`)
      assert.deepEqual(findAccessibilityErrors(pdf).slice(0, 3), [])
    })

  test('letters without width never stay on one line', () => {
    for (const [name, unit] of SHAPES) {
      const text = unit.repeat(LONGEST_REPLY).slice(0, LONGEST_REPLY)
      const style = { size: 11, weight: 400 as const, color: '#000000' }
      const fonts = new FontChooser('system')
      const { lines } = wrapWords(styledWords([text], style), { width: 480, fonts })
      for (const line of lines) {
        const length = line.runs.reduce((sum, run) => sum + run.text.length, 0)
        assert.ok(length <= 1_000, `${name}: ${length} characters`)
        assert.ok(line.width <= 481, `${name}: ${line.width} points`)
      }
    }
  })

  testInAll('a document of every sign of Han and Hangul is written in time', async () => {
    const signs = [...signsBetween(0x4e00, 0x9fa5), ...signsBetween(0xac00, 0xd7a3)]
    const [, cpu_ms] = await measureCpu(() =>
      writePdf(documentOf(chunksOf(signs, 5_000).map((few) => replyPart(few.join('')))), new Map()),
    )
    assert.ok(cpu_ms < 3 * MAX_CPU_MS, `${cpu_ms} ms`)
  })

  testInAll(
    'a document opens the fonts that its letters need, and a thread then keeps 8 MB of them at most',
    () => {
      forgetUnusedFonts()
      const before = openFontBytes()
      new FontChooser('system').runsOf('Une attestation', 400)
      assert.ok(openFontBytes() - before < 500_000, `${openFontBytes() - before} bytes`)
      new FontChooser('system').runsOf(signsBetween(0x4e00, 0x9fa5).join(''), 400)
      new FontChooser('system').runsOf(signsBetween(0xac00, 0xd7a3).join(''), 400)
      const opened = openFontBytes()
      forgetUnusedFonts()
      const kept = openFontBytes()
      assert.ok(opened > kept && kept <= 8 * 1_048_576, `${opened} bytes, then ${kept}`)
      assert.ok(opened < 48 * 1_048_576, `${opened} bytes`)
    },
  )

  test('marks that no line has room for are replaced, and a sentence says so', async () => {
    const pdf = await writePdf(documentOf([replyPart(`e${'\u0301'.repeat(100)}`)]), new Map())
    assert.ok((await readPdfBody(pdf, 'Titre')).endsWith(`e[…]${withoutSpace(REPLACEMENT_NOTE)}`))
  })

  testInAll(
    'a document of more replies than a reader wants ends with a sentence that says so',
    async () => {
      const long = 'नमस्ते दुनिया '.repeat(1_000).slice(0, LONGEST_REPLY)
      const parts = Array.from({ length: 100 }, () => replyPart(long))
      const [pdf, cpu_ms] = await measureCpu(() => writePdf(documentOf(parts), new Map()))
      assert.ok((await readPdfBody(pdf, 'Titre')).endsWith(withoutSpace(CUT_NOTE)))
      assert.ok(cpu_ms < 2 * MAX_CPU_MS, `${cpu_ms} ms`)
    },
  )
})
