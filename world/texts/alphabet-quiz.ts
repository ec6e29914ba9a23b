import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import { OTHER } from '#domain/run/replies.ts'
import type { ConnectedCreator, OutboxApp } from '#server/testing/app/outbox-app.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { setForwarding } from '#server/testing/app/store-connections.ts'
import type { TestApp } from '#server/testing/app/test-app.ts'
import { importQuizFile } from '#server/testing/quizzes/quiz-files.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createFileWithTexts } from './every-text-quiz.ts'

/** Field of the email tools that receives the reply to the long text. */
export const TOOL_FIELD = 'REMARQUE'

/** Participant of a questionnaire whose texts and replies are one name. */
export type AlphabetRun = {
  quiz_id: string
  participant_uuid: string
  email: string
  /** Name of the webhook at the receiver. */
  webhook: string
  /** Paths of the documents of the participant. */
  documents: { report: string; certificate: string; own_page: string }
}

/** Imports a quiz file. Returns the id of the new quiz. */
export const importFile = async (
  app: Pick<TestApp, 'raw'>,
  creator: ConnectedCreator,
  file: object,
): Promise<string> => {
  const reply = await importQuizFile(app as TestApp, creator, JSON.stringify(file))
  assert.equal(reply.statusCode, 201, reply.body)
  return reply.json<{ quiz: { id: string } }>().quiz.id
}

/** Forwards a quiz to a webhook, a result mail and each email tool, with an automation and a mapped field. */
const forward = async (
  app: OutboxApp,
  { client, ...creator }: ConnectedCreator,
  { id, question_id, name }: { id: string; question_id: string; name: string },
): Promise<string> => {
  const mail = { sends_result: true, tells_creator: 'each', subject: name, text: name } as const
  await client.quizMails.set({ id, body: mail })
  const [, result] = (await client.results.list({ id })).results
  for (const provider of PROVIDERS) {
    await setForwarding(app.db, id, provider)
    const field = { source: 'question', question_id, field_name: TOOL_FIELD } as const
    await client.fieldMappings.add({ id, body: { provider, ...field } })
    const rule = { provider, result_id: result?.id, label_name: name }
    await client.automations.add({ id, body: rule })
  }
  return (await app.addWebhook({ client, ...creator }, { id } as SampleQuiz)).name
}

/**
 * Publishes a questionnaire with every kind of part, whose texts are a name, and submits a participant with this name and
 * these replies. Ends after all deliveries.
 */
export const runInAlphabet = async (
  app: OutboxApp,
  creator: ConnectedCreator,
  name: string,
): Promise<AlphabetRun> => {
  // Labels and results need different names.
  const file = createFileWithTexts((_, rank) => (rank === 0 ? name : `${name} ${rank}`))
  const id = await importFile(app, creator, file)
  // Deliveries leave at once.
  await creator.client.quizzes.update({ id, body: { confirms_email: false } })
  const { questions } = await creator.client.questions.unified({ id })
  const [choice, several, , , first_name, textarea, email_question] = questions.map(
    (question) => question.id,
  )
  const question_id = textarea ?? ''
  const webhook = await forward(app, creator, { id, question_id, name })
  await creator.client.quizzes.publish({ id })
  const participant_uuid = randomUUID()
  const email = `${participant_uuid}@exemple.fr`
  const { documents } = await app.client.publicQuiz.submit({
    id,
    body: {
      participant_uuid,
      run_secret: RUN_SECRET,
      parameters: { utm_source: name },
      answers: {
        [choice ?? '']: questions[0]?.answers[1]?.id ?? '',
        [several ?? '']: OTHER + name,
        [first_name ?? '']: name,
        [question_id]: name,
        [email_question ?? '']: email,
      },
    },
  })
  await app.finishDeliveries()
  const { report, certificate, own_page } = documents ?? {}
  assert.ok(report && certificate && own_page, 'the run has documents')
  return {
    quiz_id: id,
    participant_uuid,
    email,
    webhook,
    documents: { report, certificate, own_page },
  }
}
