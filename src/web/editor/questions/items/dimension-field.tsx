import { useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { trimText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { nameOfDimension } from '#domain/questionnaire/dimensions.ts'
import { OPTION_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { draftSessions } from '#web/editor/draft/draft-session-registry.ts'
import { newId } from '#web/editor/draft/editor-draft.ts'
import { dimensionFieldId, optionId } from '#web/editor/fields/field-ids.ts'
import { focusElement } from '#web/editor/fields/focus.ts'
import { targetPath } from '#web/editor/fields/target-path.ts'
import { changeDimensions } from '#web/editor/results/dimensions/change-dimensions.ts'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'

/** Edits the dimension of a question, in a quiz by score. The editing session knows the dimensions. */
export const DimensionField = ({ question }: { question: Question }) => {
  const session = draftSessions.find(question.quiz_id)
  return session ? <DimensionSelect question={question} session={session} /> : null
}

const NONE = 'none'
const NEW = 'new'

const DimensionSelect = ({ question, session }: { question: Question; session: DraftSession }) => {
  const { dimensions } = useSyncExternalStore(session.subscribe, session.view).draft
  const [isNaming, setNaming] = useState(false)
  const change = changeDimensions(session)
  const { id: question_id, dimension_id } = question
  const select_id = optionId(question_id, 'dimension_id')
  const isFull = dimensions.length >= LIMITS.dimensions
  return (
    <div className="flex flex-col gap-2">
      <Select
        id={select_id}
        label={OPTION_FIELDS.dimension_id.label}
        hint="Une échelle y compte toujours."
        value={isNaming ? NEW : (dimension_id ?? NONE)}
        options={[
          { value: NONE, label: 'Aucune' },
          ...dimensions.map(({ id }) => ({ value: id, label: nameOfDimension(dimensions, id) })),
          ...(isFull ? [] : [{ value: NEW, label: 'Nouvelle dimension…' }]),
        ]}
        onChange={(chosen) => {
          setNaming(chosen === NEW)
          if (chosen !== NEW)
            change({
              type: 'question_assigned',
              question_id,
              dimension_id: chosen === NONE ? null : chosen,
            })
        }}
      />
      {dimensions.length > 0 && (
        <Link
          to={targetPath(question.quiz_id, { step: 'results', field_ids: [] })}
          state={{ field_ids: [dimensionFieldId(question_id, 'of-question')] }}
          className="inline-flex min-h-6 items-center self-start text-sm text-brand underline underline-offset-2 pointer-coarse:min-h-11"
        >
          Tableau des dimensions de toutes les questions
        </Link>
      )}
      {isNaming && (
        <NewDimension
          onCreate={(name) => {
            change({ type: 'dimension_added', id: newId(), name, question_id })
            setNaming(false)
            focusElement(select_id)
          }}
          onCancel={() => {
            setNaming(false)
            focusElement(select_id)
          }}
        />
      )}
    </div>
  )
}

/** Asks for the name of a new dimension. Enter creates it, Escape cancels. */
const NewDimension = ({
  onCreate,
  onCancel,
}: {
  onCreate: (name: string) => void
  onCancel: () => void
}) => {
  const [name, setName] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const create = (): void => {
    if (trimText(name) === '') field.current?.focus()
    else onCreate(trimText(name))
  }
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="min-w-40 flex-1">
        <TextField
          ref={(element) => {
            if (element && field.current !== element) element.focus()
            field.current = element
          }}
          label="Nom de la nouvelle dimension"
          placeholder="Santé, par exemple"
          value={name}
          maxLength={LIMITS.dimension_name}
          autoComplete="off"
          onChange={({ currentTarget: { value } }) => setName(value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== 'Escape') return
            event.preventDefault()
            event.stopPropagation()
            if (event.key === 'Enter') create()
            else onCancel()
          }}
        />
      </div>
      <Button onClick={create}>Créer la dimension</Button>
    </div>
  )
}
