import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'

/** Ids of a quiz that a helper created, for use in a test. */
export type SampleQuiz = {
  id: string
  /** Id of the multiple-choice question on page 1. `answer_ids` are its two answers in order. */
  question_id: string
  answer_ids: string[]
  /** Id of the email question on page 2. */
  open_id: string
  result_ids: string[]
}

/** Creates an unpublished quiz by score: two answers on page 1, an email on page 2, two results. */
export const readyScoreQuiz = async (
  client: Client,
  name = 'Quel rythme ?',
): Promise<SampleQuiz> => {
  const { quiz } = await client.quizzes.create({ body: { name, type: 'quiz' } })
  const result_ids = [randomUUID(), randomUUID()]
  const [low = '', high = ''] = result_ids
  const { id } = quiz
  await client.results.saveAll({
    id,
    body: {
      results: [
        { id: low, name: 'Pas à pas', description: 'Une étape à la fois.' },
        { id: high, name: 'Grand saut' },
      ],
    },
  })
  const question_id = randomUUID()
  const open_id = randomUUID()
  const answer_ids = [randomUUID(), randomUUID()]
  const [first = '', second = ''] = answer_ids
  await client.questions.saveDraft({
    id,
    body: {
      questions: [
        {
          id: question_id,
          text: 'Votre agenda ?',
          type: 'multiple_choice',
          answers: [
            { id: first, text: 'Rempli', score: 1 },
            { id: second, text: 'Libre', score: 5 },
          ],
        },
        { id: open_id, text: 'Où vous écrire ?', type: 'email', page_number: 2 },
      ],
      score_thresholds: {
        [low]: { min_score: 0, max_score: 4 },
        [high]: { min_score: 5, max_score: 10 },
      },
    },
  })
  return { id, question_id, answer_ids, open_id, result_ids }
}

/** Creates an unpublished quiz by profils, in which each answer counts for one result. */
export const readyProfilsQuiz = async (
  client: Client,
  name = 'Quelle boutique ?',
): Promise<SampleQuiz> => {
  const quiz = await readyScoreQuiz(client, name)
  const { id, question_id, answer_ids, result_ids } = quiz
  await client.quizzes.resetMode({ id })
  await client.questions.saveAnswers({
    id: question_id,
    body: {
      answers: answer_ids.map((answer_id, index) => ({
        id: answer_id,
        text: ['Rempli', 'Libre'][index],
        associations: [{ result_id: result_ids[index], is_checked: true }],
      })),
    },
  })
  return quiz
}

/** Creates a quiz by profils with a second multiple-choice question. « Rempli » and « Vif » together give a tie. */
export const readyTiedQuiz = async (
  client: Client,
): Promise<SampleQuiz & { second: Pick<SampleQuiz, 'id' | 'answer_ids'> }> => {
  const quiz = await readyProfilsQuiz(client)
  const second = { id: randomUUID(), answer_ids: [randomUUID(), randomUUID()] }
  await client.questions.create({
    id: quiz.id,
    body: {
      id: second.id,
      text: 'Plutôt ?',
      type: 'multiple_choice',
      answers: second.answer_ids.map((id, rank) => ({
        id,
        text: ['Calme', 'Vif'][rank],
        associations: [{ result_id: quiz.result_ids[rank], is_checked: true }],
      })),
    },
  })
  return { ...quiz, second }
}

/** Creates an unpublished sondage with one multiple-choice question, one email question and no result. */
export const readySondage = async (client: Client, name = 'Votre avis'): Promise<SampleQuiz> => {
  const quiz = await readyScoreQuiz(client, name)
  const { id } = quiz
  await client.quizzes.resetMode({ id })
  await client.results.saveAll({ id, body: { results: [] } })
  await client.quizzes.update({ id, body: { type: 'sondage' } })
  return { ...quiz, result_ids: [] }
}

/** Publishes a created quiz and returns its ids. */
export const publishSample = async (
  client: Client,
  ready: Promise<SampleQuiz>,
): Promise<SampleQuiz> => {
  const quiz = await ready
  await client.quizzes.publish({ id: quiz.id })
  return quiz
}

/** Creates and publishes a quiz by score. */
export const publishedScoreQuiz = (client: Client, name?: string): Promise<SampleQuiz> =>
  publishSample(client, readyScoreQuiz(client, name))

/** Creates and publishes a quiz by score whose participants may leave out their address. */
export const publishedOptionalEmailQuiz = async (client: Client): Promise<SampleQuiz> => {
  const quiz = await readyScoreQuiz(client)
  await client.questions.update({ id: quiz.open_id, body: { is_required: false } })
  await client.quizzes.publish({ id: quiz.id })
  return quiz
}
