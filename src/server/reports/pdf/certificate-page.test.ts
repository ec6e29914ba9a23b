import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { extractText, getDocumentProxy } from 'unpdf'
import { parseRichText } from '#contract/parse-rich-text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { certificateInsertions } from '#domain/reports/certificate.ts'
import { documentTexts, type PdfDocument } from '#domain/reports/document.ts'
import { certificateDocument } from '#domain/reports/report-document.ts'
import { certificateSnapshot, ONLY_RESULT } from '#domain/testing/certificate-snapshot.ts'
import { findAccessibilityErrors } from '#server/testing/pdf/pdf-accessibility.ts'
import { withoutSpace } from '#server/testing/pdf/read-pdf.ts'
import { countPages, type Pictures, writePdf } from './write-pdf.ts'

/** Smallest type of a certificate in points. */
const MIN_TYPE_SIZE = 7.5
const LOGO_ID = 'logo'
const jpeg = await sharp({
  create: { width: 600, height: 600, channels: 3, background: '#0a5bc4' },
})
  .jpeg()
  .toBuffer()
const pictures: Pictures = new Map([[LOGO_ID, { data: jpeg, width: 600, height: 600 }]])

/** Returns the certificate of a participant, with the texts that a creator wrote. */
const certificateOf = (
  { name = 'Léa Martin', ...quiz }: Record<string, string | null>,
  logo_image_id: string | null = null,
): PdfDocument => {
  const [question] = certificateSnapshot([
    {
      id: 'p',
      text: 'Nom ?',
      type: 'text',
      position: 0,
      global_position: 0,
      page_number: 1,
      answers: [],
      contact_role: 'last_name',
    },
  ]).questions
  assert.ok(question)
  const snapshot = certificateSnapshot([question], { certificate_percent: 50, ...quiz })
  const run = { snapshot, replies: { p: name ?? '' } }
  const day = '26 novembre 2026'
  const values = certificateInsertions({ ...run, result: ONLY_RESULT, percent: 80 }, day)
  const [number, url] = [
    '7K3M-9XQ2-0V4T-HB8C',
    'https://quiz.exemple/attestation/7K3M-9XQ2-0V4T-HB8C',
  ]
  const facts = { day, percent: 80, number, url, values }
  return { ...certificateDocument(run, facts, parseRichText), logo_image_id }
}

type Page = { sizes: number[]; paths: string }
/** Returns the type sizes of each page without its footer, and the paths that are drawn there. */
const readPages = async (pdf: Uint8Array): Promise<Page[]> => {
  const proxy = await getDocumentProxy(Uint8Array.from(pdf))
  const pages: Page[] = []
  for (let number = 1; number <= proxy.numPages; number++) {
    const page = await proxy.getPage(number)
    const { items } = await page.getTextContent()
    const sizes = items.flatMap((item) =>
      'str' in item && item.str.trim() !== '' && Number(item.transform[5]) > 35
        ? Math.hypot(Number(item.transform[2]), Number(item.transform[3]))
        : [],
    )
    const { argsArray } = await page.getOperatorList()
    pages.push({ sizes, paths: JSON.stringify(argsArray) })
  }
  return pages
}
/** Returns the words of a document. Bullets are drawn, and not words. */
const wordsOf = (document: PdfDocument): string =>
  withoutSpace(
    documentTexts(document)
      .map((text) => text.replaceAll(/^- /gm, ''))
      .join(''),
  )

/** Returns the words of all pages without the footers, whose titles are cut to one line. */
const readBody = async (pdf: Uint8Array): Promise<string> => {
  const { text } = await extractText(await getDocumentProxy(Uint8Array.from(pdf)))
  return text
    .map((page, index) => {
      const [, ...body] = withoutSpace(page).split(`Page${index + 1}`)
      return body.join(`Page${index + 1}`)
    })
    .join('')
}

/** Corners of the frame of a landscape page, as pdf.js writes them. */
const FRAME = '{"0":24,"1":20,"2":817.8900146484375,"3":555.280029296875}'

const objective = (rank: number): string =>
  `- Savoir expliquer la règle numéro ${rank} à un collègue`
const TEN_OBJECTIVES = `Objectifs :\n\n${Array.from({ length: 10 }, (_, rank) => objective(rank + 1)).join('\n')}`
const LONG_TITLE = 'Attestation de fin de formation aux premiers secours en entreprise '.repeat(4)

describe('a certificate fits on one framed page', () => {
  const cases: [name: string, document: PdfDocument][] = [
    ['of the default texts', certificateOf({})],
    ['with ten short objectives', certificateOf({ certificate_text: TEN_OBJECTIVES })],
    ['with a logo and a list', certificateOf({ certificate_text: TEN_OBJECTIVES }, LOGO_ID)],
    ['with a name of 300 letters', certificateOf({ name: 'Anne-Charlotte de '.repeat(17) })],
    [
      'with long names of everything',
      certificateOf(
        {
          name: 'Maximilienne-Alexandrine de la Tour '.repeat(5),
          certificate_title: LONG_TITLE.slice(0, LIMITS.title),
          certificate_text: TEN_OBJECTIVES,
          certificate_issuer: 'Institut national de la formation '.repeat(4).slice(0, 120),
        },
        LOGO_ID,
      ),
    ],
    [
      'with the longest text of the editor',
      certificateOf({
        certificate_text: 'Un été à Noël. '.repeat(70).slice(0, LIMITS.certificate_text),
      }),
    ],
  ]
  for (const [name, document] of cases)
    test(`a certificate ${name} has one page, all its words and letters that can be read`, async () => {
      const pdf = await writePdf(document, pictures)
      const pages = await readPages(pdf)
      assert.equal(pages.length, 1)
      assert.equal(countPages(document, pictures), 1)
      assert.ok(pages[0]?.paths.includes(FRAME), 'the page has a frame')
      const smallest = Math.min(...(pages[0]?.sizes ?? []))
      assert.ok(smallest >= MIN_TYPE_SIZE - 0.01, `${smallest} points`)
      const words = wordsOf(document)
      assert.equal(await readBody(pdf), words)
      assert.deepEqual(findAccessibilityErrors(pdf), [])
    })

  test('short texts keep their full size', async () => {
    const [page] = await readPages(await writePdf(certificateOf({}), new Map()))
    assert.equal(Math.round(Math.max(...(page?.sizes ?? []))), 30)
  })

  test('a text that fits on no page continues on further framed pages, and no word is lost', async () => {
    const certificate_text = Array.from({ length: 240 }, (_, rank) => `- ${rank % 10}`).join('\n')
    const document = certificateOf({ certificate_text }, LOGO_ID)
    const pdf = await writePdf(document, pictures)
    const pages = await readPages(pdf)
    assert.ok(pages.length > 1, `${pages.length} page`)
    assert.equal(countPages(document, pictures), pages.length)
    for (const { paths } of pages) assert.ok(paths.includes(FRAME))
    const words = wordsOf(document)
    assert.equal(await readBody(pdf), words)
  })
})
