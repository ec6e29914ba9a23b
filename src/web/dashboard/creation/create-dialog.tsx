import { useMutation } from '@tanstack/react-query'
import { ArrowLeft, ChevronRight } from 'lucide-react'
import { Suspense, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { DEFAULT_QUIZ_NAME, type QuizType } from '#domain/common/vocabulary.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { Button } from '#web/ui/button.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ChoiceCard } from './choice-card.tsx'
import { CREATION_METHODS, TEXT_METHOD } from './creation-methods.tsx'
import { ImportFile } from './import-file.tsx'
import { type ImportedText, kindOfArrow, kindOfKey, QUIZ_KINDS } from './quiz-kinds.ts'
import { useOpenNewQuiz } from './use-open-new-quiz.ts'

/** Creates an empty questionnaire, or one from a template, a text or a file, and opens it (product 7.4). */
export const CreateDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const id = useId()
  const [methodKey, setMethodKey] = useState<string | null>(null)
  const [imported, setImported] = useState<ImportedText>()
  const method = CREATION_METHODS.find(({ key }) => key === methodKey)
  const openCreated = useOpenNewQuiz()
  const creation = useCreation(openCreated)

  const leaveMethod = (): void => {
    setMethodKey(null)
    setImported(undefined)
    // Waits until the button is rendered again.
    requestAnimationFrame(() => document.getElementById(`${id}-${methodKey}`)?.focus())
  }
  const close = (): void => {
    setMethodKey(null)
    setImported(undefined)
    creation.forgetError()
    onClose()
  }

  return (
    <Dialog
      title={method?.label ?? 'Créer un questionnaire'}
      open={open}
      onClose={close}
      isWide={method?.isWide === true}
    >
      {method ? (
        <div className="flex flex-col gap-4">
          <Button
            autoFocus
            variant="ghost"
            icon={<ArrowLeft aria-hidden="true" />}
            onClick={leaveMethod}
            className="self-start"
          >
            Retour aux choix
          </Button>
          <Suspense fallback={<p role="status">Chargement…</p>}>
            <method.Panel onCreated={openCreated} imported={imported} />
          </Suspense>
        </div>
      ) : (
        <div className="flex flex-col gap-6">
          <BlankPage id={id} creation={creation} />
          <section
            id={`${id}-ways`}
            aria-labelledby={`${id}-ways-title`}
            className="flex flex-col gap-3"
          >
            <h3 id={`${id}-ways-title`} className="text-sm font-medium text-ink-2">
              Autres façons de commencer
            </h3>
            {CREATION_METHODS.map(({ key, label, explanation }) => (
              <ChoiceCard
                key={key}
                id={`${id}-${key}`}
                label={label}
                explanation={explanation}
                onChoose={() => setMethodKey(key)}
              >
                <ChevronRight aria-hidden="true" className="size-4 text-ink-3" />
              </ChoiceCard>
            ))}
            <ImportFile
              onCreated={openCreated}
              onConverted={(converted) => {
                setImported(converted)
                setMethodKey(TEXT_METHOD)
              }}
            />
          </section>
        </div>
      )}
    </Dialog>
  )
}

/** Renders the two choices of the specification. */
const BlankPage = ({ id, creation }: { id: string; creation: Creation }) => {
  const { create, creating, error } = creation
  const focusKind = (type: QuizType): void => document.getElementById(`${id}-${type}`)?.focus()

  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const chosen = kindOfKey(event)
    const methods = document.getElementById(`${id}-ways`)
    const target = methods?.contains(document.activeElement) ? undefined : kindOfArrow(event.key)
    if (!chosen && !target) return
    event.preventDefault()
    if (chosen) create(chosen.type)
    else if (target) focusKind(target.type)
  })
  useEffect(() => {
    // Uses the capture phase, because the dialog stops the propagation of keys.
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [])

  return (
    <section aria-labelledby={`${id}-blank`} className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-2">
        <h3 id={`${id}-blank`} className="text-sm font-medium text-ink-2">
          Page blanche
        </h3>
        <HelpLink about="créer un questionnaire" page="premier-quiz#creer-le-questionnaire" />
      </div>
      {QUIZ_KINDS.map(({ type, label, explanation }, index) => (
        <ChoiceCard
          key={type}
          id={`${id}-${type}`}
          label={label}
          explanation={explanation}
          shortcut={`${index + 1}`}
          isBusy={creating === type}
          isFirst={index === 0}
          onChoose={() => create(type)}
        >
          <kbd className="rounded bg-press px-2 py-0.5 font-sans text-xs text-ink-2 pointer-coarse:hidden">
            {index + 1}
          </kbd>
        </ChoiceCard>
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
  )
}

type Creation = ReturnType<typeof useCreation>

const useCreation = (onCreated: (quiz: Quiz) => void) => {
  // A second click before the next render is ignored.
  const hasStarted = useRef(false)

  const { mutate, reset, isPending, variables, error } = useMutation({
    mutationFn: (type: QuizType) =>
      client.quizzes.create({ body: { name: DEFAULT_QUIZ_NAME, type } }),
    onError: () => {
      hasStarted.current = false
    },
  })
  const create = (type: QuizType): void => {
    if (hasStarted.current) return
    hasStarted.current = true
    // A callback of `mutate` does not run if the creator has left the screen meanwhile.
    mutate(type, { onSuccess: ({ quiz }) => onCreated(quiz) })
  }
  const forgetError = (): void => {
    if (error) reset()
  }
  return { create, creating: isPending ? variables : null, error, forgetError }
}
