import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import { KindChoice } from '#web/dashboard/kind-choice.tsx'
import type { WayProps } from '#web/dashboard/way-props.ts'
import { Button } from '#web/ui/button.tsx'
import { ModelPreview } from './model-preview.tsx'
import { MODEL_TEXTS } from './model-texts.ts'
import { factsOf, type Model, readModels } from './models.ts'

/** The models, each with what is in it before it is used. */
export default function ModelGallery({ onCreated }: WayProps) {
  const id = useId()
  const models = useMemo(() => readModels(MODEL_TEXTS), [])
  const [shown, setShown] = useState<Model | null>(null)
  const { use, isUsing, error, forgetError } = useModel(onCreated)

  if (!shown)
    return (
      <ul className="flex flex-col gap-3">
        {models.map((model) => (
          <li key={model.key}>
            <KindChoice
              id={`${id}-${model.key}`}
              label={model.draft.quiz.name}
              explanation={`${model.purpose} ${factsOf(model.draft)}`}
              onChoose={() => setShown(model)}
            >
              <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
            </KindChoice>
          </li>
        ))}
      </ul>
    )

  const leave = (): void => {
    forgetError()
    setShown(null)
    // Once its button is there again.
    requestAnimationFrame(() => document.getElementById(`${id}-${shown.key}`)?.focus())
  }
  return (
    <ModelPreview model={shown}>
      <Button autoFocus variant="primary" size="large" busy={isUsing} onClick={() => use(shown)}>
        {isUsing ? 'Création…' : 'Utiliser ce modèle'}
      </Button>
      <Button size="large" disabled={isUsing} onClick={leave}>
        Voir les autres modèles
      </Button>
      {error && (
        <div role="alert" className="w-full rounded-xl bg-bad-wash p-4 text-bad">
          <p className="font-medium">Le questionnaire n’a pas pu être créé</p>
          <p className="mt-1">{errorText(error)}</p>
        </div>
      )}
    </ModelPreview>
  )
}

/** Creates a questionnaire of a model, once. */
const useModel = (onCreated: WayProps['onCreated']) => {
  const queryClient = useQueryClient()
  // A second click before the next render is ignored.
  const hasStarted = useRef(false)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ text }: Model) => client.quizzes.importText({ body: { text } }),
    // Also when the dialog was left meanwhile.
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true }),
    onError: () => {
      hasStarted.current = false
    },
  })
  const use = (model: Model): void => {
    if (hasStarted.current) return
    hasStarted.current = true
    mutate(model, { onSuccess: ({ quiz }) => onCreated(quiz) })
  }
  return { use, isUsing: isPending, error, forgetError: reset }
}
