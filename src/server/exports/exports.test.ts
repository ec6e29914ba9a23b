import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '#contract/client/client.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { unzip } from '#server/testing/network/bodies/unzip.ts'
import { publishEventSondage } from '#server/testing/quizzes/event-sondage.ts'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
  type SampleQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
/** Texts that a spreadsheet must not read as a formula or as the end of a cell. */
const TEXTS = [
  'ada@exemple.fr',
  '=1+1',
  '+33 6 12 34 56 78',
  '-2+3',
  '@SUM(A1)',
  '+33610004998',
  'Un "mot", puis ; un autre\nsur deux lignes',
  '<b>&amp;</b> 🎈',
]
let quiz: SampleQuiz
before(async () => {
  const ready = await readyScoreQuiz(client, 'Été : quel rythme ?')
  const { id } = ready
  await client.questions.remove({ id: ready.open_id })
  const { question: open } = await client.questions.create({
    id,
    body: { type: 'textarea', text: 'Où vous écrire ?', global_position: 5, page_number: 2 },
  })
  await client.quizzes.publish({ id })
  quiz = { ...ready, open_id: open.id }
  const { question } = await client.questions.create({
    id,
    body: { type: 'number', text: '=Combien ?', global_position: 9, page_number: 2 },
  })
  await submit(TEXTS[0] ?? '', {}, TEXTS[0])
  await client.quizzes.publish({ id: quiz.id })
  for (const [rank, text] of TEXTS.entries())
    if (rank > 0) await submit(text, { [question.id]: `${rank},5` })
  await app.db
    .updateTable('responses')
    .set({ created_at: '2026-03-09T12:05:00Z' })
    .where('quiz_id', '=', quiz.id)
    .execute()
})
const submit = (text: string, more: Record<string, string> = {}, email?: string) =>
  app.client.publicQuiz.submit({
    id: quiz.id,
    body: {
      answers: { [quiz.question_id]: quiz.answer_ids[1] ?? '', [quiz.open_id]: text, ...more },
      email,
    },
  })

type LinkBody = Parameters<Client['exports']['link']>[0]['body']
const download = async (body: LinkBody, id = quiz.id) => {
  const { url } = await client.exports.link({ id, body })
  const reply = await app.raw({ method: 'GET', url })
  assert.equal(reply.statusCode, 200, reply.body)
  return reply
}
const sorted = (lines: string[]) => lines.filter(Boolean).sort()
describe('an export', () => {
  test('an export for French Excel has a byte order mark, semicolons, decimal commas, Paris time and no formula', async () => {
    const reply = await download({ format: 'csv_excel' })
    assert.equal(reply.headers['content-type'], 'text/csv; charset=utf-8')
    assert.match(
      String(reply.headers['content-disposition']),
      /^attachment; filename="Reponses - Ete quel rythme - \d{4}-\d\d-\d\d\.csv"; filename\*=UTF-8''R%C3%A9ponses%20-%20%C3%89t%C3%A9/,
    )
    assert.equal(reply.headers['cache-control'], 'no-store')
    const [head, ...lines] = reply.body.split('\r\n')
    assert.equal(
      head,
      '\uFEFFDate;Email;Résultat;Score;Score (%);Consentement;Durée (secondes);À vérifier;Votre agenda ?;Où vous écrire ?;"=""=Combien ?"""',
    )
    const begin = '09/03/2026 13:05:00'
    assert.deepEqual(
      sorted(lines),
      sorted([
        `${begin};ada@exemple.fr;Grand saut;5;100;;;Non;Libre;ada@exemple.fr;`,
        `${begin};;Grand saut;5;100;;;Non;Libre;"=""=1+1""";1,5`,
        `${begin};;Grand saut;5;100;;;Non;Libre;"=""+33 6 12 34 56 78""";2,5`,
        `${begin};;Grand saut;5;100;;;Non;Libre;"=""-2+3""";3,5`,
        `${begin};;Grand saut;5;100;;;Non;Libre;"=""@SUM(A1)""";4,5`,
        `${begin};;Grand saut;5;100;;;Non;Libre;"=""+33610004998""";5,5`,
        `${begin};;Grand saut;5;100;;;Non;Libre;"Un ""mot"", puis ; un autre\nsur deux lignes";6,5`,
        `${begin};;Grand saut;5;100;;;Non;Libre;"<b>&amp;</b> 🎈";7,5`,
      ]),
    )
  })

  test('an export for other programs has commas, decimal points and sortable dates', async () => {
    const { body } = await download({ format: 'csv' })
    assert.ok(body.startsWith('Date,Email,Résultat,Score,'))
    assert.ok(body.includes("2026-03-09 13:05:00,,Grand saut,5,100,,,Non,Libre,'=1+1,1.5\r\n"))
    assert.ok(body.includes('"Un ""mot"", puis ; un autre\nsur deux lignes"'))
  })

  test('a JSON export has unchanged texts and Paris time', async () => {
    const { quiz: head, participants } = (await download({ format: 'json' })).json<{
      quiz: { id: string }
      participants: { date: string; answers: { question: string; answer: string | number }[] }[]
    }>()
    assert.equal(head.id, quiz.id)
    assert.deepEqual(
      participants.map(({ answers }) => answers[1]?.answer).sort(),
      [...TEXTS].sort(),
    )
    assert.ok(participants.every(({ date }) => date === '2026-03-09T13:05:00+01:00'))
    assert.deepEqual(
      participants.flatMap(({ answers }) => answers[2]?.answer ?? []).sort(),
      [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5],
    )
  })

  test('an Excel workbook has typed dates and numbers, and no formulas', async () => {
    const reply = await download({ format: 'xlsx' })
    const files = unzip(reply.rawPayload)
    assert.ok(files['xl/workbook.xml']?.includes('name="Réponses"'))
    const sheet = files['xl/worksheets/sheet1.xml'] ?? ''
    assert.equal(sheet.match(/<row>/g)?.length, TEXTS.length + 1)
    assert.ok(!sheet.includes('<f>'))
    assert.ok(
      sheet.includes(
        '<c t="inlineStr" s="3"><is><t xml:space="preserve">=1+1</t></is></c><c><v>1.5</v></c>',
      ),
    )
    assert.ok(sheet.includes('&lt;b&gt;&amp;amp;&lt;/b&gt; 🎈'))
    const day = Number(/<c s="2"><v>([\d.]+)<\/v>/.exec(sheet)?.[1])
    assert.equal(new Date((day - 25_569) * 86_400_000).toISOString(), '2026-03-09T13:05:00.000Z')
  })

  test('an export contains the filtered participants', async () => {
    const { body } = await download({ format: 'csv', email: 'ada' })
    assert.equal(sorted(body.split('\r\n')).length, 2)
    assert.equal(
      sorted((await download({ format: 'csv', to: '2026-03-08' })).body.split('\r\n')).length,
      1,
    )
    const of = async (answer: string | undefined) =>
      (await download({ format: 'json', answer })).json<{ participants: [] }>().participants.length
    assert.equal(await of(quiz.answer_ids[0]), 0)
    assert.equal(await of(quiz.answer_ids.join()), TEXTS.length)
  })

  test('an export without participants contains only its titles', async () => {
    const { id } = await publishedScoreQuiz(client)
    for (const format of ['csv', 'xlsx', 'json', 'csv_excel'] as const)
      await download({ format }, id)
    assert.equal(
      (await download({ format: 'csv' }, id)).body,
      'Date,Email,Résultat,Score,Consentement,Durée (secondes),À vérifier\r\n',
    )
  })

  test('an export contains durations and spam suspicions', async () => {
    const own = await publishedScoreQuiz(client)
    const answers = { [own.question_id]: own.answer_ids[1] ?? '', [own.open_id]: 'ada@exemple.fr' }
    await app.client.publicQuiz.submit({ id: own.id, body: { answers, elapsed_seconds: 42 } })
    await app.client.publicQuiz.submit({ id: own.id, body: { answers, elapsed_seconds: 0 } })
    const { body } = await download({ format: 'csv_excel' }, own.id)
    const [head = '', ...lines] = body.split('\r\n').map((line) => line.split(';'))
    const places = ['Durée (secondes)', 'À vérifier'].map((title) => head.indexOf(title))
    assert.deepEqual(
      sorted(lines.map((line) => places.map((place) => line[place]).join(' ')).slice(0, 2)),
      ['0 Oui', '42 Non'],
    )
    const { participants } = (await download({ format: 'json' }, own.id)).json<{
      participants: Participant[]
    }>()
    assert.deepEqual(
      participants
        .map(({ elapsed_seconds, is_suspect }) => `${elapsed_seconds} ${is_suspect}`)
        .sort(),
      ['0 true', '42 false'],
    )
    const { rawPayload } = await download({ format: 'xlsx' }, own.id)
    const sheet = unzip(rawPayload)['xl/worksheets/sheet1.xml'] ?? ''
    assert.ok(
      sheet.includes('<c><v>42</v></c><c t="inlineStr" s="0"><is><t xml:space="preserve">Non<'),
    )
  })

  test('an export has distinct column names', async () => {
    const own = await publishedScoreQuiz(client)
    for (const text of ['Ville', 'email', 'Ville', 'Ville (2)', 'ville'])
      await client.questions.create({
        id: own.id,
        body: { type: 'text', text, global_position: 9, page_number: 2 },
      })
    await client.quizzes.publish({ id: own.id })
    const { questions } = await client.quizzes.get({ id: own.id })
    const answers = Object.fromEntries(
      questions.map(({ id }) => [id, id === own.question_id ? (own.answer_ids[1] ?? '') : 'Lyon']),
    )
    answers[own.open_id] = 'ada@exemple.fr'
    await app.client.publicQuiz.submit({ id: own.id, body: { answers } })
    const [head = ''] = (await download({ format: 'csv' }, own.id)).body.split('\r\n')
    assert.deepEqual(
      sorted(head.split(',').slice(10)),
      sorted(['Ville', 'email (2)', 'Ville (2)', 'Ville (2) (2)', 'ville (3)']),
    )
    const names = head.split(',').map((name) => name.toLowerCase())
    assert.equal(new Set(names).size, names.length)
  })

  test('an export has one cell for multiple choices, scales and dates, which is empty without a reply', async () => {
    const event = await publishEventSondage(client)
    const given = { comes: true, themes: [1, 2], other: 'Le café', note: 0, day: '2026-03-09' }
    await event.submit({ ...given, word: 'a' })
    await event.submit({ comes: false, themes: [], other: '', note: -1, day: '', word: 'b' })
    const lines = (await download({ format: 'csv_excel' }, event.id)).body.split('\r\n')
    const cells = (line = '') => line.split(';').slice(5).join(';')
    assert.equal(cells(lines[0]), 'Viendrez-vous ?;Thèmes;Quelle note ?;Quel jour ?;Un mot ?')
    assert.deepEqual(sorted(lines.slice(1).map(cells)), [
      'Non;;;;b',
      'Oui;"Gestion, compta; Site; Autre : Le café";0;2026-03-09;a',
    ])
    const { participants } = (await download({ format: 'json' }, event.id)).json<{
      participants: {
        answers: { question: string; answer: string | number; choices?: string[] }[]
      }[]
    }>()
    assert.deepEqual(
      participants.map(({ answers }) => answers.map(({ answer }) => answer)),
      [
        ['Non', 'b'],
        ['Oui', 'Gestion, compta; Site; Autre : Le café', 0, '2026-03-09', 'a'],
      ],
    )
    assert.deepEqual(
      participants.map(({ answers }) => answers.flatMap(({ choices }) => choices ?? [])),
      [[], ['Gestion, compta', 'Site', 'Autre : Le café']],
    )
    const { rawPayload } = await download({ format: 'xlsx' }, event.id)
    const sheet = unzip(rawPayload)['xl/worksheets/sheet1.xml'] ?? ''
    assert.ok(sheet.includes('<c><v>0</v></c><c s="4"><v>46090</v></c>'))
  })

  test('an export has one column per choice on request', async () => {
    const event = await publishEventSondage(client)
    const given = { comes: true, note: 0, day: '2026-03-09' }
    await event.submit({ ...given, themes: [1, 2], other: 'Le café', word: 'a' })
    await event.submit({ ...given, themes: [], other: '', word: 'b' })
    const order = { format: 'csv_excel', choices: 'columns' } as const
    const [head = '', ...lines] = (await download(order, event.id)).body.trim().split('\r\n')
    const cells = (line: string) => line.split(';').slice(6, 10).join('|')
    const titles = cells(head)
    assert.match(titles, /^Thèmes : [^|]+\|Thèmes : [^|]+\|Thèmes : [^|]+\|Thèmes : Autre$/)
    assert.deepEqual(sorted(lines.map(cells)), ['0|1|1|Le café', '|||'])
    const { rawPayload } = await download({ ...order, format: 'xlsx' }, event.id)
    assert.match(Object.values(unzip(rawPayload)).join(''), /<v>0<\/v><\/c><c><v>1<\/v>/)
  })

  test('an export of several pages contains each participant once', async () => {
    const many = await publishedScoreQuiz(client)
    await app.pool.query(
      `insert into responses (quiz_id, participant_uuid, version, choices, texts, created_at)
        select $1, gen_random_uuid(), 1, '{0}', array['p' || rank], now() - interval '1 second' * (rank / 3)
        from generate_series(1, 2500) as rank`,
      [many.id],
    )
    await app.pool.query('update quiz_versions set nb_responses = 2500 where quiz_id = $1', [
      many.id,
    ])
    const lines = sorted((await download({ format: 'csv' }, many.id)).body.split('\r\n'))
    assert.equal(new Set(lines).size, 2501)
  })
})

type Participant = { elapsed_seconds: number | null; is_suspect: boolean }
