import { useQuery } from '@tanstack/react-query'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import type { QuizType } from '#domain/common/vocabulary.ts'
import { errorText } from '#web/api/error-text.ts'
import { editPath, findQuizAfter, refusalReason } from '#web/dashboard/quizzes/quiz-list.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure, Loading, Message } from '#web/ui/feedback/screen-state.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { formatExactTime, formatRelativeTime, useZone } from '#web/ui/moments.ts'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { ScreenHeader } from '#web/ui/screen-header.tsx'
import {
  deletionQuestion,
  emptyingQuestion,
  formatDaysLeft,
  formatTrashedParticipants,
  TRASH_RULE,
  type TrashedQuiz,
} from './trash-labels.ts'
import { trashQuery, useTrashChanges } from './use-trash.ts'

const TITLE = 'Corbeille'
const TYPES: Record<QuizType, string> = { quiz: 'Quiz', sondage: 'Sondage' }
/** Number of rows that are shown at first, and added by the button below them. */
const ROWS_AT_ONCE = 50

/** Returns the id of the title of a row, which gets the focus after the row before it is removed. */
const titleId = (id: string): string => `trashed-${id}`
const focusRow = (quiz: TrashedQuiz | undefined): void => {
  const row = quiz && document.getElementById(titleId(quiz.id))
  const target = row ?? document.querySelector('h1')
  target?.focus()
}

/** Outcome of the last change, shown above the list and read by screen readers. */
type Outcome = { text: string; restored?: TrashedQuiz }

/** Renders the deleted questionnaires, which can be restored for thirty days (docs/decisions/081). */
const TrashPage = () => {
  useZone()
  const query = useQuery(trashQuery())
  const { confirm, alert } = useDialogs()
  const changes = useTrashChanges()
  const [limit, setLimit] = useState(ROWS_AT_ONCE)
  const [busy, setBusy] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const quizzes = query.data?.quizzes

  /** Makes a change, removes the row, and moves the focus from the removed row to the next. */
  const change = async (
    quiz: TrashedQuiz,
    call: (quiz: TrashedQuiz) => Promise<void>,
    words: { done: Outcome; failed: string },
  ): Promise<void> => {
    if (busy !== null) return
    setBusy(quiz.id)
    const next = findQuizAfter(quizzes ?? [], quiz.id)
    try {
      await call(quiz)
      flushSync(() => {
        setBusy(null)
        setOutcome(words.done)
      })
      focusRow(next)
    } catch (error) {
      setBusy(null)
      await alert(`${words.failed}${refusalReason(error)}`)
    }
  }
  const restore = (quiz: TrashedQuiz): Promise<void> =>
    change(quiz, changes.restore, {
      done: { text: `« ${quiz.name} » est restauré.`, restored: quiz },
      failed: `« ${quiz.name} » n’a pas pu être restauré.`,
    })
  const deleteForEver = async (quiz: TrashedQuiz): Promise<void> => {
    const label = 'Supprimer définitivement'
    if (!(await confirm(deletionQuestion(quiz), { confirm_label: label, danger: true }))) return
    await change(quiz, changes.deleteForEver, {
      done: { text: `« ${quiz.name} » est supprimé définitivement.` },
      failed: `« ${quiz.name} » n’a pas pu être supprimé.`,
    })
  }
  const empty = async (all: readonly TrashedQuiz[]): Promise<void> => {
    const label = 'Vider la corbeille'
    if (!(await confirm(emptyingQuestion(all), { confirm_label: label, danger: true }))) return
    try {
      await changes.empty(all)
      flushSync(() => setOutcome({ text: 'La corbeille a été vidée.' }))
      focusRow(undefined)
    } catch (error) {
      await alert(`La corbeille n’a pas pu être vidée.${refusalReason(error)}`)
    }
  }
  const more = (): void => {
    const next = quizzes?.[limit]
    flushSync(() => setLimit(limit + ROWS_AT_ONCE))
    focusRow(next)
  }

  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 p-4 sm:p-6">
      <ScreenHeader
        title={TITLE}
        back={{ to: '/dashboard', label: 'Retour à mes quiz & sondages' }}
      />
      <p className="text-sm text-ink-2">
        <HelpLink about="corbeille" page="modeles-et-dossiers#la-corbeille" />
        {TRASH_RULE}
      </p>
      <p role="status" className="flex flex-wrap gap-x-3 font-medium empty:hidden">
        {outcome && <span dir="auto">{outcome.text}</span>}
        {outcome?.restored && (
          <Link to={editPath(outcome.restored)} className="text-brand underline">
            L’ouvrir
          </Link>
        )}
      </p>
      {query.error && !quizzes && <LoadFailure text={errorText(query.error)} query={query} />}
      {!query.error && !quizzes && <Loading text="Chargement..." />}
      {quizzes?.length === 0 && (
        <Message
          title="La corbeille est vide"
          text="Les questionnaires que vous supprimez arrivent ici."
        />
      )}
      {quizzes && quizzes.length > 0 && (
        <>
          <Button
            icon={<Trash2 aria-hidden="true" />}
            className="self-start"
            onClick={() => void empty(quizzes)}
          >
            Vider la corbeille
          </Button>
          <ul className="flex flex-col gap-3">
            {quizzes.slice(0, limit).map((quiz) => (
              <Row
                key={quiz.id}
                quiz={quiz}
                isBusy={busy === quiz.id}
                onRestore={() => void restore(quiz)}
                onDelete={() => void deleteForEver(quiz)}
              />
            ))}
          </ul>
          {quizzes.length > limit && (
            <Button size="large" className="self-center" onClick={more}>
              Afficher plus de questionnaires
            </Button>
          )}
        </>
      )}
    </div>
  )
}

type RowProps = {
  quiz: TrashedQuiz
  isBusy: boolean
  onRestore: () => void
  onDelete: () => void
}

const Row = ({ quiz, isBusy, onRestore, onDelete }: RowProps) => {
  const { id, name, type, nb_responses, trashed_at } = quiz
  return (
    <li
      aria-busy={isBusy || undefined}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl bg-card p-4 shadow-card"
    >
      <div className="min-w-0 flex-1 basis-64">
        <h2 id={titleId(id)} tabIndex={-1} dir="auto" className="font-semibold wrap-anywhere">
          {name}
        </h2>
        <p className="mt-0.5 text-sm text-ink-2">
          {`${TYPES[type]}, ${formatTrashedParticipants(nb_responses)}`}
        </p>
        <p className="text-sm text-ink-2">
          <span title={formatExactTime(trashed_at)}>
            {`Supprimé ${formatRelativeTime(trashed_at)}`}
          </span>
          <span>{`, ${formatDaysLeft(trashed_at, Date.now())}`}</span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={<RotateCcw aria-hidden="true" />}
          aria-describedby={titleId(id)}
          busy={isBusy}
          onClick={onRestore}
        >
          Restaurer
        </Button>
        <Button variant="ghost" aria-describedby={titleId(id)} busy={isBusy} onClick={onDelete}>
          Supprimer définitivement
        </Button>
      </div>
    </li>
  )
}

export default TrashPage
