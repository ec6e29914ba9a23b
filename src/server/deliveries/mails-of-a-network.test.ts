import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMailScene } from '#server/testing/app/mail-scene.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it repeats its rule with each fault of each tool.

const MAILS_OF_A_NETWORK = 2
const { db, raw, advanceClock, finishDeliveries, newAddress, countMailsTo, createMailQuiz } =
  await createMailScene({
    RESULT_MAILS_PER_NETWORK: String(MAILS_OF_A_NETWORK),
  })

/** Submits a response from the given IP address, and returns the email address of the participant. */
const comeFrom = async (quiz: SampleQuiz, remoteAddress: string): Promise<string> => {
  const email = newAddress()
  const answers = { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: email }
  const url = `/api/v1/quizzes/${quiz.id}/submit`
  const { statusCode } = await raw({ method: 'POST', url, remoteAddress, payload: { answers } })
  assert.equal(statusCode, 201)
  return email
}

test('the number of result mails per network and day is limited, and all responses are stored', async () => {
  const [first, other] = [await createMailQuiz(), await createMailQuiz()]
  const addresses: string[] = []
  for (const { quiz } of [first, first, first, other])
    addresses.push(await comeFrom(quiz, '2001:db8:1:ff::7'))
  addresses.push(await comeFrom(first.quiz, '203.0.113.9'))
  await finishDeliveries()
  assert.deepEqual(countMailsTo(addresses), [1, 1, 0, 0, 1])
  assert.deepEqual(await first.balance(), { delivered: 3, refused: 1 })
  assert.deepEqual(await other.balance(), { refused: 1 })
  assert.ok(
    (await first.listReasons()).includes(
      'Beaucoup d’emails ont déjà été demandés aujourd’hui depuis le réseau de cette personne.',
    ),
  )
})

test('responses to a quiz without mails do not count for a network, and the network is not stored', async () => {
  const { quiz, setMails } = await createMailQuiz()
  await setMails({ sends_result: false })
  for (let times = 0; times < 4; times++) await comeFrom(quiz, '198.51.100.1')
  await setMails({ sends_result: true })
  const addresses = [await comeFrom(quiz, '198.51.100.1')]
  await advanceClock(1_000)
  await finishDeliveries()
  assert.deepEqual(countMailsTo(addresses), [1])
  const tallies = await db.selectFrom('daily_mail_totals').select('subject_hash').execute()
  assert.ok(tallies.every(({ subject_hash }) => subject_hash.length === 32))
})
