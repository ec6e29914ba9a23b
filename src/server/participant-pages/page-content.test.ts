import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { createOwnPages, keepPages, wordsOf } from '#server/testing/app/own-pages.ts'
import { publishCorrectedQuiz } from '#server/testing/quizzes/corrected-quiz.ts'
import { publishDimensionQuiz } from '#server/testing/quizzes/dimension-quiz.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()
const { open, post } = createOwnPages(app)
const email = 'lea.martin@exemple.fr'

const pathOf = async (id: string, answers: Record<string, string>): Promise<string> => {
  const { documents } = await app.client.publicQuiz.submit({ id, body: { answers, email } })
  assert.ok(documents?.own_page)
  return documents.own_page
}

test('the page shows the dimensions of the run', async () => {
  const quiz = await publishDimensionQuiz(client)
  await keepPages(client, quiz)
  const path = await pathOf(quiz.id, { [quiz.way]: quiz.past, [quiz.scale]: '4' })
  assert.match(wordsOf(await open(path)), /Santé 50 % Forte Argent 75 % Solide/)
  const { dimensions } = (await post(path, 'donnees', { email })).json()
  assert.deepEqual(dimensions, [
    { nom: 'Santé', pourcentage: 50, palier: 'Forte' },
    { nom: 'Argent', pourcentage: 75, palier: 'Solide' },
  ])
})

test('the page shows conditional texts of the version taken', async () => {
  const quiz = await publishDimensionQuiz(client)
  await keepPages(client, quiz)
  const { revision } = await client.drafts.get({ id: quiz.id })
  const conditions = [
    { kind: 'answer_chosen', question_id: quiz.way, answer_id: quiz.past },
  ] as const
  await client.drafts.save({
    id: quiz.id,
    body: {
      based_on: revision,
      text_variants: [
        {
          id: randomUUID(),
          text: 'Pour ceux du court chemin.',
          place: 'every_result',
          conditions: [...conditions],
        },
      ],
    },
  })
  await client.quizzes.publish({ id: quiz.id })
  const short = await pathOf(quiz.id, { [quiz.way]: quiz.past, [quiz.scale]: '4' })
  const long = await pathOf(quiz.id, { [quiz.way]: quiz.on, [quiz.several]: quiz.a })
  assert.match(wordsOf(await open(short)), /Pour ceux du court chemin/)
  assert.doesNotMatch(wordsOf(await open(long)), /Pour ceux du court chemin/)
})

test('the page shows corrections, which name the replies, only after the address', async () => {
  const quiz = await publishCorrectedQuiz(client, 'end')
  await keepPages(client, quiz)
  const path = await pathOf(quiz.id, { [quiz.capital]: quiz.lyon, [quiz.rivers]: quiz.alps })
  const before = wordsOf(await open(path))
  assert.match(before, /À revoir/)
  assert.doesNotMatch(before, /Corrections|Lyon|Paris/)
  const shown = wordsOf(await post(path, 'reponses', { email }))
  assert.match(shown, /Corrections/)
  assert.match(shown, /Lyon/)
})
