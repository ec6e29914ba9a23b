import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import type { EXPORT_FORMATS } from '#contract/participants.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { formatCsvCell as csvCell, EXCEL } from './csv.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
const quiz = await publishedScoreQuiz(client)
await client.questions.create({
  id: quiz.id,
  body: { type: 'number', text: 'Combien ?', global_position: 9, page_number: 2 },
})
await client.questions.create({
  id: quiz.id,
  body: {
    type: 'multiple_choice',
    text: 'Lesquels ?',
    label: 'Choix',
    global_position: 10,
    page_number: 2,
    max_choices: null,
    has_other: true,
    is_required: false,
    answers: [
      { text: 'Un', score: 1 },
      { text: '=2;3', score: 1 },
      { text: '-"trois", 4 ', score: 1 },
    ],
  },
})
await client.questions.create({
  id: quiz.id,
  body: {
    type: 'multiple_choice',
    text: 'Lequel ?',
    global_position: 11,
    page_number: 2,
    has_other: true,
    is_required: false,
    answers: [
      { text: 'A', score: 1 },
      { text: 'B', score: 1 },
    ],
  },
})
for (const [type, global_position] of [
  ['scale', 12],
  ['date', 13],
] as const)
  await client.questions.create({
    id: quiz.id,
    body: { type, text: `${type} ?`, global_position, page_number: 2, is_required: false },
  })
for (const [type, contact_role, global_position] of [
  ['text', 'first_name', 14],
  ['phone', 'phone', 15],
] as const)
  await client.questions.create({
    id: quiz.id,
    body: { type, contact_role, text: `${contact_role} ?`, global_position, page_number: 2 },
  })
await client.quizzes.publish({ id: quiz.id })
// The questions of a version become columns after its first participant.
await app.pool.query(
  'update quiz_versions set nb_responses = 1 where quiz_id = $1 and version = 2',
  [quiz.id],
)
const { questions } = (await app.client.publicQuiz.snapshot({ id: quiz.id })).snapshot

const download = async (format: (typeof EXPORT_FORMATS)[number]) => {
  const { url } = await client.exports.link({ id: quiz.id, body: { format } })
  return app.raw({ method: 'GET', url })
}

describe('CSV files for any replies', () => {
  /** Returns a text with an apostrophe before each formula, piece by piece. */
  const harmlessCell = (value: string): string => {
    if (/^[+-]\d+([.,]\d+)?$/.test(value)) return value
    const pieces = value.split(/([;,\t\r\n])/)
    const isCode = (piece: string) => /^[\s"\p{C}]*[-=+@＝＋－＠]/u.test(piece)
    const text = pieces.map((piece) => (isCode(piece) ? `'${piece}` : piece))
    return `${/^[\t\r\n]/.test(value) ? "'" : ''}${text.join('')}`
  }
  /**
   * Formats a cell of a standard file in the simplest way. The rules of spreadsheet files are tested in
   * csv.test.ts.
   */
  const formatCsvCell = (value: string | number, separator: string): string => {
    if (separator === ';') return csvCell(value, EXCEL)
    if (typeof value === 'number') return String(value)
    const text = harmlessCell(value)
    const isQuoted = /["\r\n]/.test(text) || text.includes(separator) || text !== text.trim()
    return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
  }
  const odd = fc.string({
    unit: fc.constantFrom(
      ...[
        'a',
        'Z',
        '0',
        '7',
        ' ',
        ';',
        ',',
        '"',
        "'",
        '\\',
        '\n',
        '\r',
        '\t',
        '\v',
        '\b',
        '\u0001',
      ],
      ...[
        '=',
        '+',
        '-',
        '@',
        '.',
        'é',
        'œ',
        '\u00a0',
        '\u2028',
        '🎈',
        '{',
        '}',
        '\\N',
        '\u007f',
        '＝',
        '＠',
      ],
    ),
    maxLength: 8,
  })
  const typed = fc.oneof(
    odd,
    fc.constantFrom(
      '12',
      '007',
      '0',
      '-3',
      '1,50',
      '1e15',
      '2e16',
      '',
      '+336',
      '-1;+2',
      '06 12',
      'mars 26',
      '(12,50)',
      '.505 %',
      'Vrai',
      'a7',
      '2 rue',
      'a,=1',
      'a;"=1',
    ),
  )

  /**
   * Stored numbers: rank of the first choice, four slots of a multiple choice, one slot each of a choice, a
   * scale and a date.
   */
  const given = fc
    .record({
      text: typed,
      first: fc.integer({ min: -1, max: 2 }),
      several: fc.oneof(fc.constantFrom([-1], [-2]), fc.subarray([0, 1, 2, 3], { minLength: 1 })),
      one: fc.integer({ min: -2, max: 2 }),
      note: fc.integer({ min: -2, max: 10 }),
      day: fc.constantFrom('', '2026-02-28', '1850-01-01'),
      other: odd,
      name: fc.oneof(typed, fc.constantFrom(null, 'م\u200fريم', 'é'.repeat(200), '=1+1')),
    })
    .map(({ first, several, one, note, ...texts }) => {
      const slots = Array.from({ length: 4 }, (_, slot) => several[slot] ?? null)
      return { ...texts, choices: [first, ...slots, one, note, texts.day === '' ? -1 : null] }
    })

  test('a CSV file has the same cells as the JSON file', () =>
    fc.assert(
      fc.asyncProperty(fc.array(given, { minLength: 1, maxLength: 12 }), async (all) => {
        await app.db.deleteFrom('responses').where('quiz_id', '=', quiz.id).execute()
        await app.pool.query(
          `insert into responses (quiz_id, participant_uuid, version, email, score, result_position, consent_version, elapsed_seconds, is_suspect, choices, texts, first_name, phone, created_at)
            select $1, gen_random_uuid(), 2, text, rank - 3, rank % 3, rank % 3 - 1, nullif(rank, 2), rank % 2 = 0, choices::smallint[],
              array[text, text, other, other, day, coalesce(name, ''), text], name, nullif(other, ''), timestamptz '2026-10-24 22:59:59.5Z' - rank * interval '3 hours'
            from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) with ordinality as given(text, choices, other, day, name, rank)`,
          [
            quiz.id,
            all.map(({ text }) => text),
            all.map(({ choices }) => `{${choices.map((choice) => choice ?? 'NULL')}}`),
            all.map(({ other }) => other),
            all.map(({ day }) => day),
            all.map(({ name }) => name),
          ],
        )
        const { participants } = (await download('json')).json<{
          participants: Participant[]
        }>()
        assert.equal(participants.length, all.length)
        for (const [format, separator] of [
          ['csv', ','],
          ['csv_excel', ';'],
        ] as const) {
          const lines = participants.map(
            ({ date, email, result, score, consent, answers, ...rest }) => {
              const at = date.slice(0, 19).replace('T', ' ')
              const french = `${at.slice(8, 10)}/${at.slice(5, 7)}/${at.slice(0, 4)}${at.slice(10)}`
              const { percent, elapsed_seconds, is_suspect, first_name, phone } = rest
              const firstCells = [
                email,
                first_name,
                phone,
                result,
                score,
                percent,
                consent,
                elapsed_seconds,
                is_suspect ? 'Oui' : 'Non',
              ]
              const answerTo = new Map(answers.map(({ question, answer }) => [question, answer]))
              const asked = questions.map(({ label, text }) => answerTo.get(label ?? text) ?? null)
              const cells = [...firstCells, ...asked]
              const written = cells.map((cell) =>
                cell === null ? '' : formatCsvCell(cell, separator),
              )
              return `${[format === 'csv' ? at : french, ...written].join(separator)}\r\n`
            },
          )
          const { body } = await download(format)
          assert.equal(body.slice(body.indexOf('\r\n') + 2), lines.join(''))
        }
      }),
      { numRuns: countCases(40), endOnFailure: true },
    ))
})
type Participant = {
  date: string
  email: string | null
  first_name: string | null
  phone: string | null
  result: string | null
  score: number | null
  percent: number | null
  consent: string | null
  elapsed_seconds: number | null
  is_suspect: boolean
  answers: { question: string; answer: string | number }[]
}
