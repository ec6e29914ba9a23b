import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client.ts'
import type { Question } from '#domain/quiz.ts'
import type { Demo } from './demo.ts'

/** Makes and publishes one questionnaire of the demo; gives its id and its stored questions. */
export const buildDemo = async (
  client: Client,
  demo: Demo,
): Promise<{ id: string; questions: Question[] }> => {
  const { quiz } = await client.quizzes.create({ body: { name: demo.name, type: demo.type } })
  const { id } = quiz
  const results = demo.results.map((result) => ({ id: randomUUID(), ...result }))
  await client.results.saveAll({ id, body: { results } })
  const idOf = (name: string): string => {
    const result = results.find((candidate) => candidate.name === name)
    if (!result) throw new Error(`The demo has no result named ${name}`)
    return result.id
  }
  const items = demo.pages.flatMap((page, index) =>
    page.map((item) => ({ ...item, page_number: index + 1 })),
  )
  const placed = items.map((item, global_position) => ({ ...item, global_position }))
  const { questions } = await client.questions.saveDraft({
    id,
    body: {
      questions: placed.flatMap((item) => {
        if (!('question' in item)) return []
        const { question: text, type, page_number, global_position, answers = [] } = item
        return {
          text,
          type,
          page_number,
          global_position,
          answers: answers.map((answer) => ({
            text: answer.text,
            score: answer.score,
            associations: (answer.results ?? []).map((name) => ({
              result_id: idOf(name),
              is_checked: true,
            })),
          })),
        }
      }),
      text_blocks: placed.flatMap((item) =>
        'text_block' in item
          ? {
              content: item.text_block,
              page_number: item.page_number,
              global_position: item.global_position,
            }
          : [],
      ),
    },
  })
  await client.quizzes.publish({ id })
  return { id, questions }
}
