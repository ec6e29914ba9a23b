import { randomUUID } from 'node:crypto'
import { RefusedCall } from '#contract/client/client.ts'
import { publishedScoreQuiz, type Ready } from '#server/testing/quizzes/sample-quizzes.ts'
import { check } from '../check.ts'
import { startLoad, submission } from '../load.ts'
import { createRequestLog } from '../request-log.ts'
import { addFailure, BOTH_ENGINES, type Scenario } from '../scenario.ts'
import { type FaultContext, underLoad } from '../under-load.ts'

/** F18, F19, F20: concurrent writes (G7). */

const SENDS = 31
const SAVES = 12

const submit = async (origin: string, quiz: Ready, id: string, choice: number) => {
  const init = submission(quiz, id, choice)
  const response = await fetch(`${origin}/api/v1/quizzes/${quiz.id}/submit`, init)
  return { status: response.status, body: await response.text() }
}

/** Submits one participant 31 times, half of them at once, with two sets of answers. */
const sendOften = async ({ installation, client, result }: FaultContext): Promise<void> => {
  const { origin } = installation.product()
  const quiz = await publishedScoreQuiz(client)
  const id = randomUUID()
  const half = Math.floor(SENDS / 2)
  const together = await Promise.all(
    Array.from({ length: half }, (_, rank) => submit(origin, quiz, id, rank % 2)),
  )
  const after = []
  for (let rank = half; rank < SENDS; rank++) after.push(await submit(origin, quiz, id, rank % 2))
  const all = [...together, ...after]
  if (all.filter(({ status }) => status === 201).length !== 1)
    addFailure(result, 'not stored just once')
  if (all.some(({ status }) => ![200, 201].includes(status))) addFailure(result, 'one was refused')
  if (new Set(all.map(({ body }) => body)).size !== 1) addFailure(result, 'answered in two ways')
  if ((await client.quizzes.get({ id: quiz.id })).quiz.nb_responses !== 1)
    addFailure(result, 'counted more than once')
}

/** Saves from two tabs on the same base revision, repeatedly, with late duplicates. */
const saveFromTwoTabs = async ({ client, result }: FaultContext): Promise<void> => {
  const { id, question_id } = await publishedScoreQuiz(client)
  for (let turn = 0; turn < SAVES; turn++) {
    const { revision } = await client.drafts.get({ id })
    const bodies = ['gauche', 'droite'].map((tab) => ({
      based_on: revision,
      quiz: { name: `${tab} ${turn}` },
      questions: [{ id: question_id, text: `${tab} ${turn}` }],
    }))
    const outcomes = await Promise.allSettled(
      [...bodies, ...bodies].map((body) => client.drafts.save({ id, body })),
    )
    const taken = outcomes.filter(({ status }) => status === 'fulfilled').length
    const late = outcomes.filter(
      (one) =>
        one.status === 'rejected' && one.reason instanceof RefusedCall && one.reason.status === 409,
    ).length
    if (taken !== 1 || late !== outcomes.length - 1)
      addFailure(result, `${taken} saves taken, ${late} late`)
    const draft = await client.drafts.get({ id })
    const question = draft.questions.find((one) => one.id === question_id)
    if (question?.text !== draft.quiz.name) addFailure(result, 'two tabs are mixed in one draft')
    if (draft.questions.length !== 2) addFailure(result, 'a repeated save doubled a question')
  }
}

/** Submits while the quiz is republished, withdrawn, published and deleted. */
const changeUnder = async ({ installation, client, result }: FaultContext): Promise<void> => {
  const { origin } = installation.product()
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  const log = createRequestLog()
  let isOver = false
  const statuses = new Set<number>()
  const visit = async (): Promise<void> => {
    while (!isOver) {
      const participant_uuid = randomUUID()
      const one = { choice: 0, is_acknowledged: false }
      log.sent.set(participant_uuid, one)
      const { status } = await submit(origin, quiz, participant_uuid, 0)
      statuses.add(status)
      one.is_acknowledged = status === 201
    }
  }
  const visits = Promise.all(Array.from({ length: 8 }, visit))
  for (let turn = 0; turn < SAVES; turn++) {
    await client.quizzes.update({ id, body: { name: `Tour ${turn}` } })
    await client.quizzes.publish({ id })
    await client.quizzes.update({ id, body: { status: 'Brouillon' } })
    await client.quizzes.update({ id, body: { status: 'Publié' } })
  }
  isOver = true
  await visits
  const { lost, doubled, wrong, acknowledged } = await check(installation, { quiz, log })
  result.acknowledged += acknowledged
  result.lost += lost
  result.doubled += doubled
  addFailure(result, ...wrong)
  for (const status of statuses)
    if (![201, 403].includes(status)) addFailure(result, `a submission was answered ${status}`)

  const load = startLoad({ origin, quiz: await publishedScoreQuiz(client), client })
  isOver = false
  statuses.clear()
  const last = Promise.all(Array.from({ length: 8 }, visit))
  await client.quizzes.remove({ id })
  isOver = true
  await last
  await load.finish()
  for (const status of statuses)
    if (![201, 404].includes(status))
      addFailure(result, `a submission to a deleted quiz: ${status}`)
  const { status } = await submit(origin, quiz, randomUUID(), 0)
  if (status !== 404) addFailure(result, `a deleted quiz answered ${status}`)
}

/** Scenarios F18 to F20: simultaneous submissions and saves. */
export const races: Scenario[] = [
  {
    fault: 'F18',
    name: `one participant sent ${SENDS} times, half at once`,
    engines: BOTH_ENGINES,
    rounds: { whole: 10, short: 0 },
    run: underLoad({ disturb: sendOften }),
  },
  {
    fault: 'F19',
    name: 'two tabs save at once, and again',
    engines: BOTH_ENGINES,
    rounds: { whole: 10, short: 0 },
    run: underLoad({ disturb: saveFromTwoTabs }),
  },
  {
    fault: 'F20',
    name: 'submissions while their quiz is published, withdrawn, deleted',
    engines: BOTH_ENGINES,
    rounds: { whole: 10, short: 0 },
    run: underLoad({ disturb: changeUnder }),
  },
]
