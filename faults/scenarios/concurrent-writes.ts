import { randomUUID } from 'node:crypto'
import { RefusedCall } from '#contract/client/client.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { compareWithDatabase } from '../runner/compare-with-database.ts'
import { startLoad, submissionOf } from '../runner/load.ts'
import { createRequestLog } from '../runner/request-log.ts'
import { type FaultContext, runUnderLoad } from '../runner/run-under-load.ts'
import { addFailure, BOTH_ENGINES, type Scenario } from '../runner/scenario.ts'

const NB_REPEATS = 31
const NB_TURNS = 12

const submit = async (origin: string, quiz: SampleQuiz, id: string, choice: number) => {
  const init = submissionOf(quiz, id, choice)
  const response = await fetch(`${origin}/api/v1/quizzes/${quiz.id}/submit`, init)
  return { status: response.status, body: await response.text() }
}

/** Sends one submission many times, the first half at once, with alternating answers. */
const repeatSubmission = async ({ installation, client, result }: FaultContext): Promise<void> => {
  const { origin } = installation.product()
  const quiz = await publishedScoreQuiz(client)
  const id = randomUUID()
  const half = Math.floor(NB_REPEATS / 2)
  const simultaneous = await Promise.all(
    Array.from({ length: half }, (_, rank) => submit(origin, quiz, id, rank % 2)),
  )
  const sequential = []
  for (let rank = half; rank < NB_REPEATS; rank++)
    sequential.push(await submit(origin, quiz, id, rank % 2))
  const all = [...simultaneous, ...sequential]
  if (all.filter(({ status }) => status === 201).length !== 1)
    addFailure(result, 'not exactly one response was 201')
  if (all.some(({ status }) => ![200, 201].includes(status)))
    addFailure(result, 'a repeated submission was refused')
  if (new Set(all.map(({ body }) => body)).size !== 1)
    addFailure(result, 'repeated submissions got different responses')
  if ((await client.quizzes.get({ id: quiz.id })).quiz.nb_responses !== 1)
    addFailure(result, 'the participant is not counted exactly once')
}

/** Saves from two tabs on the same base revision, each save twice at once. */
const saveFromTwoTabs = async ({ client, result }: FaultContext): Promise<void> => {
  const { id, question_id } = await publishedScoreQuiz(client)
  for (let turn = 0; turn < NB_TURNS; turn++) {
    const { revision } = await client.drafts.get({ id })
    const bodies = ['gauche', 'droite'].map((tab) => ({
      based_on: revision,
      quiz: { name: `${tab} ${turn}` },
      questions: [{ id: question_id, text: `${tab} ${turn}` }],
    }))
    const outcomes = await Promise.allSettled(
      [...bodies, ...bodies].map((body) => client.drafts.save({ id, body })),
    )
    const nb_stored = outcomes.filter(({ status }) => status === 'fulfilled').length
    const nb_conflicts = outcomes.filter(
      (outcome) =>
        outcome.status === 'rejected' &&
        outcome.reason instanceof RefusedCall &&
        outcome.reason.status === 409,
    ).length
    if (nb_stored !== 1 || nb_conflicts !== outcomes.length - 1)
      addFailure(result, `${nb_stored} saves were stored and ${nb_conflicts} got 409`)
    const draft = await client.drafts.get({ id })
    const question = draft.questions.find((candidate) => candidate.id === question_id)
    if (question?.text !== draft.quiz.name) addFailure(result, 'one draft has changes of both tabs')
    if (draft.questions.length !== 2) addFailure(result, 'a repeated save duplicated a question')
  }
}

/** Submits while the quiz is published again, unpublished, published and deleted. */
const changeQuizDuringSubmissions = async ({
  installation,
  client,
  result,
}: FaultContext): Promise<void> => {
  const { origin } = installation.product()
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  const log = createRequestLog()
  let isOver = false
  const statuses = new Set<number>()
  const visit = async (): Promise<void> => {
    while (!isOver) {
      const participant_uuid = randomUUID()
      const submission = { choice: 0, is_acknowledged: false }
      log.submissions.set(participant_uuid, submission)
      const { status } = await submit(origin, quiz, participant_uuid, 0)
      statuses.add(status)
      submission.is_acknowledged = status === 201
    }
  }
  const visits = Promise.all(Array.from({ length: 8 }, visit))
  for (let turn = 0; turn < NB_TURNS; turn++) {
    await client.quizzes.update({ id, body: { name: `Tour ${turn}` } })
    await client.quizzes.publish({ id })
    await client.quizzes.update({ id, body: { status: 'Brouillon' } })
    await client.quizzes.update({ id, body: { status: 'Publié' } })
  }
  isOver = true
  await visits
  const { nb_lost, nb_duplicated, failures, nb_acknowledged } = await compareWithDatabase(
    installation,
    { quiz, log },
  )
  result.nb_acknowledged += nb_acknowledged
  result.nb_lost += nb_lost
  result.nb_duplicated += nb_duplicated
  addFailure(result, ...failures)
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
      addFailure(result, `a submission to a deleted quiz was answered ${status}`)
  const { status } = await submit(origin, quiz, randomUUID(), 0)
  if (status !== 404) addFailure(result, `a submission after the deletion was answered ${status}`)
}

/** Scenarios F18 to F20: simultaneous writes. */
export const concurrentWrites: Scenario[] = [
  {
    fault: 'F18',
    name: `one submission is sent ${NB_REPEATS} times, half of them at once; it must be stored once`,
    engines: BOTH_ENGINES,
    rounds: { full: 10, short: 0 },
    run: runUnderLoad({ injectFault: repeatSubmission }),
  },
  {
    fault: 'F19',
    name: 'two tabs save one draft at once; one save must be stored, the others must get 409',
    engines: BOTH_ENGINES,
    rounds: { full: 10, short: 0 },
    run: runUnderLoad({ injectFault: saveFromTwoTabs }),
  },
  {
    fault: 'F20',
    name: 'a quiz is published again, unpublished and deleted while submissions arrive',
    engines: BOTH_ENGINES,
    rounds: { full: 10, short: 0 },
    run: runUnderLoad({ injectFault: changeQuizDuringSubmissions }),
  },
]
