import {
  type ComponentProps,
  type FormEvent,
  Fragment,
  useEffect,
  useId,
  useMemo,
  useReducer,
  useState,
  useSyncExternalStore,
} from 'react'
import { trimText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { addDimension } from '#domain/questionnaire/arrange-dimensions.ts'
import { groupOf } from '#domain/questionnaire/grids/arrange-grids.ts'
import { hasScoreFields } from '#domain/questionnaire/mode.ts'
import { itemsInOrder } from '#domain/questionnaire/pages.ts'
import { isSondage, type Question } from '#domain/questionnaire/quiz.ts'
import {
  hasSetting,
  type SharedSettings,
  withSharedSettings,
} from '#domain/questionnaire/shared-settings.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { draftSessions } from '#web/editor/draft/draft-session-registry.ts'
import { type EditorDraft, newId } from '#web/editor/draft/editor-draft.ts'
import { AUTOSAVE_KINDS } from '#web/editor/draft/use-draft.ts'
import { numbersOf } from '#web/editor/fields/field-labels.ts'
import { focusElement } from '#web/editor/fields/focus.ts'
import type { SettingsTarget } from '#web/editor/questions/draft/use-content-actions.ts'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { type ListRow, SelectableList } from './selectable-list.tsx'
import { rowAfterSelection, type Selection, type SelectionAction, selectRows } from './selection.ts'
import {
  describeSettings,
  KEEP,
  NEW,
  readSettings,
  settingsFields,
  UNCHANGED,
} from './settings-fields.ts'

type Props = {
  quiz_id: string
  target: SettingsTarget
  onClose: () => void
}

/** Gives several questions the same settings in one step. The editing session knows the draft. */
const SharedSettingsDialog = ({ quiz_id, ...props }: Props) => {
  const session = draftSessions.find(quiz_id)
  return session ? <SessionDialog session={session} {...props} /> : null
}

/** Returns the questions that the dialog lists: the rows of a grid, or all questions. */
const listedQuestions = (draft: EditorDraft, target: SettingsTarget): Question[] =>
  (typeof target === 'string' ? groupOf(draft, target) : itemsInOrder(draft)).flatMap((item) =>
    item.kind === 'question' ? item.question : [],
  )

const SessionDialog = ({
  session,
  target,
  onClose,
}: Omit<Props, 'quiz_id'> & { session: DraftSession }) => {
  const id = useId()
  const { draft } = useSyncExternalStore(session.subscribe, session.view)
  const questions = useMemo(() => listedQuestions(draft, target), [draft, target])
  const ids = questions.map((question) => question.id)
  const first = questions.find(({ page_number }) => page_number === target) ?? questions[0]
  const [selection, select] = useReducer(
    (before: Selection, action: SelectionAction) => selectRows(before, action, ids),
    { ids: new Set<string>(), current: first?.id ?? '', anchor: null },
  )
  const [values, setValues] = useState(UNCHANGED)
  const [name, setName] = useState('')
  const [message, setMessage] = useState('')
  const [errors, setErrors] = useState<{ list?: string; settings?: string; name?: string }>({})
  const isNew = values.dimension_id === NEW
  const noun = typeof target === 'string' ? 'ligne' : 'question'
  const hasScores = !isSondage(draft.quiz) && hasScoreFields(draft.quiz_mode)
  const selected = questions.filter((question) => selection.ids.has(question.id))

  const rows = useMemo((): ListRow[] => {
    const numbers = numbersOf(draft)
    return questions.map((question) => ({
      id: question.id,
      text: `${numbers.get(question.id)}. ${trimText(question.text) || 'Sans texte'}`,
      settings: describeSettings(question, { dimensions: draft.dimensions, hasScores }),
    }))
  }, [draft, questions, hasScores])

  const act = (action: SelectionAction): void => {
    setMessage('')
    setErrors({})
    select(action)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const dimension_name = isNew ? trimText(name) : ''
    const settings = readSettings(values, questions)
    const found = {
      ...(selected.length === 0 && { list: `Sélectionnez au moins une ${noun}.` }),
      ...(Object.keys(settings).length === 0 &&
        !isNew && { settings: 'Choisissez au moins un réglage.' }),
      ...(isNew && !dimension_name && { name: 'Donnez un nom à la dimension.' }),
    }
    setErrors(found)
    if (found.list) focusElement(`${id}-list`)
    else if (found.name) focusElement(`${id}-name`)
    else if (found.settings) focusElement(`${id}-${fields[0]?.name}`)
    else apply(settings, dimension_name)
  }
  const apply = (settings: SharedSettings, dimension_name: string): void => {
    const dimension_id = newId()
    const shared = dimension_name ? { ...settings, dimension_id } : settings
    session.change(
      (before) =>
        withSharedSettings(
          dimension_name
            ? addDimension(before, { id: dimension_id, name: dimension_name })
            : before,
          selected.map((question) => question.id),
          shared,
        ),
      { undoGroupKey: null, ...AUTOSAVE_KINDS.questions },
    )
    setMessage(appliedMessage(selected, shared, noun))
    setValues(UNCHANGED)
    setName('')
    const next = rowAfterSelection(selection, ids)
    select({ type: 'cleared', id: next })
    focusElement(`${id}-list`)
  }
  const fields = settingsFields(questions, { dimensions: draft.dimensions, hasScores })
  const nb_selected = selected.length
  return (
    <Dialog
      title={noun === 'ligne' ? 'Régler plusieurs lignes' : 'Régler plusieurs questions'}
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Fermer</Button>
          <Button variant="primary" type="submit" form={id}>
            Appliquer
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={submit} className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p role="status" className="text-sm">
            {message || `${countOf(nb_selected, noun)} sélectionnée${nb_selected > 1 ? 's' : ''}`}
          </p>
          <Button size="compact" onClick={() => act({ type: 'all_toggled' })}>
            {nb_selected === ids.length && nb_selected > 0
              ? 'Tout désélectionner'
              : 'Tout sélectionner'}
          </Button>
        </div>
        <SelectableList
          id={`${id}-list`}
          label={noun === 'ligne' ? 'Lignes à régler' : 'Questions à régler'}
          rows={rows}
          selection={selection}
          select={act}
        />
        <p className="text-xs text-ink-2">
          Majuscule et flèches ou clic : plusieurs à la suite. Espace : une de plus ou de moins.
        </p>
        {errors.list && (
          <p role="alert" className="text-sm text-bad">
            {errors.list}
          </p>
        )}
        <div className="grid gap-3 sm:grid-cols-2">
          {fields.map(({ name: field, label, options }, index) => (
            <Fragment key={field}>
              <Select
                id={`${id}-${field}`}
                label={label}
                value={values[field]}
                options={[{ value: KEEP, label: 'Ne pas changer' }, ...options]}
                {...(index === 0 && errors.settings && { error: errors.settings })}
                onChange={(value) => setValues({ ...values, [field]: value })}
              />
              {field === 'dimension_id' && isNew && (
                <NewDimensionField
                  id={`${id}-name`}
                  value={name}
                  {...(errors.name && { error: errors.name })}
                  onChange={({ currentTarget: { value } }) => setName(value)}
                />
              )}
            </Fragment>
          ))}
        </div>
      </form>
    </Dialog>
  )
}

export default SharedSettingsDialog

/** Asks for the name of a new dimension. Gets the focus when it appears. */
const NewDimensionField = ({
  id,
  ...rest
}: { id: string; error?: string } & Pick<ComponentProps<'input'>, 'value' | 'onChange'>) => {
  useEffect(() => {
    focusElement(id)
  }, [id])
  return (
    <TextField
      {...rest}
      id={id}
      label="Nom de la nouvelle dimension"
      placeholder="Santé, par exemple"
      maxLength={LIMITS.dimension_name}
      autoComplete="off"
    />
  )
}

const countOf = (count: number, noun: string): string =>
  `${count || 'Aucune'} ${noun}${count > 1 ? 's' : ''}`

/** Returns how many of the selected questions have got the settings. */
const appliedMessage = (
  selected: readonly Question[],
  settings: SharedSettings,
  noun: string,
): string => {
  const names = Object.keys(settings) as (keyof SharedSettings)[]
  const changed = selected.filter((question) => names.some((name) => hasSetting(question, name)))
  const rest = selected.length - changed.length
  const applied = `${countOf(changed.length, noun)} réglée${changed.length > 1 ? 's' : ''}`
  return rest === 0
    ? applied
    : `${applied}, ${rest} laissée${rest > 1 ? 's' : ''} : ce réglage n’existe pas pour ce type`
}
