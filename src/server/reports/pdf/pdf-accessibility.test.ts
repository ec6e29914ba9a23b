import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import sharp from 'sharp'
import { parseRichText } from '#contract/parse-rich-text.ts'
import type { DocumentPart, PdfDocument } from '#domain/reports/document.ts'
import { reportDocument } from '#domain/reports/report-document.ts'
import { computeResult, PUBLIC_RULES } from '#domain/run/scoring.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { reportedRuns } from '#domain/testing/reported-runs.ts'
import { findAccessibilityErrors } from '#server/testing/pdf/pdf-accessibility.ts'
import { PdfObjects } from '#server/testing/pdf/pdf-objects.ts'
import { type Picture, writePdf } from './write-pdf.ts'

const documentOf = (parts: DocumentPart[], more: Partial<PdfDocument> = {}): PdfDocument => ({
  title: 'Titre',
  layout: 'report',
  font: 'system',
  logo_image_id: null,
  colors: { text: '#222222', accent: '#0a5bc4' },
  parts,
  ...more,
})
const TITLE: DocumentPart = { kind: 'heading', level: 1, text: 'Bravo' }
const textPart = (text: string): DocumentPart => ({ kind: 'text', blocks: [[text]] })
const LINK: DocumentPart = { kind: 'link', text: 'Vérifier', href: 'https://exemple.fr/a' }
const longLink: DocumentPart = {
  kind: 'text',
  blocks: [
    ['Voir ', { a: ['un lien '.repeat(60)], href: 'https://exemple.fr' }, ', puis la suite.'],
  ],
}

const width = 40
const height = 30
const data = await sharp({ create: { width, height, channels: 3, background: '#884422' } })
  .jpeg()
  .toBuffer()
const PICTURES = new Map<string, Picture>([['i', { data, width, height }]])

const FIGURES: DocumentPart[] = [
  { kind: 'radar', percents: [10, 50, 90] },
  {
    kind: 'figures',
    is_numbered: true,
    rows: [{ label: 'Santé', value: '10 %', share: 0.1, note: 'À revoir' }],
  },
]
const REPLIES = Array.from(
  { length: 40 },
  (_, rank): DocumentPart => ({
    kind: 'reply',
    question: `${rank + 1}. Où êtes-vous né·e ?`,
    answers: ['Ici', 'Là'],
    notes: ['✗ Mauvaise réponse', 'Bonne réponse : là'],
    explanation: [['Parce que…']],
  }),
)

const DOCUMENTS: [name: string, document: PdfDocument][] = [
  [
    'a list inside a list',
    documentOf([TITLE, { kind: 'text', blocks: [{ list: [[['Un'], { list: [[['Deux']]] }]] }] }]),
  ],
  ['a link over several lines', documentOf([TITLE, longLink])],
  ['figures and a radar', documentOf([TITLE, ...FIGURES])],
  [
    'a logo, a described and a decorative picture',
    documentOf(
      [
        { kind: 'picture', image_id: 'i', alt: 'Une tasse' },
        ...[TITLE, { kind: 'picture' as const, image_id: 'i', alt: '' }],
        { kind: 'picture', image_id: 'gone', alt: 'Effacée' },
      ],
      { logo_image_id: 'i' },
    ),
  ],
  ['forty corrected replies on several pages', documentOf([TITLE, ...REPLIES])],
  [
    'emoji and other alphabets',
    documentOf([TITLE, textPart('😀 ✅ ★ → ☎ 🎓 🇫🇷 Привет Ελλάδα 漢')]),
  ],
  ['right-to-left text', documentOf([TITLE, textPart('Bravo שלום עולם, voilà محمد')])],
  ['composed letters', documentOf([TITLE, textPart('éèêëàâäôöùûüçÉÈÀÇŒœ Łódź Őrség İ')])],
  [
    'a certificate',
    documentOf([TITLE, { kind: 'name', text: 'Zoé Œuvrard' }, textPart('Le 26 novembre.'), LINK], {
      layout: 'certificate',
    }),
  ],
]

describe('the accessibility of PDF documents', () => {
  for (const [name, document] of DOCUMENTS)
    test(`a document with ${name} keeps the rules of PDF/UA that a program can check`, async () => {
      assert.deepEqual(findAccessibilityErrors(await writePdf(document, PICTURES)), [])
    })

  test('right-to-left lines say their letters in reading order, because their glyphs are in another', async () => {
    const text = 'اسمي محمد (وأسكن) في باريس 75 منذ 2019'
    const pdf = await writePdf(documentOf([TITLE, textPart(text), textPart('Bonjour')]), PICTURES)
    assert.deepEqual(findAccessibilityErrors(pdf), [])
    const objects = new PdfObjects(pdf)
    const actual = objects
      .dictionaries()
      .map((dict) => objects.text(dict.get('ActualText')))
      .filter(Boolean)
    assert.deepEqual(actual, [text])
  })

  test('random reports in all fonts keep the rules', async () => {
    for (const { snapshot, replies } of fc.sample(reportedRuns, {
      numRuns: countCases(30),
      seed: 14_289,
    })) {
      const result = computeResult(snapshot, replies, PUBLIC_RULES)
      const run = { snapshot, replies, result }
      const pdf = await writePdf(reportDocument(run, '26 novembre 2026', parseRichText), PICTURES)
      assert.deepEqual(findAccessibilityErrors(pdf), [])
    }
  })

  const BROKEN: [broken: string, change: [from: RegExp, to: string], error: RegExp][] = [
    ['is not marked as tagged', [/\/Marked true/, '/Marked null'], /7\.1: the file is not marked/],
    ['has no language', [/\/Lang \(fr\)/, '/Long (fr)'], /7\.2: the document has no language/],
    [
      'hides its title',
      [/DisplayDocTitle true/, 'DisplayDocTitle null'],
      /the title is not displayed/,
    ],
    ['does not claim PDF/UA', [/<pdfuaid:part>1/, '<pdfuaid:part>9'], /^5: /],
    [
      'has a figure without a text',
      [/\/Alt \(/, '/Olt ('],
      /7\.3: a figure has no alternative text/,
    ],
    ['skips a heading', [/\/S \/H1/, '/S /H3'], /7\.4\.2: H3 follows H0/],
    ['has a list entry outside a list', [/\/S \/LI\n/, '/S /L \n'], /7\.2: /],
    [
      'has a link without a description',
      [/\/Contents \(/, '/Cantents ('],
      /7\.18\.5: a link has no/,
    ],
    ['has links in the order of their places', [/\/Tabs \/S/, '/Tabs /R'], /7\.18\.3/],
    ['has a font that is not embedded', [/\/FontFile2/, '/FontFile9'], /7\.21\.4\.1/],
    ['has a font without Unicode values', [/\/ToUnicode/, '/TaUnicode'], /7\.21\.7/],
    ['has wrong widths', [/\/W \[0 \[/, '/W [9 ['], /7\.21\.5/],
    ['has a content in two elements', [/\/K \[2\]/, '/K [1]'], /7\.1: a content has/],
  ]
  for (const [broken, [from, to], error] of BROKEN)
    test(`the check finds a document that ${broken}`, async () => {
      const list: DocumentPart = { kind: 'text', blocks: [{ list: [[['Un']]] }] }
      const picture: DocumentPart = { kind: 'picture', image_id: 'i', alt: 'Tasse' }
      const pdf = await writePdf(documentOf([TITLE, list, picture, LINK]), PICTURES)
      const text = pdf.toString('latin1')
      assert.match(text, from)
      const changed = Buffer.from(text.replace(from, to), 'latin1')
      assert.match(findAccessibilityErrors(changed).join('\n'), new RegExp(error.source, 'm'))
    })
})
