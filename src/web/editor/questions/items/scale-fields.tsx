import { LIMITS } from '#domain/common/vocabulary.ts'
import { OPTION_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { scaleOf } from '#domain/run/replies.ts'
import { newId } from '#web/editor/draft/editor-draft.ts'
import { optionId } from '#web/editor/fields/field-ids.ts'
import {
  createYesOrNo,
  hasPreset,
  SCALE_PRESETS,
  YES_OR_NO,
} from '#web/editor/questions/draft/presets.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'

/** Shows a scale as visitors see it, with its presets and fields for the labels of its ends. */
const ScaleFields = ({
  question,
  title,
  isInGrid = false,
  change,
  announce,
}: {
  question: Question
  /** Title of the question, such as 'Question 2'. */
  title: string
  /** True for the scale of all rows of a grid. Such a scale has no button that replaces the scale by a choice. */
  isInGrid?: boolean
  change: ChangeQuestions
  /** Shows a toast that can undo the change. */
  announce: (text: string) => void
}) => {
  const { id } = question
  const { from, to } = scaleOf(question)
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const renderEndLabelField = (name: 'scale_min_label' | 'scale_max_label', className: string) => (
    <TextField
      id={optionId(id, name)}
      label={`${OPTION_FIELDS[name].label} – ${title}`}
      hideLabel
      placeholder={`Le ${name === 'scale_min_label' ? from : to} veut dire…`}
      autoComplete="off"
      className={`text-sm ${className}`}
      value={question[name] ?? ''}
      maxLength={LIMITS.scale_label}
      onChange={({ currentTarget: { value } }) =>
        change({
          type: 'question_options_set',
          id,
          options: { [name]: value === '' ? null : value },
        })
      }
    />
  )
  const replaceByYesOrNo = (): void => {
    change({ type: 'question_replaced', id, question: createYesOrNo(question, newId) })
    announce('Échelle remplacée par un choix entre Oui et Non')
  }
  return (
    <div className="flex flex-col gap-2">
      <fieldset aria-label={`Modèles d’échelle – ${title}`} className="flex flex-wrap gap-2">
        {SCALE_PRESETS.map((preset) => (
          <Button
            key={preset.name}
            pill
            size="compact"
            aria-pressed={hasPreset(question, preset)}
            onClick={() => change({ type: 'question_options_set', id, options: preset.options })}
            className="aria-pressed:border-brand aria-pressed:bg-brand-wash"
          >
            {preset.name}
          </Button>
        ))}
        {!isInGrid && (
          <Button pill size="compact" onClick={replaceByYesOrNo}>
            {YES_OR_NO.name}
          </Button>
        )}
      </fieldset>
      <div
        aria-hidden="true"
        className="grid grid-cols-[repeat(auto-fit,minmax(2.25rem,1fr))] gap-1 text-ink-2"
      >
        {numbers.map((number) => (
          <span
            key={number}
            className="rounded-md border border-line py-1 text-center text-sm tabular-nums"
          >
            {number}
          </span>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-3">
        {renderEndLabelField('scale_min_label', '')}
        {renderEndLabelField('scale_max_label', 'text-right')}
      </div>
    </div>
  )
}

export default ScaleFields
