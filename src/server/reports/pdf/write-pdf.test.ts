import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { getDocumentProxy } from 'unpdf'
import { parseRichText } from '#contract/parse-rich-text.ts'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { FONTS } from '#domain/common/vocabulary.ts'
import { type DocumentPart, documentTexts, type PdfDocument } from '#domain/reports/document.ts'
import { reportDocument } from '#domain/reports/report-document.ts'
import { computeResult, PUBLIC_RULES } from '#domain/run/scoring.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { versionsWithReplies } from '#domain/testing/versions-with-replies.ts'
import { readPdfBody, withoutSpace } from '#server/testing/pdf/read-pdf.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { REPLACEMENT_NOTE } from './fonts.ts'
import { writePdf } from './write-pdf.ts'

const documentOf = (parts: DocumentPart[], more: Partial<PdfDocument> = {}): PdfDocument => ({
  title: 'Titre',
  layout: 'report',
  font: 'system',
  logo_image_id: null,
  colors: { text: '#222222', accent: '#0a5bc4' },
  parts,
  ...more,
})

const wordsOf = (document: PdfDocument): string => withoutSpace(documentTexts(document).join(''))

const textPart = (text: string): DocumentPart => ({ kind: 'text', blocks: [[text]] })
const wordsOfText = async (text: string): Promise<string> =>
  readPdfBody(await writePdf(documentOf([textPart(text)]), new Map()), 'Titre')

describe('a PDF document', () => {
  testInAll(
    'the words of random reports are those of their documents, in the same order',
    async () => {
      const runs = fc.sample(versionsWithReplies(), { numRuns: countCases(100), seed: 57 })
      for (const [rank, { snapshot, replies }] of runs.entries()) {
        const font = FONTS[rank % FONTS.length] ?? 'system'
        const quiz = { ...snapshot.quiz, report: 'replies' as const, font }
        const taken = { ...snapshot, quiz }
        const result = computeResult(taken, replies, PUBLIC_RULES)
        const document = reportDocument(
          { snapshot: taken, replies, result },
          '26 novembre 2026',
          parseRichText,
        )
        const pdf = await writePdf(document, new Map())
        assert.equal(await readPdfBody(pdf, document.title), wordsOf(document))
      }
    },
  )

  test('accents, ligatures, emoji and other alphabets are written', async () => {
    const texts = [
      'Où œuvrer ? « Ça », à Noël… l’été – 12 €, efficace',
      'Łódź Őrség İstanbul',
      'Привет Ελλάδα',
      '😀 ✅ ★ → ☎ 🎓 🇫🇷',
    ]
    for (const text of texts) assert.equal(await wordsOfText(text), withoutSpace(text))
  })

  test('right-to-left names keep their letters, and the words around them their order', async () => {
    const words = await wordsOfText('Bravo שלום עולם, voilà')
    assert.ok(words.startsWith('Bravo') && words.endsWith(',voilà'), words)
    assert.deepEqual([...words].sort(), [...withoutSpace('Bravo שלום עולם, voilà')].sort())
    assert.match(await wordsOfText('محمد'), /^[\u0600-\u06ff\ufe70-\ufeff]{4}$/)
  })

  const NAMES = [
    ...['王小明', '歐陽娜娜', '钟丽缇', '김민수', '山田 はなこ', 'ヤマダ', 'გიორგი', 'Հայկ', 'ሰላም'],
    ...['สมชาย', 'தமிழ்', 'রহিম', 'សុខា', 'ⴰⵎⵏⴰⵢ', 'Ａｎｎａ'],
  ]
  for (const name of NAMES)
    test(`the name ${name} is written in its letters, in a quiz of any font`, async () => {
      for (const font of ['system', 'lora'] as const) {
        const document = documentOf([{ kind: 'name', text: name }], { font, layout: 'certificate' })
        const words = await readPdfBody(await writePdf(document, new Map()), 'Titre')
        assert.doesNotMatch(words, /\[…\]/)
        for (const letter of normalizeText(withoutSpace(name), 'NFKC'))
          assert.ok(normalizeText(words, 'NFKC').includes(letter), `${letter}: ${words}`)
      }
    })

  test('ligatures and other compatible signs without a font are written as their letters', async () => {
    assert.equal(await wordsOfText('ﬁona oﬃce'), 'fionaoffice')
  })

  test('characters without a font are replaced, and a sentence says so', async () => {
    const note = withoutSpace(REPLACEMENT_NOTE)
    assert.equal(await wordsOfText('Bravo ꦗ !'), `Bravo[…]!${note}`)
    assert.equal(await wordsOfText('a\u0001\u200bb\ufe0f'), 'ab')
  })

  test('a word without spaces is divided at the edge of the page', async () => {
    const text = 'anticonstitutionnellement'.repeat(40)
    assert.equal(await wordsOfText(text), text)
  })

  test('500 questions are written on many pages, in all of which the words stay', async () => {
    const parts = Array.from(
      { length: 500 },
      (_, index): DocumentPart => ({
        kind: 'reply',
        question: `${index + 1}. Question « ${index} » ?`,
        answers: ['Oui, tout à fait'],
        notes: [],
      }),
    )
    const document = documentOf(parts)
    const pdf = await writePdf(document, new Map())
    assert.equal(await readPdfBody(pdf, 'Titre'), wordsOf(document))
    assert.ok(pdf.length < 600_000, `${pdf.length} bytes`)
  })

  test('a document is tagged: language, title, headings, lists, links and figures', async () => {
    const document = documentOf([
      { kind: 'heading', level: 1, text: 'Bravo' },
      {
        kind: 'text',
        blocks: [['Un ', { a: ['lien'], href: 'https://exemple.fr' }], { list: [[['Un']]] }],
      },
      { kind: 'radar', percents: [10, 50, 90] },
      { kind: 'figures', is_numbered: true, rows: [{ label: 'Santé', value: '10 %', share: 0.1 }] },
    ])
    const proxy = await getDocumentProxy(Uint8Array.from(await writePdf(document, new Map())))
    const { info, metadata } = await proxy.getMetadata()
    const page = await proxy.getPage(1)
    const roles = JSON.stringify(await page.getStructTree())
    assert.equal((info as { Title: string }).Title, 'Titre')
    assert.equal(metadata?.get('pdfuaid:part'), '1')
    assert.equal((await proxy.getMarkInfo())?.Marked, true)
    for (const role of ['H1', 'P', 'Link', 'L', 'LI', 'LBody'])
      assert.ok(roles.includes(`"${role}"`), role)
    const [link] = await page.getAnnotations()
    assert.equal(link.url, 'https://exemple.fr/')
  })
})
