import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { useNavigate } from 'react-router'
import { DEFAULT_QUIZ_NAME, type QuizType } from '#domain/vocabulary.ts'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import { NAME_FIELD_ID } from '#web/editor/publish-targets.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { kindOfArrow, kindOfKey, QUIZ_KINDS } from './quiz-kinds.ts'
import { editPath, withQuiz } from './quiz-list.ts'

/** Creates a questionnaire of the chosen kind, then opens it (spec §2 « Dashboard »). */
export const CreateDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const id = useId()
  const { create, creating, error, forgetError } = useCreation()
  const focusKind = (type: QuizType): void => document.getElementById(`${id}-${type}`)?.focus()

  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const chosen = kindOfKey(event)
    const target = kindOfArrow(event.key)
    if (!chosen && !target) return
    event.preventDefault()
    if (chosen) create(chosen.type)
    else if (target) focusKind(target.type)
  })
  useEffect(() => {
    if (!open) return
    // The dialog has put the focus on its close button.
    document.getElementById(`${id}-${QUIZ_KINDS[0]?.type}`)?.focus()
    // In the capture phase: the dialog stops the propagation of keys.
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [open, id])

  const close = (): void => {
    forgetError()
    onClose()
  }

  return (
    <Dialog title="Créer un questionnaire" open={open} onClose={close}>
      <section aria-labelledby={`${id}-blank`} className="flex flex-col gap-3">
        <h3 id={`${id}-blank`} className="text-sm font-medium text-ink-2">
          Page blanche
        </h3>
        {QUIZ_KINDS.map(({ type, label, explanation }, index) => (
          <div
            key={type}
            className="relative flex items-center gap-4 rounded-xl bg-card p-4 shadow-card outline-offset-2 outline-brand transition-shadow duration-150 hover:shadow-float has-aria-busy:bg-press has-focus-visible:outline-2"
          >
            <div className="flex-1">
              <button
                id={`${id}-${type}`}
                type="button"
                aria-describedby={`${id}-${type}-text`}
                aria-keyshortcuts={`${index + 1}`}
                aria-busy={creating === type || undefined}
                onClick={() => create(type)}
                className="text-base font-semibold after:absolute after:inset-0 focus-visible:shadow-none focus-visible:outline-none"
              >
                {label}
              </button>
              <p id={`${id}-${type}-text`} className="mt-1 text-ink-2">
                {explanation}
              </p>
            </div>
            <kbd className="rounded bg-press px-2 py-0.5 font-sans text-xs text-ink-2 pointer-coarse:hidden">
              {index + 1}
            </kbd>
          </div>
        ))}
        <p role="status" className="sr-only">
          {creating ? 'Création…' : ''}
        </p>
        <div role="alert">
          {error && (
            <div className="rounded-xl bg-bad-wash p-4 text-bad">
              <p className="font-medium">Le questionnaire n’a pas pu être créé</p>
              <p className="mt-1">{errorText(error)}</p>
            </div>
          )}
        </div>
      </section>
    </Dialog>
  )
}

/** The new quiz opens with the focus in its name. */
const TO_NAME = { field_ids: [NAME_FIELD_ID] }

const useCreation = () => {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  // A second click before the next render is ignored.
  const hasStarted = useRef(false)

  const { mutate, reset, isPending, variables, error } = useMutation({
    mutationFn: (type: QuizType) =>
      client.quizzes.create({ body: { name: DEFAULT_QUIZ_NAME, type } }),
    onSuccess: ({ quiz }) => {
      const { queryKey } = quizzesQuery()
      queryClient.setQueryData(queryKey, (list) => list && withQuiz(list, quiz))
      void queryClient.invalidateQueries({ queryKey, exact: true })
    },
    onError: () => {
      hasStarted.current = false
    },
  })
  const create = (type: QuizType): void => {
    if (hasStarted.current) return
    hasStarted.current = true
    // A callback of this call: it does not run when the creator has left the screen meanwhile.
    mutate(type, { onSuccess: ({ quiz }) => void navigate(editPath(quiz), { state: TO_NAME }) })
  }
  const forgetError = (): void => {
    if (error) reset()
  }
  return { create, creating: isPending ? variables : null, error, forgetError }
}
