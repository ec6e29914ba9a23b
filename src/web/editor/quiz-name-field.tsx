import type { ReactNode } from 'react'
import { DEFAULT_QUIZ_NAME, LIMITS } from '#domain/vocabulary.ts'
import { StatusBadge } from '#web/ui/badge.tsx'
import { NAME_FIELD_ID } from './publish-targets.ts'
import type { Editing } from './use-editing.ts'

const ERROR_ID = `${NAME_FIELD_ID}-error`

/** The editable name of the quiz and its status, at the head of a step (spec §2). */
export const QuizNameField = ({
  editing: { quiz, view, rename },
  children,
}: {
  editing: Pick<Editing, 'quiz' | 'view' | 'rename'>
  /** More badges. */
  children?: ReactNode
}) => {
  const { name } = view.draft.quiz
  const isBlank = name.trim() === ''
  const isFull = name.length >= LIMITS.quiz_name
  return (
    <div>
      <div className="flex flex-wrap items-center gap-3">
        <label htmlFor={NAME_FIELD_ID} className="sr-only">
          Nom du quiz
        </label>
        <input
          id={NAME_FIELD_ID}
          value={name}
          maxLength={LIMITS.quiz_name}
          autoComplete="off"
          aria-invalid={isBlank}
          aria-describedby={isBlank || isFull ? ERROR_ID : undefined}
          onFocus={({ currentTarget }) => {
            // The default name is selected, so that typing replaces it.
            if (name === DEFAULT_QUIZ_NAME) currentTarget.select()
          }}
          onChange={(event) => rename(event.currentTarget.value)}
          className="w-full min-w-0 rounded-lg sm:w-auto sm:flex-1 border border-transparent bg-transparent px-2 py-1 text-2xl font-semibold tracking-tight text-ink hover:border-line focus:border-field"
        />
        <StatusBadge status={quiz.status} />
        {children}
      </div>
      {(isBlank || isFull) && (
        <p id={ERROR_ID} className="mt-1 px-2 text-sm text-bad">
          {isBlank
            ? 'Le nom est obligatoire : l’ancien est gardé tant que ce champ est vide.'
            : `Limite atteinte : ${LIMITS.quiz_name} caractères au plus.`}
        </p>
      )}
    </div>
  )
}
