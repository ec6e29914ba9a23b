import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import type { QuizPage } from '#domain/questionnaire/quiz.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { readyScoreQuiz, type SampleQuiz } from './sample-quizzes.ts'

/** Ids of a published quiz with a report and a certificate. */
export type ReportQuiz = SampleQuiz & { first_name_id: string }

/**
 * Publishes a quiz by score that asks for a first name and gives a report and a certificate. The second answer has all
 * points, the first has none.
 */
export const publishReportQuiz = async (
  client: Client,
  quiz: Partial<QuizPage> = {},
): Promise<ReportQuiz> => {
  const sample = await readyScoreQuiz(client, 'Gestes qui sauvent')
  const { id, question_id } = sample
  const first_name_id = randomUUID()
  await client.questions.create({
    id,
    body: {
      id: first_name_id,
      text: 'Votre prénom ?',
      type: 'text',
      page_number: 2,
      contact_role: 'first_name',
      is_required: false,
    },
  })
  const { revision } = await client.drafts.get({ id })
  await client.drafts.save({
    id,
    body: {
      based_on: revision,
      quiz: { report: 'replies', certificate_percent: 50, ...quiz },
      questions: [{ id: question_id, label: 'Agenda' }],
    },
  })
  await client.quizzes.publish({ id })
  return { ...sample, first_name_id }
}

/** Submits replies with the answer at a rank, a name and an address. Returns the answer of the server. */
export const submitToReportQuiz = (
  client: Client,
  { id, question_id, answer_ids, open_id, first_name_id }: ReportQuiz,
  { rank = 1, name = 'Léa', email = 'lea@exemple.fr' } = {},
) =>
  client.publicQuiz.submit({
    id,
    body: {
      run_secret: RUN_SECRET,
      answers: {
        [question_id]: answer_ids[rank] ?? '',
        [open_id]: email,
        ...(name && { [first_name_id]: name }),
      },
    },
  })
