import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { isChoice, type Question } from '#domain/questionnaire/quiz.ts'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import { TEMPLATE_TEXTS } from '#web/dashboard/templates/template-texts.ts'
import {
  describeTemplate,
  parseTemplates,
  type Template,
} from '#web/dashboard/templates/templates.ts'
import { QUESTION_TYPE_NAMES } from '#web/editor/fields/field-labels.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceCard } from './choice-card.tsx'
import type { CreationPanelProps } from './quiz-kinds.ts'

/** Renders the results and questions of a template; `children` are its actions. */
const TemplatePreview = ({ template, children }: { template: Template; children: ReactNode }) => {
  const { quiz, results, questions } = template.draft
  return (
    <article className="flex flex-col gap-5">
      <div>
        <h3 className="text-lg font-semibold text-balance">{quiz.name}</h3>
        <p className="mt-1 text-ink-2">{template.purpose}</p>
        <p className="mt-1 text-sm text-ink-2">{describeTemplate(template.draft)}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
      {results.length > 0 && (
        <section>
          <h4 className="font-medium">{`${results.length} résultats`}</h4>
          <ul className="mt-2 flex list-disc flex-col gap-1 pl-5">
            {results.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h4 className="font-medium">{`${questions.length} questions`}</h4>
        <ol className="mt-2 flex list-decimal flex-col gap-3 pl-5">
          {questions.map((question) => (
            <li key={question.id}>
              {question.text}
              <p className="text-sm text-ink-2">{answersOf(question)}</p>
            </li>
          ))}
        </ol>
      </section>
    </article>
  )
}

/** Returns one line about how a question is answered. */
const answersOf = (question: Question): string => {
  if (isChoice(question)) return question.answers.map(({ text }) => text).join(' · ')
  if (question.type !== 'scale') return QUESTION_TYPE_NAMES[question.type]
  const { scale_min, scale_max, scale_min_label, scale_max_label } = question
  const ends = [scale_min_label, scale_max_label].filter((end) => end !== null)
  const named = ends.length > 0 ? ` (${ends.join(' – ')})` : ''
  return `De ${scale_min} à ${scale_max}${named}`
}

/** Renders the templates, each with a preview of its content. */
export default function TemplateGallery({ onCreated }: CreationPanelProps) {
  const id = useId()
  const templates = useMemo(() => parseTemplates(TEMPLATE_TEXTS), [])
  const [shown, setShown] = useState<Template | null>(null)
  const { use, isUsing, error, forgetError } = useTemplate(onCreated)

  if (!shown)
    return (
      <ul className="flex flex-col gap-3">
        {templates.map((template) => (
          <li key={template.key}>
            <ChoiceCard
              id={`${id}-${template.key}`}
              label={template.draft.quiz.name}
              explanation={`${template.purpose} ${describeTemplate(template.draft)}`}
              onChoose={() => setShown(template)}
            >
              <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
            </ChoiceCard>
          </li>
        ))}
      </ul>
    )

  const closeTemplate = (): void => {
    forgetError()
    setShown(null)
    // Waits until the button is rendered again.
    requestAnimationFrame(() => document.getElementById(`${id}-${shown.key}`)?.focus())
  }
  return (
    <TemplatePreview template={shown}>
      <Button autoFocus variant="primary" size="large" busy={isUsing} onClick={() => use(shown)}>
        {isUsing ? 'Création…' : 'Utiliser ce modèle'}
      </Button>
      <Button size="large" disabled={isUsing} onClick={closeTemplate}>
        Voir les autres modèles
      </Button>
      {error && (
        <div role="alert" className="w-full rounded-xl bg-bad-wash p-4 text-bad">
          <p className="font-medium">Le questionnaire n’a pas pu être créé</p>
          <p className="mt-1">{errorText(error)}</p>
        </div>
      )}
    </TemplatePreview>
  )
}

/** Returns a function that creates a questionnaire from a template, once. */
const useTemplate = (onCreated: CreationPanelProps['onCreated']) => {
  const queryClient = useQueryClient()
  // A second click before the next render is ignored.
  const hasStarted = useRef(false)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ text }: Template) => client.quizzes.importText({ body: { text } }),
    // Runs even if the dialog was closed meanwhile.
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: quizzesQuery().queryKey, exact: true }),
    onError: () => {
      hasStarted.current = false
    },
  })
  const use = (template: Template): void => {
    if (hasStarted.current) return
    hasStarted.current = true
    mutate(template, { onSuccess: ({ quiz }) => onCreated(quiz) })
  }
  return { use, isUsing: isPending, error, forgetError: reset }
}
