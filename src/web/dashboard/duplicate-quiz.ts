import type { Quiz } from '#domain/quiz.ts'
import { client } from '#web/api/client.ts'
import { newId } from '#web/editor/new-id.ts'
import { colorsOf, copyName, duplicateDraft } from './duplicate-draft.ts'

/** Makes a copy with the calls of the editor; when one of them fails, nothing is left of it. */
export const duplicateQuiz = async (original_id: string): Promise<Quiz> => {
  const [{ quiz }, content] = await Promise.all([
    client.quizzes.get({ id: original_id }),
    client.questions.unified({ id: original_id }),
  ])
  const { results, draft } = duplicateDraft(content, newId)
  const {
    quiz: { id },
  } = await client.quizzes.create({ body: { name: copyName(quiz.name), type: quiz.type } })
  try {
    await client.results.saveAll({ id, body: { results } })
    await client.questions.saveDraft({ id, body: draft })
    const { consent_mode, consent_text } = quiz
    const body = { ...colorsOf(quiz), consent_mode, consent_text }
    const { quiz: copy } = await client.quizzes.update({ id, body })
    return copy
  } catch (error) {
    // The first failure is the one to tell.
    await client.quizzes.remove({ id }).catch(() => undefined)
    throw error
  }
}
