import { useContext } from 'react'
import { isBlankText } from '#domain/blank-text.ts'
import { DEFAULT_QUIZ_NAME, LIMITS } from '#domain/vocabulary.ts'
import { RefusedFields } from '#web/ui/field.tsx'
import { NAME_FIELD_ID } from './publish-targets.ts'

const ERROR_ID = `${NAME_FIELD_ID}-error`

/** The editable name of the quiz, in the header of every step (spec §2). */
export const QuizNameField = ({
  name,
  rename,
  onEnter,
}: {
  name: string
  rename: (name: string) => void
  onEnter: () => void
}) => {
  const isBlank = isBlankText(name)
  const isFull = name.length >= LIMITS.quiz_name
  const refused = useContext(RefusedFields)[NAME_FIELD_ID]
  const full = isFull ? `Limite atteinte : ${LIMITS.quiz_name} caractères au plus.` : undefined
  const fault = isBlank
    ? 'Le nom est obligatoire : l’ancien est gardé tant que ce champ est vide.'
    : (refused ?? full)
  return (
    <div className="relative min-w-10 flex-1 basis-10 sm:min-w-16 sm:basis-24 xl:max-w-[28rem]">
      <label htmlFor={NAME_FIELD_ID} className="sr-only">
        Nom du quiz
      </label>
      <input
        id={NAME_FIELD_ID}
        dir="auto"
        value={name}
        maxLength={LIMITS.quiz_name}
        autoComplete="off"
        title={name}
        aria-invalid={isBlank || refused !== undefined}
        aria-describedby={fault ? ERROR_ID : undefined}
        onFocus={({ currentTarget }) => {
          // The default name is selected, so that typing replaces it.
          if (name === DEFAULT_QUIZ_NAME) currentTarget.select()
        }}
        onChange={(event) => rename(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter()
        }}
        className="h-9 w-full min-w-0 truncate rounded-lg border border-transparent bg-transparent px-1.5 text-base font-semibold tracking-tight text-ink hover:border-line focus:border-field pointer-coarse:h-11"
      />
      {fault && (
        <p
          id={ERROR_ID}
          className="absolute top-full left-0 z-10 mt-1 w-max max-w-[min(22rem,80vw)] rounded-lg bg-bad-wash px-3 py-2 text-sm text-bad shadow-float"
        >
          {fault}
        </p>
      )}
    </div>
  )
}
