import { Plus } from 'lucide-react'
import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { trimText } from '#domain/common/text.ts'
import {
  type DimensionChart as Chart,
  DIMENSION_CHARTS,
  LIMITS,
} from '#domain/common/vocabulary.ts'
import { dimensionErrors } from '#domain/publishing/dimension-check.ts'
import { nameOfDimension } from '#domain/questionnaire/dimensions.ts'
import { PAGE_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import { MIN_RADAR_AXES } from '#domain/run/radar.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { type EditorDraft, newId } from '#web/editor/draft/editor-draft.ts'
import type { ChangePage } from '#web/editor/draft/use-draft.ts'
import { dimensionFieldId, pageFieldId } from '#web/editor/fields/field-ids.ts'
import { pasteList } from '#web/editor/fields/list-editing.ts'
import { Button } from '#web/ui/button.tsx'
import { RadioGroup } from '#web/ui/form/choice-controls.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { Sortable } from '#web/ui/sorting/sortable.tsx'
import { type ChangeDimensions, changeDimensions } from './change-dimensions.ts'
import { DimensionBoard } from './dimension-board.tsx'
import { DimensionChart } from './dimension-chart.tsx'
import { dimensionLabel, scoredQuestions } from './dimension-figures.ts'
import { DIMENSIONS_GROUP, DimensionRow } from './dimension-row.tsx'

type Props = {
  draft: EditorDraft
  session: DraftSession
  changePage: ChangePage
  /** Shows a toast that offers to undo. */
  announce: (text: string) => void
}

/** Shows the dimensions of a quiz by score: their fields, their chart, and which question counts in which. */
const DimensionsCard = ({ draft, session, changePage, announce }: Props) => {
  const heading_id = useId()
  const { quiz_mode, dimensions } = draft
  const change = useMemo(() => changeDimensions(session), [session])
  return (
    <section
      aria-labelledby={heading_id}
      className="flex flex-col gap-4 rounded-xl bg-card p-4 shadow-card"
    >
      <div className="flex flex-col gap-1">
        <div className="flex items-center justify-between gap-2">
          <h2 id={heading_id} className="text-base font-semibold">
            Dimensions
          </h2>
          <HelpLink about="dimensions" page="dimensions" />
        </div>
        <p className="text-sm text-ink-2">{introduction(draft)}</p>
      </div>
      {quiz_mode !== 'profils' && (
        <>
          <DimensionList draft={draft} change={change} announce={announce} />
          {dimensions.length > 0 && (
            <>
              <ChartChoice draft={draft} changePage={changePage} />
              <Board draft={draft} change={change} />
            </>
          )}
        </>
      )}
    </section>
  )
}

export default DimensionsCard

const introduction = ({ quiz_mode, dimensions }: EditorDraft): ReactNode => {
  if (quiz_mode === 'profils')
    return `Ce quiz calcule ses résultats par profils. Les dimensions additionnent des points : elles demandent un quiz par score.${dimensions.length > 0 ? ' Celles de ce quiz sont gardées, sans être montrées.' : ''}`
  const what =
    'Chaque dimension (santé, travail…) a son propre score, de 0 à 100 %, montré à la fin avec le texte de son palier.'
  return quiz_mode === null && dimensions.length > 0
    ? `${what} Elles compteront dès que des réponses auront un score, ou qu’une échelle sera dans une dimension.`
    : what
}

const DimensionList = ({
  draft,
  change,
  announce,
}: Pick<Props, 'draft' | 'announce'> & { change: ChangeDimensions }) => {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const { dimensions } = draft
  const questions = useMemo(() => scoredQuestions(draft), [draft])
  const errors = useMemo(() => dimensionErrors(draft), [draft])
  const isFull = dimensions.length >= LIMITS.dimensions
  const byId = new Map(dimensions.map((dimension) => [dimension.id, dimension]))

  const add = (name: string): void => {
    if (trimText(name) !== '')
      change({ type: 'dimension_added', id: newId(), name: trimText(name) })
  }
  const remove = (index: number): void => {
    const dimension = dimensions[index]
    if (!dimension) return
    change({ type: 'removed', id: dimension.id })
    announce('Dimension supprimée')
    focusName(dimensions[index + 1]?.id ?? dimensions[index - 1]?.id)
  }
  const focusName = (id: string | undefined): void => {
    const name = id && document.getElementById(dimensionFieldId(id, 'name'))
    if (name) name.focus()
    else field.current?.focus()
  }
  return (
    <>
      <form
        className="flex flex-col gap-3 sm:flex-row sm:items-end"
        onSubmit={(event) => {
          event.preventDefault()
          add(typed)
          setTyped('')
          field.current?.focus()
        }}
      >
        <div className="flex-1">
          <TextField
            ref={field}
            label="Nouvelle dimension"
            placeholder="Santé, par exemple"
            value={typed}
            maxLength={LIMITS.dimension_name}
            autoComplete="off"
            disabled={isFull}
            hint={
              isFull ? `Un questionnaire a ${LIMITS.dimensions} dimensions au plus.` : undefined
            }
            onChange={({ currentTarget: { value } }) => setTyped(value)}
            onPaste={(event) =>
              pasteList(event, (names) => {
                for (const name of names.slice(0, LIMITS.dimensions - dimensions.length))
                  add(name.slice(0, LIMITS.dimension_name))
              })
            }
          />
        </div>
        <Button type="submit" icon={<Plus aria-hidden="true" />} disabled={isFull}>
          Ajouter une dimension
        </Button>
      </form>
      <Sortable
        groups={{ [DIMENSIONS_GROUP]: dimensions.map(({ id }) => id) }}
        nameOf={(id) => nameOfDimension(dimensions, id)}
        placeOf={({ index }, count) => `position ${index + 1} sur ${count}`}
        onMove={(id, { index: to }) => {
          const from = dimensions.findIndex((dimension) => dimension.id === id)
          change({ type: 'moved', from, to, is_dragged: true })
        }}
      >
        {({ [DIMENSIONS_GROUP]: ids = [] }) => (
          <ol className="flex flex-col gap-3 empty:hidden">
            {ids.flatMap((id, index) => {
              const dimension = byId.get(id)
              return dimension ? (
                <DimensionRow
                  key={id}
                  dimension={dimension}
                  index={index}
                  count={ids.length}
                  figures={dimensionLabel(id, questions)}
                  problems={errors.filter(({ dimension_id }) => dimension_id === id)}
                  change={change}
                  onEnter={() => focusName(dimensions[index + 1]?.id)}
                  onRemove={() => remove(index)}
                />
              ) : (
                []
              )
            })}
          </ol>
        )}
      </Sortable>
    </>
  )
}

const Board = ({ draft, change }: { draft: EditorDraft; change: ChangeDimensions }) => {
  const questions = useMemo(() => scoredQuestions(draft), [draft])
  return <DimensionBoard dimensions={draft.dimensions} questions={questions} change={change} />
}

/** Percentages of the sample, by rank. */
const SAMPLE = [80, 45, 65, 30, 90, 55, 70, 40, 85, 50, 60, 35]

const HINTS: Partial<Record<Chart, string>> = {
  none: 'Seul le texte de chaque palier est montré.',
  radar: `À partir de ${MIN_RADAR_AXES} dimensions ; sinon, des barres.`,
}

const ChartChoice = ({ draft, changePage }: Pick<Props, 'draft' | 'changePage'>) => {
  const heading_id = useId()
  const { dimensions, quiz } = draft
  return (
    <section aria-labelledby={heading_id} className="flex flex-col gap-2">
      <h3 id={heading_id} className="text-sm font-semibold">
        {PAGE_FIELDS.dimension_chart.label}
      </h3>
      <div className="grid gap-4 sm:grid-cols-2">
        <RadioGroup
          id={pageFieldId('dimension_chart')}
          legend={PAGE_FIELDS.dimension_chart.label}
          value={quiz.dimension_chart}
          options={DIMENSION_CHARTS.map((value) => ({
            value,
            label: PAGE_FIELDS.dimension_chart.names[value],
            ...(HINTS[value] && { hint: HINTS[value] }),
          }))}
          onChange={(dimension_chart) => changePage({ dimension_chart })}
        />
        {quiz.dimension_chart !== 'none' && (
          <figure className="flex min-w-0 flex-col gap-2 text-sm wrap-anywhere text-brand [&_b]:font-medium [&_ol]:list-inside [&_ol]:list-decimal [&_ol]:text-ink [&_svg]:max-h-56">
            <figcaption className="text-xs text-ink-2">
              Exemple, avec des pourcentages inventés
            </figcaption>
            <DimensionChart
              chart={quiz.dimension_chart}
              dimensions={dimensions.map(({ id }, rank) => ({
                id,
                name: nameOfDimension(dimensions, id),
                percent: SAMPLE[rank] ?? 50,
              }))}
            />
          </figure>
        )}
      </div>
    </section>
  )
}
