import { ChevronDown } from 'lucide-react'
import { memo, Suspense, useContext, useRef, useState } from 'react'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { optionId, optionsId } from '#web/editor/fields/field-ids.ts'
import { focusElement } from '#web/editor/fields/focus.ts'
import { DimensionsContext } from '#web/editor/questions/draft/role-holders.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { optionsLabel } from './options-labels.ts'

const loadPanel = () => import('./options-panel.tsx')
const OptionsPanel = lazyPart(loadPanel, 'Ces champs n’ont pas pu être chargés.')

/** Options that a point to fix or a menu item may focus. */
const FOCUSABLE_OPTIONS = [
  'label',
  'help',
  'contact_role',
  'dimension_id',
  'is_correct',
  'explanation',
]

/** Shows the options of a question as one line that summarises them and expands in place. */
export const QuestionOptions = memo(function QuestionOptions({
  question,
  title,
  hasScores,
  change,
}: {
  question: Question
  /** Title of the question, such as 'Question 2'. */
  title: string
  hasScores: boolean
  change: ChangeQuestions
}) {
  const [isOpen, setOpen] = useState(false)
  const { id } = question
  const line_id = optionsId(id)
  const panel_id = `${line_id}-panel`
  const words = optionsLabel(question, { hasScores, dimensions: useContext(DimensionsContext) })

  // A placeholder has the id of its field. On focus it opens the panel, which then focuses the field.
  const pendingFocusId = useRef<string | null>(null)
  const passFocus = (): void => {
    if (pendingFocusId.current !== null) focusElement(pendingFocusId.current)
    else document.getElementById(line_id)?.parentElement?.scrollIntoView({ block: 'nearest' })
    pendingFocusId.current = null
  }
  const placeholders = FOCUSABLE_OPTIONS.map((name) => (
    <span key={name} id={optionId(id, name)} tabIndex={-1} className="sr-only" />
  ))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handler only reacts to the focus of the controls inside
    <div
      className="flex flex-col gap-2"
      onFocus={({ target }) => {
        if (isOpen || target.id === line_id) return
        pendingFocusId.current = target.id
        setOpen(true)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        setOpen(false)
        focusElement(line_id)
      }}
    >
      <button
        type="button"
        id={line_id}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel_id : undefined}
        onPointerEnter={() => void loadPanel().catch(() => null)}
        onClick={() => setOpen(!isOpen)}
        className="-mx-1 inline-flex min-h-8 max-w-full items-center gap-1 self-start rounded-md px-1 text-left text-ink-3 hover:bg-press hover:text-ink pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0"
      >
        <span className="min-w-0 wrap-anywhere">
          <span className={words ? 'sr-only' : ''}>Options</span>
          <span className="sr-only">{` – ${title}${words ? ' : ' : ''}`}</span>
          {words}
        </span>
        <ChevronDown aria-hidden="true" className={isOpen ? 'rotate-180' : ''} />
      </button>
      {isOpen ? (
        <Suspense fallback={placeholders}>
          <OptionsPanel
            id={panel_id}
            question={question}
            title={title}
            hasScores={hasScores}
            change={change}
            onShown={passFocus}
          />
        </Suspense>
      ) : (
        placeholders
      )}
    </div>
  )
})
