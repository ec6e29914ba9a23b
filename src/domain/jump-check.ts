import type { PublishError } from './publish-error.ts'
import {
  type Answer,
  type Draft,
  isChoice,
  JUMP_TO_END,
  JUMP_TO_NOWHERE,
  type Question,
} from './quiz.ts'
import { visiblePages, writtenAnswers } from './snapshot.ts'

/**
 * The answers that visitors see and that lead to no later page, each with `nameOf` and why in French: a run would
 * go on with the next page instead.
 */
export const jumpErrors = (
  content: Pick<Draft, 'questions' | 'text_blocks'>,
  nameOf: (answer: Answer, question: Question) => string,
): PublishError[] => {
  const hasJump = ({ answers }: Question): boolean =>
    answers.some(({ jump_to }) => jump_to !== null && jump_to !== JUMP_TO_END)
  if (!content.questions.some(hasJump)) return []
  const visible = new Set(visiblePages(content).map(({ number }) => number))
  return content.questions.filter(isChoice).flatMap((question) =>
    writtenAnswers(question).flatMap((answer) => {
      const fault = jumpFault(answer, question, visible)
      if (!fault) return []
      const about = { question_id: question.id, answer_id: answer.id, field: 'jump_to' }
      return [{ message: `${nameOf(answer, question)} ${fault}`, ...about }]
    }),
  )
}

const jumpFault = (
  { jump_to }: Answer,
  { page_number }: Question,
  visible: ReadonlySet<number>,
): string | undefined => {
  if (jump_to === null || jump_to === JUMP_TO_END) return undefined
  if (jump_to === JUMP_TO_NOWHERE) return 'mène à une page qui a été supprimée'
  if (jump_to === page_number) return 'mène à sa propre page'
  if (jump_to < page_number) return `mène à la page ${jump_to}, qui vient avant la sienne`
  return visible.has(jump_to) ? undefined : `mène à la page ${jump_to}, où il n’y a rien à voir`
}
