import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import {
  type ConvertedFile,
  CSV_FORMATS,
  JSON_FORMATS,
} from '../../src/domain/imports/convert-file.ts'
import { ENCODINGS, inCharactersOf } from '../../src/domain/testing/encodings.ts'
import { convertForeignFile } from '../../src/domain/testing/foreign-files.ts'
import { contentInTextFormat } from '../../src/domain/testing/text-drafts.ts'
import { parseText } from '../../src/domain/text-format/parse-text.ts'
import { contractCalls } from '../../src/server/testing/app/contract-calls.ts'
import { createTestApp, type SignedUp } from '../../src/server/testing/app/test-app.ts'
import { importQuizFile } from '../../src/server/testing/quizzes/quiz-files.ts'
import { readChosenFile } from '../../src/web/dashboard/creation/read-chosen-file.ts'

/** Every file and text that can be imported, in every encoding, with every line end and separator. */

const FOREIGN_FILES = new URL('../../src/domain/testing/foreign-files/', import.meta.url)
const foreignFile = (name: string): string => readFileSync(new URL(name, FOREIGN_FILES), 'utf8')

/** Text with the signs of French that encodings treat differently. */
const FRENCH = 'L’œuvre d’Élodie à 10 € : « Où ? »'
/** Names that only Unicode has. */
const NAMES = '王小明, Ελένη, Наталья, عبد, 👩‍👩‍👧'
const OPTION = 'Les échanges'

const JSON_CONTENTS: Record<keyof typeof JSON_FORMATS, string> = {
  typebot: foreignFile('typebot-v6.json'),
  typeform: foreignFile('typeform-score.json'),
  google_form: foreignFile('google-forms-quiz.json'),
}
/** Rows of each format in CSV. One cell has a line break, and one has both separators and quotation marks. */
const CSV_CONTENTS: Record<keyof typeof CSV_FORMATS, string[][]> = {
  google_responses: [
    ['Horodateur', OPTION, 'Un mot ; libre, "vraiment" ?', 'À qui ?'],
    ['05/01/2026 09:00:00', 'Très\nbien', 'Ça va ; oui, "bien"', 'Zoé'],
    ['05/01/2026 09:10:00', 'Très\nbien', 'Déçue', 'Noël'],
  ],
}

const LINE_ENDS = { LF: '\n', CRLF: '\r\n', CR: '\r' }
const SEPARATORS: Record<string, { separator: string; first_line: string }> = {
  comma: { separator: ',', first_line: '' },
  semicolon: { separator: ';', first_line: '' },
  tab: { separator: '\t', first_line: '' },
  'line sep=;': { separator: ';', first_line: 'sep=;\n' },
  'line sep=,': { separator: ',', first_line: 'sep=,\n' },
  'quoted line sep=;': { separator: ';', first_line: '"sep=;"\n' },
  'line sep=|': { separator: '|', first_line: 'sep=|\n' },
  'line sep= with a tab': { separator: '\t', first_line: 'sep=\t\n' },
}

const printCsv = (rows: string[][], { separator, first_line }: (typeof SEPARATORS)[string]) =>
  first_line +
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)).join('\n')

/** Returns a text without the characters that an encoding of single bytes lacks, and with names in all others. */
const contentFor = (encoding: string, text: string): string =>
  encoding.startsWith('UTF')
    ? text.replaceAll(OPTION, `${FRENCH} ${NAMES}`)
    : text.replaceAll(OPTION, FRENCH)

const chooseFile = (bytes: Uint8Array, name: string) =>
  readChosenFile(new File([Uint8Array.from(bytes)], name))

const assertNoMojibake = (text: string): void => {
  assert.ok(text.includes('Élodie à 10 '))
  assert.doesNotMatch(text, /\ufffd|Ã|â€|√|\0/)
}

/** Checks that a file gives the same text in an encoding as in plain UTF-8. */
const assertSameText = async (
  content: string,
  { name, plain = content }: { name: string; plain?: string },
): Promise<void> => {
  for (const [encoding_name, { encode, encoding }] of Object.entries(ENCODINGS))
    for (const [line_end_name, line_end] of Object.entries(LINE_ENDS)) {
      const inCharacters = (text: string) => inCharactersOf(encoding, contentFor(encoding, text))
      const file = inCharacters(content).replaceAll('\n', line_end)
      const chosen = await chooseFile(encode(file), name)
      const expected: ConvertedFile = convertForeignFile(inCharacters(plain), name)
      assert.deepEqual(chosen, expected, `${encoding_name}, ${line_end_name}`)
      assert.ok(expected.kind === 'text')
      assertNoMojibake(expected.text)
    }
}

describe('files of other products', () => {
  for (const [format, content] of Object.entries(JSON_CONTENTS))
    test(`a file of ${format} gives the same text in every encoding and with every line end`, () => {
      const file = JSON.parse(content) as { items?: unknown[] }
      const named = { ...file, name: OPTION, title: OPTION, info: { title: OPTION } }
      // Indented as programs write it, so that the line ends are in the file.
      return assertSameText(JSON.stringify(named, null, 2), { name: 'export.json' })
    })

  for (const [format, rows] of Object.entries(CSV_CONTENTS))
    for (const [separator_name, separator] of Object.entries(SEPARATORS))
      test(`a CSV of ${format} gives the same text in every encoding: ${separator_name}`, () => {
        const plain = printCsv(rows, { separator: ',', first_line: '' })
        return assertSameText(printCsv(rows, separator), { name: 'Réponses.csv', plain })
      })

  test('each format has a content here', () => {
    assert.deepEqual(Object.keys(JSON_CONTENTS), Object.keys(JSON_FORMATS))
    assert.deepEqual(Object.keys(CSV_CONTENTS), Object.keys(CSV_FORMATS))
  })
})

const TEXT = `# ${OPTION}\nType : sondage\n\n## Page 1\n\n### Prénom de l’élève ?\nRéponse : texte court\n`
/** Calls that create a questionnaire from a file or a text of a person. */
const IMPORT_CALLS = ['quizzes.importText', 'quizFiles.read']

const app = await createTestApp()
after(() => app.close())

describe('imports through the API', () => {
  let creator: SignedUp
  let quiz_file: string
  const quizzes = async () => (await creator.client.quizzes.list()).quizzes
  const importText = (payload: Buffer) =>
    app.raw({
      method: 'POST',
      url: '/api/v1/quizzes/import',
      headers: {
        authorization: `Bearer ${creator.access_token}`,
        'content-type': 'application/json',
      },
      payload,
    })
  before(async () => {
    creator = await app.signUp()
    const { quiz } = await creator.client.quizzes.importText({ body: { text: TEXT } })
    const exported = await app.raw({
      url: `/api/v1/quizzes/${quiz.id}/export`,
      headers: { authorization: `Bearer ${creator.access_token}` },
    })
    quiz_file = exported.body
  })

  test('each call that imports is tested here', () => {
    const calls = contractCalls.filter(
      ([name, { method, path, body_json }]) =>
        method === 'POST' &&
        (path.includes('import') || body_json !== undefined || /import/i.test(name)),
    )
    assert.deepEqual(calls.map(([name]) => name).sort(), IMPORT_CALLS.toSorted())
  })

  for (const [name, { encode, encoding }] of Object.entries(ENCODINGS)) {
    const written = (text: string) => inCharactersOf(encoding, contentFor(encoding, text))
    test(`a quiz file that the browser sends is imported with its accents: ${name}`, async () => {
      for (const line_end of Object.values(LINE_ENDS)) {
        const indented = JSON.stringify(JSON.parse(written(quiz_file)), null, 2)
        const chosen = await chooseFile(encode(indented.replaceAll('\n', line_end)), 'a.json')
        assert.ok(chosen.kind === 'quiz_file')
        const reply = await importQuizFile(
          app,
          creator,
          Buffer.from(await chosen.file.arrayBuffer()),
        )
        assert.equal(reply.statusCode, 201, reply.body)
        const draft = await creator.client.drafts.get({ id: reply.json().quiz.id })
        assert.equal(draft.quiz.name, written(OPTION))
        assert.equal(draft.questions[0]?.text, inCharactersOf(encoding, 'Prénom de l’élève ?'))
        assertNoMojibake(draft.quiz.name)
      }
    })

    test(`bytes that a program sends are read as UTF-8, or refused with its name: ${name}`, async () => {
      const bodies = {
        text: JSON.stringify({ text: written(TEXT) }),
        file: written(quiz_file),
      }
      const before_calls = await quizzes()
      const replies = [
        await importText(Buffer.from(encode(bodies.text))),
        await importQuizFile(app, creator, Buffer.from(encode(bodies.file))),
      ]
      for (const reply of replies) {
        if (encoding === 'UTF-8') {
          assert.equal(reply.statusCode, 201, reply.body)
          assert.equal(reply.json().quiz.name, written(OPTION))
        } else {
          assert.equal(reply.statusCode, 400)
          assert.match(reply.json().error, /n’est pas (?:encodée|du texte) en UTF-8$/)
        }
      }
      const nb_created = encoding === 'UTF-8' ? replies.length : 0
      assert.equal((await quizzes()).length, before_calls.length + nb_created)
    })
  }

  test('a text is read with every line end, and a mark before it is left out', async () => {
    const expected = parseText(TEXT)
    assert.ok('draft' in expected)
    for (const line_end of [...Object.values(LINE_ENDS), '\u2028', '\u0085'])
      for (const mark of ['', '\ufeff']) {
        const text = mark + TEXT.replaceAll('\n', line_end)
        const { quiz } = await creator.client.quizzes.importText({ body: { text } })
        const draft = await creator.client.drafts.get({ id: quiz.id })
        assert.deepEqual(contentInTextFormat(draft), contentInTextFormat(expected.draft))
      }
  })
})

describe('files in other encodings', () => {
  const utf32 = (text: string): Uint8Array =>
    new Uint8Array(Uint32Array.from(`\ufeff${text}`, (sign) => sign.charCodeAt(0)).buffer)
  /** Bytes of a header and a row, as other systems write them. */
  const others: Record<string, Uint8Array> = {
    'the code page 1251 of Russian Windows': Buffer.from(
      'Horodateur,\xc8\xec\xff\n1,\xcf\xf0\xe8\xe2\xe5\xf2\n',
      'latin1',
    ),
    'the code page 1253 of Greek Windows': Buffer.from(
      'Horodateur,\xbc\xed\xef\xec\xe1\n1,\xc5\xeb\xdd\xed\xe7\n',
      'latin1',
    ),
    'Shift JIS': Buffer.from('Horodateur,\x96\xbc\x91O\n1,\x8f\xac\x96\xbe\n', 'latin1'),
    'GB 18030': Buffer.from('Horodateur,\xd0\xd5\xc3\xfb\n1,\xcd\xf5\xd0\xa1\xc3\xf7\n', 'latin1'),
    'KOI8-R': Buffer.from('Horodateur,\xe9\xcd\xd1\n1,\xf0\xd2\xc9\xd7\xc5\xd4\n', 'latin1'),
    'UTF-32 LE': utf32('Horodateur,é\n1,é\n'),
  }
  for (const [name, bytes] of Object.entries(others))
    test(`a file is refused with the encodings that are read: ${name}`, async () => {
      const chosen = await chooseFile(bytes, 'a.csv')
      assert.ok(chosen.kind === 'refused', JSON.stringify(chosen))
      assert.match(chosen.message, /UTF-8.*UTF-16.*Windows-1252.*Mac Roman/)
    })
})
