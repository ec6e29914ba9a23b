import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client.ts'

/** What a measured quiz holds; questions are spread evenly over the pages. */
export type Size = { questions: number; answers: number; results: number; pages: number }

/** One blank question, so that there is somewhere to type. */
export const EMPTY: Size = { questions: 1, answers: 2, results: 2, pages: 1 }
export const LARGE: Size = { questions: 300, answers: 6, results: 6, pages: 60 }

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** Makes a quiz of this size, its mode unset, so that scores and associations both show. */
export const makeQuiz = async (client: Client, size: Size): Promise<string> => {
  const name = `${size.questions} questions`
  const { quiz } = await client.quizzes.create({ body: { name, type: 'quiz' } })
  for (const rank of upTo(size.results))
    await client.results.create({ id: quiz.id, body: { name: `Résultat ${rank}` } })
  const isBlank = size === EMPTY
  await client.questions.saveDraft({
    id: quiz.id,
    body: {
      questions: upTo(size.questions).map((number) => ({
        id: randomUUID(),
        text: isBlank ? '' : `Que faites-vous le jour ${number} de votre lancement ?`,
        type: 'multiple_choice' as const,
        global_position: number - 1,
        page_number: Math.ceil((number * size.pages) / size.questions),
        answers: upTo(size.answers).map((rank) => ({
          id: randomUUID(),
          text: isBlank ? '' : `La réponse ${rank} de la question ${number}`,
          score: null,
          associations: [],
        })),
      })),
      text_blocks: [],
      score_thresholds: {},
      quiz_mode: null,
    },
  })
  return quiz.id
}
