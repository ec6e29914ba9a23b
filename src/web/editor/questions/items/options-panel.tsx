import { useContext, useLayoutEffect } from 'react'
import { trimText } from '#domain/common/text.ts'
import { CONTACT_ROLES, LIMITS, SCALE_MAXIMA, SCALE_MINIMA } from '#domain/common/vocabulary.ts'
import {
  CONTACT_ROLE_LABELS,
  canHaveRole,
  contactRoleOf,
} from '#domain/questionnaire/contact-roles.ts'
import { OPTION_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import { QUESTION_TYPE_NAMES } from '#domain/questionnaire/question-type-names.ts'
import { isChoice, type Question, type QuestionOptions } from '#domain/questionnaire/quiz.ts'
import { canHavePoints, type ScaleOptions } from '#domain/questionnaire/shared-settings.ts'
import { isScaleFrom0To10 } from '#domain/questionnaire/used-settings.ts'
import { optionId } from '#web/editor/fields/field-ids.ts'
import { RoleHoldersContext } from '#web/editor/questions/draft/role-holders.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { Switch } from '#web/ui/form/choice-controls.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'
import { useLatest } from '#web/ui/use-latest.ts'
import { DimensionField } from './dimension-field.tsx'
import { maxChoicesLabel } from './options-labels.ts'
import { RightAnswersFields } from './right-answers-fields.tsx'

type SwitchName =
  | 'is_required'
  | 'has_other'
  | 'shuffles_answers'
  | 'counts_in_score'
  | 'shows_recommendation'

/** Shows a field for each option of a question. */
const OptionsPanel = ({
  id: panel_id,
  question,
  title,
  hasScores,
  change,
  onShown,
}: {
  id: string
  question: Question
  /** Title of the question, such as 'Question 2'. */
  title: string
  hasScores: boolean
  change: ChangeQuestions
  /** Called when the panel is on screen. */
  onShown: () => void
}) => {
  const { id, help, label, type } = question
  const set = (options: Partial<QuestionOptions>): void =>
    change({ type: 'question_options_set', id, options })
  // A scale that becomes one from 0 to 10 does not show a net promoter score by itself.
  const setRange = (range: Partial<ScaleOptions>): void =>
    set({ ...range, shows_recommendation: false })
  const shown = useLatest(onShown)
  useLayoutEffect(() => shown.current(), [shown])

  const switchOf = (name: SwitchName) => (
    <Switch
      label={OPTION_FIELDS[name].label}
      checked={question[name]}
      onChange={(event) => set({ [name]: event.currentTarget.checked })}
    />
  )
  return (
    <fieldset
      id={panel_id}
      aria-label={`Options – ${title}`}
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-line p-3"
    >
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        {switchOf('is_required')}
        {isChoice({ type }) && switchOf('has_other')}
        {isChoice({ type }) && switchOf('shuffles_answers')}
        {type === 'scale' && hasScores && switchOf('counts_in_score')}
        {type === 'scale' && isScaleFrom0To10(question) && switchOf('shows_recommendation')}
        <HelpLink about="options d’une question" page="questions#les-options-d-une-question" />
      </div>
      {hasScores && canHavePoints({ type }) && (
        <div className="max-w-72">
          <DimensionField question={question} />
        </div>
      )}
      {isChoice({ type }) && (
        <div className="max-w-72">
          <MaxChoicesField question={question} onChange={set} />
        </div>
      )}
      {isChoice({ type }) && (
        <RightAnswersFields question={question} hasScores={hasScores} change={change} set={set} />
      )}
      {type === 'scale' && (
        <div className="grid max-w-72 grid-cols-2 gap-3">
          <NumberSelect
            label="De"
            value={question.scale_min}
            numbers={SCALE_MINIMA}
            onChange={(scale_min) => setRange({ scale_min })}
          />
          <NumberSelect
            label="À"
            value={question.scale_max}
            numbers={SCALE_MAXIMA}
            onChange={(scale_max) => setRange({ scale_max })}
          />
        </div>
      )}
      <RoleField question={question} onChange={set} />
      <RichTextField
        id={optionId(id, 'help')}
        label={OPTION_FIELDS.help.label}
        placeholder="Ce qui aide à répondre, sous la question"
        rows={1}
        item_id={id}
        value={help ?? ''}
        maxLength={LIMITS.help}
        onChange={({ currentTarget: { value } }) => set({ help: value === '' ? null : value })}
      />
      <LabelField question_id={id} label={label ?? ''} title={title} onChange={set} />
    </fieldset>
  )
}

const NO_ROLE = 'none'

/** Edits which part of the contact data a question asks for. Shown if the question can have a role or has one. */
const RoleField = ({
  question,
  onChange,
}: {
  question: Question
  onChange: (options: Partial<QuestionOptions>) => void
}) => {
  const holders = useContext(RoleHoldersContext)
  const { id, type, contact_role } = question
  const possible = CONTACT_ROLES.filter((role) => canHaveRole(type, role))
  const role = contactRoleOf(question)
  const isUnused = contact_role !== null && role === null
  if (possible.length === 0 && !isUnused) return null
  const other = role && holders.find((holder) => holder.role === role && holder.id !== id)
  return (
    <Select
      id={optionId(id, 'contact_role')}
      label={OPTION_FIELDS.contact_role.label}
      hint={
        isUnused
          ? `Sans effet : « ${QUESTION_TYPE_NAMES[type]} » ne peut pas demander cette coordonnée.`
          : 'La réponse va dans le champ de ce nom de vos outils d’emailing.'
      }
      {...(other && {
        error: `La question ${other.number} demande déjà cette coordonnée : une seule le peut.`,
      })}
      value={contact_role ?? NO_ROLE}
      options={[
        { value: NO_ROLE, label: 'Aucune' },
        ...[...possible, ...(isUnused ? [contact_role] : [])].map((value) => ({
          value,
          label: CONTACT_ROLE_LABELS[value],
        })),
      ]}
      onChange={(value) => onChange({ contact_role: value === NO_ROLE ? null : value })}
    />
  )
}

const ANY = 'any'

/** Edits how many answers may be chosen: one, up to a number, or any number. */
const MaxChoicesField = ({
  question: { answers, has_other, max_choices },
  onChange,
}: {
  question: Question
  onChange: (options: Partial<QuestionOptions>) => void
}) => {
  const max = Math.min(
    LIMITS.answers_per_question,
    Math.max(answers.length + (has_other ? 1 : 0), max_choices ?? 0, 2),
  )
  const counts = Array.from({ length: max }, (_, index) => index + 1)
  return (
    <Select
      label={OPTION_FIELDS.max_choices.label}
      value={String(max_choices ?? ANY)}
      options={[
        ...counts.map((count) => ({ value: String(count), label: maxChoicesLabel(count) })),
        { value: ANY, label: 'Sans limite' },
      ]}
      onChange={(value) => onChange({ max_choices: value === ANY ? null : Number(value) })}
    />
  )
}

const NumberSelect = <N extends number>({
  label,
  value,
  numbers,
  onChange,
}: {
  label: string
  value: N
  numbers: readonly N[]
  onChange: (value: N) => void
}) => (
  <Select
    label={label}
    value={String(value)}
    options={numbers.map((number) => ({ value: String(number), label: String(number) }))}
    onChange={(text) => {
      const chosen = numbers.find((number) => String(number) === text)
      if (chosen !== undefined) onChange(chosen)
    }}
  />
)

export default OptionsPanel

/** Edits the short name by which later texts insert the reply to a question. */
export const LabelField = ({
  question_id,
  label,
  title,
  onChange,
}: {
  question_id: string
  label: string
  /** Title of the question, such as 'Question 2'. */
  title: string
  onChange: (options: { label: string | null }) => void
}) => {
  const name = trimText(label)
  return (
    <TextField
      id={optionId(question_id, 'label')}
      label={`Nom court – ${title}`}
      hideLabel
      placeholder="Nom court, par exemple prénom"
      autoComplete="off"
      value={label}
      maxLength={LIMITS.question_label}
      hint={
        name
          ? `Les textes qui suivent insèrent la réponse par {{${name}}}.`
          : 'Les textes qui suivent insèrent la réponse par ce nom.'
      }
      onChange={({ currentTarget: { value } }) => onChange({ label: value === '' ? null : value })}
    />
  )
}
