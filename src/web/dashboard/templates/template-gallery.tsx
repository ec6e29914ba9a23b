import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useMemo, useRef, useState } from 'react'
import {
  describeTemplate,
  findTemplates,
  MAX_TEMPLATE_SEARCH,
  parseTemplates,
  type Template,
  type TemplateGoal,
} from '#domain/templates/templates.ts'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { quizzesQuery } from '#web/api/queries.ts'
import type { CreationPanelProps } from '#web/dashboard/creation/quiz-kinds.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { SearchField } from '#web/ui/form/search-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { TemplateFilter } from './template-filter.tsx'
import { TemplatePicture } from './template-picture.tsx'
import { TEMPLATE_TEXTS } from './template-texts.ts'

const TemplateTrial = lazyPart<{ template: Template }>(
  () => import('./template-trial.tsx'),
  'Ce modèle n’a pas pu être chargé.',
)

/** Grid of cards with one column on a phone and four on a wide screen. */
const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-5'

type Props = CreationPanelProps & {
  /** Card before the templates. */
  first?: ReactNode
  /** Key of the template that is opened at first. */
  opened?: string
}

/** Shows each template as its first page, with a filter by purpose. A template can be tried before it is used. */
export default function TemplateGallery({ onCreated, first, opened }: Props) {
  const templates = useMemo(() => parseTemplates(TEMPLATE_TEXTS), [])
  const [goal, setGoal] = useState<TemplateGoal | null>(null)
  const [tried, setTried] = useState(() => templates.find(({ key }) => key === opened) ?? null)
  const creation = useTemplateCreation(onCreated)
  const [searched, setSearched] = useState('')
  const shown = findTemplates(templates, searched).filter(
    (template) => goal === null || template.goal === goal,
  )
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <div className="w-full max-w-72">
          <SearchField
            label="Chercher un modèle"
            maxLength={MAX_TEMPLATE_SEARCH}
            searched={searched}
            onSearch={setSearched}
          />
        </div>
        <TemplateFilter goal={goal} onChoose={setGoal} />
      </div>
      <p role="status" className={shown.length === 0 ? 'text-ink-2' : 'sr-only'}>
        {goal === null && searched === '' ? '' : countText(shown.length)}
      </p>
      <ul aria-label="Modèles" className={GRID}>
        {first && <li>{first}</li>}
        {shown.map((template) => (
          <li key={template.key}>
            <TemplateCard
              template={template}
              creation={creation}
              onTry={() => {
                creation.forgetError()
                setTried(template)
              }}
            />
          </li>
        ))}
      </ul>
      {tried && (
        <Dialog
          title={tried.draft.quiz.name}
          open
          isWide
          onClose={() => setTried(null)}
          footer={<UseTemplateButton template={tried} creation={creation} />}
        >
          <p className="mb-3 text-sm text-ink-2">
            Répondez comme vos participants, jusqu’au bout. Rien n’est enregistré.
          </p>
          <Suspense fallback={<p role="status">Chargement…</p>}>
            <TemplateTrial template={tried} />
          </Suspense>
          <CreationFailure template={tried} creation={creation} />
        </Dialog>
      )}
    </div>
  )
}

/** Returns the number of found templates in French, with other words to try if there is none. */
const countText = (count: number): string => {
  if (count === 0)
    return 'Aucun modèle trouvé. Essayez « formation », « satisfaction », « diagnostic » ou « boutique ».'
  return count === 1 ? '1 modèle' : `${count} modèles`
}

type Creation = ReturnType<typeof useTemplateCreation>
type CardProps = { template: Template; creation: Creation }

const TemplateCard = ({ template, creation, onTry }: CardProps & { onTry: () => void }) => {
  const { draft, purpose } = template
  const { name } = draft.quiz
  return (
    <div className="flex h-full flex-col rounded-xl bg-card shadow-card">
      <TemplatePicture template={template} />
      <div className="flex grow flex-col gap-1 p-4">
        <h3 className="font-semibold text-balance">{name}</h3>
        <p className="text-ink-2">{purpose}</p>
        <p className="text-sm text-ink-2">{describeTemplate(draft)}</p>
        <div className="mt-auto flex flex-wrap gap-2 pt-3">
          <Button aria-label={`Essayer – ${name}`} onClick={onTry}>
            Essayer
          </Button>
          <UseTemplateButton template={template} creation={creation} hasNameInLabel />
        </div>
        <CreationFailure template={template} creation={creation} />
      </div>
    </div>
  )
}

const UseTemplateButton = ({
  template,
  creation,
  hasNameInLabel = false,
}: CardProps & {
  /** True if the label must contain the name of the template, because no dialog title names the template. */
  hasNameInLabel?: boolean
}) => {
  const isBusy = creation.usedKey === template.key
  const label = isBusy ? 'Création…' : 'Utiliser ce modèle'
  return (
    <Button
      variant="primary"
      busy={isBusy}
      aria-label={hasNameInLabel ? `${label} – ${template.draft.quiz.name}` : undefined}
      onClick={() => creation.use(template)}
    >
      {label}
    </Button>
  )
}

const CreationFailure = ({ template, creation: { failed } }: CardProps) =>
  failed?.key === template.key && (
    <div role="alert" className="mt-3 rounded-xl bg-bad-wash p-4 text-bad">
      <p className="font-medium">Le questionnaire n’a pas pu être créé</p>
      <p className="mt-1">{errorText(failed.error)}</p>
    </div>
  )

/** Creates a questionnaire from a template at most once, and returns the state of the creation. */
const useTemplateCreation = (onCreated: CreationPanelProps['onCreated']) => {
  const queryClient = useQueryClient()
  // Set before the next render, so that a second click is ignored.
  const hasStarted = useRef(false)
  const { mutate, isPending, error, variables, reset } = useMutation({
    mutationFn: ({ text }: Template) => client.quizzes.importText({ body: { text } }),
    // Called even if the gallery was closed meanwhile.
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
  return {
    use,
    /** Key of the template that is being created. */
    usedKey: isPending ? variables.key : undefined,
    failed: error && variables ? { key: variables.key, error } : undefined,
    forgetError: () => {
      if (error) reset()
    },
  }
}
