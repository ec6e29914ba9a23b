import { RefusedCall } from '#contract/client.ts'
import type { Quiz } from '#domain/quiz.ts'
import { useDialogs } from '#web/ui/dialogs.tsx'
import { mainLinkId, QuizCard } from './quiz-card.tsx'
import { quizAfter } from './quiz-list.ts'
import { useQuizRemoval } from './use-quizzes.ts'

const focusOn = (quiz: Pick<Quiz, 'id'> | undefined): boolean => {
  const link = quiz && document.getElementById(mainLinkId(quiz.id))
  link?.focus()
  return link != null
}

/** The cards, as many beside one another as there is room for; each can be deleted. */
export const QuizGrid = ({
  quizzes,
  focusCreate,
}: {
  quizzes: readonly Quiz[]
  focusCreate: () => void
}) => {
  const { alert, confirm } = useDialogs()
  const removeQuiz = useQuizRemoval()

  const remove = async (quiz: Quiz): Promise<void> => {
    const { id, name } = quiz
    const isConfirmed = await confirm(
      `Êtes-vous sûr de vouloir supprimer le quiz "${name}" ? Cette action est irréversible.`,
      { confirm_label: 'Supprimer', danger: true },
    )
    if (!isConfirmed) return
    if (!focusOn(quizAfter(quizzes, id))) focusCreate()
    try {
      await removeQuiz(id)
    } catch (error) {
      const reason = error instanceof RefusedCall ? ` ${error.message}` : ''
      await alert(`Le quiz « ${name} » n’a pas pu être supprimé.${reason}`)
      focusOn(quiz)
    }
  }

  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,23rem),1fr))] gap-4 empty:hidden">
      {quizzes.map((quiz) => (
        <li key={quiz.id}>
          <QuizCard quiz={quiz} onRemove={() => remove(quiz)} />
        </li>
      ))}
    </ul>
  )
}
