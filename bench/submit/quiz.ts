import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import { addPictures, publishFullQuiz } from '#server/testing/quizzes/full-quiz.ts'
import { signUpCreator } from '../creator.ts'

/** Published quiz with nine choices of four answers each and an email question. */
export type Quiz = {
  id: string
  version: number
  choices: { id: string; answer_ids: string[] }[]
  email_id: string
  result_ids: string[]
  /** Typed replies besides the address. */
  typed: { id: string; reply: string }[]
}

/** Contact questions of a quiz: first name, last name and phone number, with or without their roles. */
export type ContactQuestions = 'with roles' | 'without roles'

const CONTACT = [
  { contact_role: 'first_name', text: 'Votre prénom ?', type: 'text', reply: 'Camille' },
  { contact_role: 'last_name', text: 'Votre nom ?', type: 'text', reply: 'Durand' },
  { contact_role: 'phone', text: 'Votre téléphone ?', type: 'phone', reply: '06 12 34 56 78' },
] as const

const CHOICES = 9
const ANSWERS = 4

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** Creates a creator and the quiz. `is_whole` adds all optional parts and a participant limit that is not reached. */
export const makeQuiz = async (origin: string, is_whole = false): Promise<Quiz> => {
  const client = await signUpCreator(origin)
  const quiz = await makeQuizOf(client)
  if (!is_whole) return quiz
  await publishFullQuiz(client, quiz.id, await addPictures(client))
  return { ...quiz, version: 2 }
}

/** Creates the plain quiz for an existing creator. */
export const makeQuizOf = async (client: Client, contact?: ContactQuestions): Promise<Quiz> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Mesure', type: 'quiz' } })
  const { id } = quiz
  const result_ids = upTo(3).map(() => randomUUID())
  const results = result_ids.map((result_id, rank) => ({ id: result_id, name: `Profil ${rank}` }))
  await client.results.saveAll({ id, body: { results } })
  const choices = upTo(CHOICES).map(() => ({
    id: randomUUID(),
    answer_ids: upTo(ANSWERS).map(() => randomUUID()),
  }))
  const email_id = randomUUID()
  const asked = choices.map((choice, rank) => ({
    id: choice.id,
    text: `Question ${rank}`,
    type: 'multiple_choice' as const,
    answers: choice.answer_ids.map((answer_id, score) => ({
      id: answer_id,
      text: `Réponse ${score}`,
      score,
    })),
  }))
  const contacts = (contact ? CONTACT : []).map(({ contact_role, text, type, reply }) => ({
    question: {
      id: randomUUID(),
      text,
      type,
      contact_role: contact === 'with roles' ? contact_role : null,
    },
    reply,
  }))
  const last = { id: email_id, text: 'Où vous écrire ?', type: 'email' as const }
  const score_thresholds = Object.fromEntries(
    result_ids.map((result_id, rank) => [
      result_id,
      { min_score: rank * 10, max_score: rank * 10 + 9 },
    ]),
  )
  await client.questions.saveDraft({
    id,
    body: {
      questions: [...asked, ...contacts.map(({ question }) => question), last],
      score_thresholds,
      quiz_mode: 'score',
    },
  })
  await client.quizzes.publish({ id })
  const typed = contacts.map(({ question, reply }) => ({ id: question.id, reply }))
  return { id, version: 1, choices, email_id, result_ids, typed }
}
