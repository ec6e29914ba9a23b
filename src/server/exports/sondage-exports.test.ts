import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Client } from '#contract/client/client.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { unzip } from '#server/testing/network/bodies/unzip.ts'
import { publishEventSondage } from '#server/testing/quizzes/event-sondage.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

type LinkBody = Parameters<Client['exports']['link']>[0]['body']
const download = async (body: LinkBody, id: string) => {
  const { url } = await client.exports.link({ id, body })
  return app.raw({ method: 'GET', url })
}

test('an export of a sondage has no result and no score', async () => {
  const event = await publishEventSondage(client)
  const titles = 'Date;Email;Consentement;Durée (secondes);À vérifier'
  const titlesOf = async (id: string) =>
    (await download({ format: 'csv_excel' }, id)).body.slice(1).split(/;?\r\n/)[0] ?? ''
  assert.equal(await titlesOf(event.id), titles)
  const given = { comes: true, themes: [1], other: '', note: 0, day: '2026-03-09', word: 'a' }
  await event.submit(given)
  assert.ok((await titlesOf(event.id)).startsWith(`${titles};Viendrez-vous ?;`))
  const [, line = ''] = (await download({ format: 'csv' }, event.id)).body.split('\r\n')
  assert.match(line, /^[-\d]+ [:\d]+,,,,Non,Oui,"Gestion, compta",0,2026-03-09,a$/)
  const { rawPayload } = await download({ format: 'xlsx' }, event.id)
  const sheet = unzip(rawPayload)['xl/worksheets/sheet1.xml'] ?? ''
  assert.ok(!/>(?:Résultat|Score)</.test(sheet))
  const { participants } = (await download({ format: 'json' }, event.id)).json<{
    participants: {
      result: string | null
      score: number | null
      is_suspect: boolean
      answers: unknown[]
    }[]
  }>()
  const [{ result, score, is_suspect, answers } = assert.fail()] = participants
  assert.deepEqual([result, score, is_suspect, answers.length], [null, null, false, 5])
})

test('an export of a sondage keeps the results that its participants had when it was a quiz', async () => {
  const former = await publishedScoreQuiz(client)
  const replies = { [former.question_id]: former.answer_ids[1] ?? '', [former.open_id]: 'a@b.fr' }
  await app.client.publicQuiz.submit({ id: former.id, body: { answers: replies } })
  await client.quizzes.update({ id: former.id, body: { type: 'sondage' } })
  await client.quizzes.publish({ id: former.id })
  await app.client.publicQuiz.submit({ id: former.id, body: { answers: replies } })
  const lines = (await download({ format: 'csv' }, former.id)).body.trim().split('\r\n')
  assert.ok(lines[0]?.startsWith('Date,Email,Résultat,Score,Score (%),Consentement,'))
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(',').slice(2, 5).join(' ')),
    ['  ', 'Grand saut 5 100'],
  )
})
