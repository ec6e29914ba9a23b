import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { RefusedCall } from '#contract/client/client.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it lets calls race.

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const TABS = ['gauche', 'droite']
const turns = Array.from({ length: 10 }, (_, turn) => turn)
/** Returns a complete document of a quiz with a mark in each text. */
const documentOf = (mark: string, ids: readonly string[]) => ({
  questions: ids.map((id, rank) => ({ id, text: `${mark} ${rank}`, type: 'text' as const })),
})
const newIds = () => Array.from({ length: 12 }, () => randomUUID())
const textsOf = async (id: string) =>
  (await client.questions.list({ id })).questions.map(({ text }) => text)

test('two tabs that save whole documents concurrently store one of them, never a mixture', async () => {
  const { id } = await readyScoreQuiz(client)
  const ids = newIds()
  for (const turn of turns) {
    const bodies = TABS.map((tab) => documentOf(`${tab} ${turn}`, ids))
    await Promise.all(bodies.map((body) => client.questions.saveDraft({ id, body })))
    const stored = JSON.stringify(await textsOf(id))
    const possible = bodies.map(({ questions }) =>
      JSON.stringify(questions.map((question) => question.text)),
    )
    assert.ok(possible.includes(stored), stored)
  }
})

test('one of two tabs that save changes based on one revision succeeds, and the other gets a conflict', async () => {
  const { id, question_id, open_id } = await readyScoreQuiz(client)
  for (const turn of turns) {
    const { revision: based_on } = await client.drafts.get({ id })
    const outcomes = await Promise.allSettled(
      TABS.map((tab) => {
        const text = `${tab} ${turn}`
        const questions = [question_id, open_id].map((id) => ({ id, text }))
        return client.drafts.save({ id, body: { based_on, quiz: { name: text }, questions } })
      }),
    )
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    )
    assert.equal(refusals.length, 1)
    assert.ok(refusals[0] instanceof RefusedCall && refusals[0].status === 409)
    const { quiz, questions } = await client.drafts.get({ id })
    assert.deepEqual(new Set([quiz.name, ...questions.map(({ text }) => text)]).size, 1)
  }
})

test('a repeated autosave changes nothing', async () => {
  const { id } = await readyScoreQuiz(client)
  const body = documentOf('une fois', newIds())
  await Promise.all(turns.map(() => client.questions.saveDraft({ id, body })))
  assert.deepEqual(
    await textsOf(id),
    body.questions.map(({ text }) => text),
  )

  const { revision: based_on } = await client.drafts.get({ id })
  const more = { id: randomUUID(), type: 'text' as const, text: 'Neuve', global_position: 90 }
  const save = () => client.drafts.save({ id, body: { based_on, questions: [more] } })
  const outcomes = await Promise.allSettled([...turns.map(save), ...turns.map(save)])
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await textsOf(id)).filter((text) => text === 'Neuve').length, 1)
})
