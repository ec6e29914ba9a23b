import { useEffect, useState } from 'react'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { CARD_GRID, CARD_PLACE } from './card-styles.ts'
import { type CardActions, mainLinkId, QuizCard } from './quiz-card.tsx'
import type { QuizFigures } from './quiz-figures.ts'
import { findQuizAfter, refusalReason } from './quiz-list.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { useDuplication, useQuizChanges } from './use-quiz-changes.ts'

/** Focuses the card of a quiz; returns false when the card is not on screen. */
export const focusQuiz = (quiz: Pick<Quiz, 'id'> | undefined): boolean => {
  const link = quiz && document.getElementById(mainLinkId(quiz.id))
  link?.focus()
  return link != null
}

type Props = {
  quizzes: readonly Quiz[]
  /** The quizzes that have a card now. */
  shown: readonly Quiz[]
  figuresOf: (id: string) => QuizFigures | null | undefined
  onRemove: (quiz: Quiz) => void
  /** Shows a short message. */
  notify: (text: string) => void
  focusCreate: () => void
  /** Opens the dialog that puts a quiz in a folder. */
  onChooseFolder: (quiz: Quiz) => void
}

/** Renders the cards; each can be copied, changed and deleted. */
export const QuizGrid = ({
  quizzes,
  shown,
  figuresOf,
  onRemove,
  notify,
  focusCreate,
  onChooseFolder,
}: Props) => {
  const { alert, confirm } = useDialogs()
  const { copy, copying, announcement } = useCopies(quizzes)
  const { rename, changeType, withdraw } = useQuizChanges(notify)
  const [renamed, setRenamed] = useState<Quiz | null>(null)

  const remove = async (quiz: Quiz): Promise<void> => {
    const isConfirmed = await confirm(
      `Êtes-vous sûr de vouloir supprimer le quiz "${quiz.name}" ? Cette action est irréversible.`,
      { confirm_label: 'Supprimer', danger: true },
    )
    if (!isConfirmed) return
    if (!focusQuiz(findQuizAfter(shown, quiz.id))) focusCreate()
    onRemove(quiz)
  }

  const save = async (quiz: Quiz, kind: 'json' | 'txt'): Promise<void> => {
    try {
      const { downloadQuiz } = await import('#web/editor/frame/download-quiz.ts')
      await downloadQuiz(quiz, kind)
    } catch (error) {
      await alert(`Le fichier n’a pas pu être préparé.${refusalReason(error)}`)
    }
  }

  const actions: CardActions = {
    rename: setRenamed,
    copy,
    changeType,
    withdraw,
    remove,
    chooseFolder: onChooseFolder,
    download: (quiz) => save(quiz, 'json'),
    downloadText: (quiz) => save(quiz, 'txt'),
  }
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ul className={CARD_GRID}>
        {shown.map((quiz) => (
          <li key={quiz.id} className={CARD_PLACE}>
            <QuizCard
              quiz={quiz}
              figures={figuresOf(quiz.id)}
              isCopying={copying.includes(quiz.id)}
              actions={actions}
            />
          </li>
        ))}
      </ul>
      {renamed && (
        <RenameDialog
          title="Renommer le questionnaire"
          name={renamed.name}
          maxLength={LIMITS.quiz_name}
          onRename={(name) => void rename(renamed, name)}
          onClose={() => setRenamed(null)}
        />
      )}
    </>
  )
}

const useCopies = (quizzes: readonly Quiz[]) => {
  const { alert } = useDialogs()
  const { duplicate, isDuplicating, duplicating } = useDuplication()
  const [announcement, setAnnouncement] = useState('')
  const [awaited, setAwaited] = useState<string | null>(null)

  // The copy appears in the list one render later.
  useEffect(() => {
    const made = quizzes.find(({ id }) => id === awaited)
    if (!made) return
    focusQuiz(made)
    setAwaited(null)
  }, [quizzes, awaited])

  const copy = async ({ id, name }: Quiz): Promise<void> => {
    if (isDuplicating(id)) return
    const asker = document.activeElement
    setAnnouncement(`Copie de « ${name} »…`)
    try {
      const made = await duplicate(id)
      setAnnouncement(`« ${made.name} » a été créé`)
      // The focus stays if the creator has moved it meanwhile.
      if (document.activeElement === asker) setAwaited(made.id)
    } catch (error) {
      setAnnouncement('')
      await alert(`La copie n’a pas pu être faite.${refusalReason(error)}`)
    }
  }
  return { copy, copying: duplicating, announcement }
}
