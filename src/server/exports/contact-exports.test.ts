import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '#contract/client/client.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { unzip } from '#server/testing/network/bodies/unzip.ts'
import {
  askForContact,
  type ContactQuiz,
  contactReplies,
} from '#server/testing/quizzes/contact-questions.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const RIGHT_TO_LEFT = 'مريم עדן'
const LONG_NAME = 'é'.repeat(300)
/** Names of participants, with their cells in both kinds of CSV files. */
const NAMES: [first_name: string, standard: string, excel: string][] = [
  ['Camille', 'Camille', 'Camille'],
  ['=1+1', "'=1+1", '"=""=1+1"""'],
  ['🎈👩‍👩‍👧', '🎈👩‍👩‍👧', '🎈👩‍👩‍👧'],
  ['Jean "Jo"; D\'A', '"Jean ""Jo""; D\'A"', '"Jean ""Jo""; D\'A"'],
  [RIGHT_TO_LEFT, RIGHT_TO_LEFT, RIGHT_TO_LEFT],
  ['\\Nathan', '\\Nathan', '\\Nathan'],
]
let quiz: ContactQuiz
const submit = (given: Parameters<typeof contactReplies>[1]) =>
  app.client.publicQuiz.submit({
    id: quiz.id,
    body: { answers: contactReplies(quiz, { email: 'a@exemple.fr', ...given }) },
  })
before(async () => {
  quiz = await askForContact(client, await publishedScoreQuiz(client))
  for (const [first_name] of NAMES)
    await submit({ first_name, last_name: 'Durand', phone: '+33 6 12 34 56 78' })
  await submit({ first_name: LONG_NAME })
})

type LinkBody = Parameters<Client['exports']['link']>[0]['body']
const download = async (body: LinkBody, id = quiz.id) => {
  const { url } = await client.exports.link({ id, body })
  return app.raw({ method: 'GET', url })
}
const TITLES =
  'Date,Email,Prénom,Nom,Téléphone,Résultat,Score,Score (%),Consentement,Durée (secondes)'

describe('exports of a quiz that asks for contact data', () => {
  for (const choices of ['joined', 'columns'] as const)
    test(`CSV files have the contact data after the address, without formulas, with choices ${choices}`, async () => {
      const { body } = await download({ format: 'csv', choices })
      const excel = (await download({ format: 'csv_excel', choices })).body
      assert.ok(body.startsWith(`${TITLES},`))
      assert.ok(excel.slice(1).startsWith(`${TITLES.replaceAll(',', ';')};`))
      assert.ok(body.includes('Prénom ?,Nom ?,Téléphone ?\r\n'))
      for (const [, standard, french] of NAMES) {
        assert.ok(
          body.includes(`,a@exemple.fr,${standard},Durand,'+33 6 12 34 56 78,Grand`),
          standard,
        )
        assert.ok(
          excel.includes(`;a@exemple.fr;${french};Durand;"=""+33 6 12 34 56 78""";Grand`),
          french,
        )
      }
      // Stored names have at most 200 characters; the reply to the question stays whole.
      assert.match(body, /,a@exemple\.fr,é{200},,,Grand saut,[^\r]*,é{300},,\r\n/)
    })

  test('a JSON export has the contact data of each participant', async () => {
    const { participants } = (await download({ format: 'json' })).json<{
      participants: Record<'first_name' | 'last_name' | 'phone', string | null>[]
    }>()
    assert.deepEqual(
      participants.slice(1).map(({ first_name }) => first_name),
      NAMES.map(([first_name]) => first_name).reverse(),
    )
    assert.equal(participants[1]?.phone, '+33 6 12 34 56 78')
    const { first_name, last_name, phone } = participants[0] ?? assert.fail()
    assert.deepEqual([first_name?.length, last_name, phone], [200, null, null])
  })

  test('a workbook has the contact data as texts', async () => {
    const { rawPayload } = await download({ format: 'xlsx' })
    const sheet = unzip(rawPayload)['xl/worksheets/sheet1.xml'] ?? ''
    const rows = sheet.split('<row>').slice(1)
    const textsOf = (row = '') =>
      [...row.matchAll(/<c(?: t="inlineStr" s="\d")?>.*?<\/c>|<c\/>/g)].map(([cell]) =>
        cell.replaceAll(/<[^>]*>/g, ''),
      )
    assert.match(rows[0] ?? '', />Email<.*>Prénom<.*>Nom<.*>Téléphone<.*>Résultat</)
    for (const [rank, [first_name]] of NAMES.toReversed().entries())
      assert.deepEqual(textsOf(rows[rank + 2]).slice(0, 4), [
        ...['a@exemple.fr', first_name, 'Durand', '+33 6 12 34 56 78'],
      ])
    assert.ok(!sheet.includes('<f>'))
  })
})

describe('columns of contact data', () => {
  test('an export has only the columns of the asked roles, also if a later version does not ask', async () => {
    const own = await publishedScoreQuiz(client)
    const titlesOf = async () =>
      (await download({ format: 'csv' }, own.id)).body.split('\r\n')[0] ?? ''
    const submitTo = () =>
      app.client.publicQuiz.submit({
        id: own.id,
        body: { answers: { [own.question_id]: own.answer_ids[0] ?? '', [own.open_id]: 'b@c.fr' } },
      })
    await submitTo()
    assert.match(await titlesOf(), /^Date,Email,Résultat,Score,/)
    const { participants } = (await download({ format: 'json' }, own.id)).json<{
      participants: object[]
    }>()
    assert.ok(participants.every((participant) => !('first_name' in participant)))
    const { question } = await client.questions.create({
      id: own.id,
      body: {
        type: 'phone',
        text: 'Votre numéro ?',
        contact_role: 'phone',
        is_required: false,
        global_position: 9,
        page_number: 2,
      },
    })
    await client.quizzes.publish({ id: own.id })
    await submitTo()
    await client.questions.remove({ id: question.id })
    await client.quizzes.publish({ id: own.id })
    await submitTo()
    assert.match(await titlesOf(), /^Date,Email,Téléphone,Résultat,Score,/)
  })
})
