import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Client } from '#contract/client/client.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishPathQuiz, publishSecondVersion } from '#server/testing/quizzes/path-quiz.ts'
import { randomVisits, type Visit } from '#server/testing/quizzes/random-visits.ts'

// Runs in test:all, because its dry runs are random.

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

type Subject = Omit<Parameters<Client['dryRuns']['get']>[0], 'id'>

type PathQuiz = Awaited<ReturnType<typeof publishPathQuiz>>

/** Submits a visit and returns the participant with the subjects that concern them, from the visit alone. */
const take = async (quiz: PathQuiz, visit: Visit) => {
  const { id, way, several, mail, scale } = quiz
  const ways = [quiz.on, quiz.past, quiz.out]
  const offered = visit.version === 1 ? [quiz.a, quiz.b, quiz.c] : [quiz.a, undefined, quiz.c]
  const chosen = visit.several
    .flatMap((rank) => offered[rank] ?? [])
    .slice(0, visit.isOther ? 1 : 2)
  const parts = [...chosen, ...(visit.isOther ? ['other:à part'] : [])]
  const [passes2, passes3] = [visit.way === 0, visit.way < 2]
  const answers: Replies = {
    [way]: ways[visit.way] ?? '',
    ...(passes2 && { [several]: parts, [mail]: visit.email }),
    ...(passes3 && visit.scale > 0 && { [scale]: `${visit.scale}` }),
  }
  const { participant_uuid, result } = await app.client.publicQuiz.submit({
    id,
    body: { answers, version: visit.version },
  })
  await app.db
    .updateTable('responses')
    .set({ consent_version: visit.consent })
    .where('participant_uuid', '=', participant_uuid)
    .execute()
  const concerns = new Set([
    ...[result?.id, ways[visit.way], 'score', 'result', way],
    ...(passes2 ? [...chosen, mail] : []),
    ...(passes2 && parts.length > 0 ? [several] : []),
    ...(passes3 && visit.scale > 0 ? [scale] : []),
  ])
  return { ...visit, participant_uuid, concerns, has_email: passes2 }
}

/** Returns every rule and mapping of the quiz, with the name by which `take` lists it. */
const subjectsOf = (quiz: PathQuiz, results: { id: string }[]): [string, Subject][] => {
  const { way, several, mail, scale } = quiz
  const ofWay = [quiz.on, quiz.past, quiz.out]
  const ofSeveral = [quiz.a, quiz.b, quiz.c]
  return [
    ...results.map(({ id }): [string, Subject] => [id, { result_id: id }]),
    ...ofWay.map((answer_id): [string, Subject] => [answer_id, { question_id: way, answer_id }]),
    ...ofSeveral.map((answer_id): [string, Subject] => [
      answer_id,
      { question_id: several, answer_id },
    ]),
    ...[way, several, mail, scale].map((question_id): [string, Subject] => [
      question_id,
      { source: 'question', question_id },
    ]),
    ['score', { source: 'score' }],
    ['result', { source: 'result' }],
  ]
}

test('a dry run counts and lists exactly the participants that a look at each visit finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomVisits, { maxLength: 14 }), async (visits) => {
      const quiz = await publishPathQuiz(client)
      await publishSecondVersion(client, quiz)
      const { id } = quiz
      const { results } = await client.results.list({ id })
      const taken: Awaited<ReturnType<typeof take>>[] = []
      for (const one of visits) taken.push(await take(quiz, one))
      for (const { participant_uuid, isRemoved } of taken)
        if (isRemoved) await client.participants.remove({ id, participantId: participant_uuid })
      const left = taken.filter(({ isRemoved }) => !isRemoved)
      for (const consent_mode of ['requested', 'box'] as const) {
        await client.quizzes.update({ id, body: { consent_mode } })
        for (const [name, subject] of subjectsOf(quiz, results)) {
          const expected = left.filter(
            ({ has_email, consent, concerns }) =>
              has_email && concerns.has(name) && (consent ?? (consent_mode === 'box' ? 0 : 1)) > 0,
          )
          const { nb_matching, nb_participants, participants } = await client.dryRuns.get({
            id,
            ...subject,
          })
          assert.equal(nb_participants, left.length)
          assert.equal(nb_matching, expected.length, JSON.stringify([consent_mode, subject]))
          assert.deepEqual(
            participants.map(({ participant_uuid }) => participant_uuid).sort(),
            expected.map(({ participant_uuid }) => participant_uuid).sort(),
          )
          if (subject.source) assert.ok(participants.every(({ value }) => value !== null))
        }
      }
    }),
    { numRuns: 12 },
  )
})
