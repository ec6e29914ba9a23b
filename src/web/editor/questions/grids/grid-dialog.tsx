import { type FormEvent, useState } from 'react'
import { useLocation } from 'react-router'
import { fitItems, pastedLines } from '#domain/common/pasted-lines.ts'
import { isBlankText } from '#domain/common/text.ts'
import {
  LIMITS,
  SCALE_MAXIMA,
  SCALE_MINIMA,
  type ScaleMaximum,
  type ScaleMinimum,
} from '#domain/common/vocabulary.ts'
import type { Item } from '#domain/questionnaire/pages.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { newId } from '#web/editor/draft/editor-draft.ts'
import { pasteLossMessage } from '#web/editor/fields/list-editing.ts'
import { createAnswer, createQuestion } from '#web/editor/questions/draft/new-items.ts'
import { Button } from '#web/ui/button.tsx'
import { RadioGroup } from '#web/ui/form/choice-controls.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

const KINDS = [
  { value: 'scale', label: 'Échelle' },
  { value: 'multiple_choice', label: 'Choix unique' },
] as const

/** Returns the lines of a text that are not blank. List marks of several lines are removed. */
const linesOf = (text: string): string[] =>
  (pastedLines(text) ?? [text.trim()]).filter((line) => !isBlankText(line))

const toOptions = (numbers: readonly number[]) =>
  numbers.map((number) => ({ value: `${number}`, label: `${number}` }))

/** Input of the dialog. */
type GridInput = {
  title: string
  type: 'scale' | 'multiple_choice'
  range: { min: ScaleMinimum; max: ScaleMaximum }
  labels: { min: string; max: string }
  answers: string
  rows: string
}
const EMPTY_GRID: GridInput = {
  title: '',
  type: 'scale',
  range: { min: 1, max: 5 },
  labels: { min: 'Pas du tout d’accord', max: 'Tout à fait d’accord' },
  answers: '',
  rows: '',
}

/** Input of the last dialog that was closed without « Annuler », and the path of its screen. */
let unfinished: { pathname: string; input: GridInput } | undefined

/** Asks for the title, the columns and the rows of a new grid. */
const GridDialog = ({
  quiz_id,
  max_items,
  onAdd,
  onClose,
}: {
  quiz_id: string
  /** Number of questions that can be added. */
  max_items: number
  onAdd: (items: Item[]) => void
  onClose: () => void
}) => {
  const { pathname } = useLocation()
  const kept = unfinished?.pathname === pathname ? unfinished.input : EMPTY_GRID
  const [title, setTitle] = useState(kept.title)
  const [type, setType] = useState(kept.type)
  const [range, setRange] = useState(kept.range)
  const [labels, setLabels] = useState(kept.labels)
  const [answers, setAnswers] = useState(kept.answers)
  const [rows, setRows] = useState(kept.rows)
  const [errors, setErrors] = useState<{ answers?: string; rows?: string }>({})

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const columns = fitItems(linesOf(answers), {
      max_items: LIMITS.answers_per_question,
      max_length: LIMITS.answer_text,
    })
    const fitted = fitItems(linesOf(rows), { max_items, max_length: LIMITS.question_text })
    const lost = {
      answers: pasteLossMessage(columns, {
        max_length: LIMITS.answer_text,
        full: `Une question a ${LIMITS.answers_per_question} réponses au plus.`,
      }),
      rows: pasteLossMessage(fitted, {
        max_length: LIMITS.question_text,
        full: `Un questionnaire a ${LIMITS.questions} questions au plus.`,
      }),
    }
    const isChoice = type === 'multiple_choice'
    const found = {
      ...(isChoice && lost.answers && { answers: lost.answers }),
      ...(isChoice &&
        columns.items.length < 2 && { answers: 'Écrivez au moins deux réponses, une par ligne.' }),
      ...(lost.rows && { rows: lost.rows }),
      ...(fitted.items.length === 0 && { rows: 'Écrivez au moins une question, une par ligne.' }),
    }
    setErrors(found)
    if (found.answers || found.rows) return
    onAdd(fitted.items.map((text, rank) => rowOf(text, rank, columns.items)))
    discard()
  }
  const discard = (): void => {
    unfinished = undefined
    onClose()
  }
  const keepAndClose = (): void => {
    unfinished = { pathname, input: { title, type, range, labels, answers, rows } }
    onClose()
  }

  const rowOf = (text: string, rank: number, columns: readonly string[]): Item => {
    const scale = {
      scale_min: range.min,
      scale_max: range.max,
      shows_recommendation: false,
      scale_min_label: isBlankText(labels.min) ? null : labels.min,
      scale_max_label: isBlankText(labels.max) ? null : labels.max,
    }
    // A grid of one row without a title would be a single question.
    const grid_title = isBlankText(title) ? 'Grille' : title.trim()
    const options = {
      ...(type === 'scale' && scale),
      continues_grid: rank > 0,
      grid_title: rank > 0 ? null : grid_title,
    }
    const row: Question = { ...createQuestion(type, { quiz_id, newId, options }), text }
    if (type === 'scale') return { kind: 'question', question: row }
    const own = columns.map((column, position) => ({
      ...createAnswer(row.id, newId(), column),
      position,
    }))
    return { kind: 'question', question: { ...row, answers: own } }
  }

  return (
    <Dialog
      title="Ajouter une grille"
      open
      onClose={keepAndClose}
      footer={
        <>
          <Button onClick={discard}>Annuler</Button>
          <Button variant="primary" type="submit" form="grid-form">
            Ajouter la grille
          </Button>
        </>
      }
    >
      <form id="grid-form" noValidate onSubmit={submit} className="flex flex-col gap-4">
        <HelpLink about="grilles" page="grilles" />
        <TextField
          label="Titre de la grille"
          data-initial-focus
          value={title}
          maxLength={LIMITS.grid_title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <RadioGroup legend="Réponses" value={type} options={KINDS} onChange={setType} />
        {type === 'scale' ? (
          <div className="grid grid-cols-2 gap-3">
            <Select
              label="De"
              value={`${range.min}`}
              options={toOptions(SCALE_MINIMA)}
              onChange={(value) => setRange({ ...range, min: Number(value) as ScaleMinimum })}
            />
            <Select
              label="À"
              value={`${range.max}`}
              options={toOptions(SCALE_MAXIMA)}
              onChange={(value) => setRange({ ...range, max: Number(value) as ScaleMaximum })}
            />
            <TextField
              label={`Le ${range.min} veut dire`}
              value={labels.min}
              maxLength={LIMITS.scale_label}
              onChange={(event) => setLabels({ ...labels, min: event.currentTarget.value })}
            />
            <TextField
              label={`Le ${range.max} veut dire`}
              value={labels.max}
              maxLength={LIMITS.scale_label}
              onChange={(event) => setLabels({ ...labels, max: event.currentTarget.value })}
            />
          </div>
        ) : (
          <TextField
            multiline
            label="Réponses, une par ligne"
            className="min-h-20"
            value={answers}
            error={errors.answers}
            onChange={(event) => setAnswers(event.currentTarget.value)}
          />
        )}
        <TextField
          multiline
          label="Questions, une par ligne"
          hint="Chaque ligne devient une question de la grille."
          className="min-h-28"
          value={rows}
          error={errors.rows}
          onChange={(event) => setRows(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  )
}

export default GridDialog
