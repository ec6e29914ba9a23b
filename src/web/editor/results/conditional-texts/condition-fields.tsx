import { X } from 'lucide-react'
import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { scaleOf } from '#domain/run/replies.ts'
import { NumberField } from '#web/editor/fields/number-field.tsx'
import { readInteger } from '#web/editor/fields/parse-numbers.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import {
  answerChoices,
  type ConditionKind,
  conditionOf,
  KIND_LABELS,
  possibleKinds,
  questionChoices,
  withCurrent,
} from './conditions.ts'

type Props = {
  /** Id of the select of the kind, to which publish errors lead. */
  id: string
  /** Rank of the condition, from 1. */
  rank: number
  condition: Condition
  draft: Draft
  /** Point to fix of the condition. */
  error: string | undefined
  change: (condition: Condition) => void
  remove: () => void
}

/** Edits one condition: its kind, and what it refers to. A deleted reference stays visible with what to do. */
export const ConditionFields = ({ id, rank, condition, draft, error, change, remove }: Props) => {
  const kinds = possibleKinds(draft)
  const shown = kinds.includes(condition.kind) ? kinds : [condition.kind, ...kinds]
  const changeKind = (kind: ConditionKind): void => {
    const next = conditionOf(kind, draft, condition)
    if (next) change(next)
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 rounded-lg bg-wash p-3">
      <legend className="sr-only">{`Condition ${rank}`}</legend>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Select
            id={id}
            label={`Condition ${rank}`}
            value={condition.kind}
            options={shown.map((kind) => ({ value: kind, label: KIND_LABELS[kind] }))}
            {...(error && { error })}
            onChange={changeKind}
          />
        </div>
        <IconButton
          label={`Retirer la condition ${rank}`}
          icon={<X aria-hidden="true" />}
          onClick={remove}
        />
      </div>
      <div className="grid gap-2 sm:grid-cols-2">
        <Reference condition={condition} draft={draft} change={change} />
      </div>
    </fieldset>
  )
}

/** Edits what a condition refers to. */
const Reference = ({ condition, draft, change }: Pick<Props, 'condition' | 'draft' | 'change'>) => {
  switch (condition.kind) {
    case 'answer_chosen':
    case 'answer_not_chosen':
      return (
        <>
          <QuestionSelect condition={condition} draft={draft} change={change} />
          <Select
            label="Réponse"
            value={condition.answer_id}
            options={withCurrent(
              answerChoices(condition.question_id, draft),
              condition.answer_id,
              'Réponse supprimée',
            )}
            onChange={(answer_id) => change({ ...condition, answer_id })}
          />
        </>
      )
    case 'scale_at_least':
    case 'scale_at_most': {
      const question = draft.questions.find(({ id }) => id === condition.question_id)
      const { from, to } = question?.type === 'scale' ? scaleOf(question) : { from: 0, to: -1 }
      const numbers = Array.from({ length: to - from + 1 }, (_, rank) => `${from + rank}`)
      const current = `${condition.number}`
      return (
        <>
          <QuestionSelect condition={condition} draft={draft} change={change} />
          <Select
            label="Nombre"
            value={current}
            options={withCurrent(
              numbers.map((value) => ({ value, label: value })),
              current,
              `${current} (hors de l’échelle)`,
            )}
            onChange={(number) => change({ ...condition, number: Number(number) })}
          />
        </>
      )
    }
    case 'total_between':
      return (
        <>
          <NumberField
            label="Total minimum"
            value={condition.from}
            placeholder="Sans minimum"
            onType={(typed) => change({ ...condition, from: readInteger(typed) })}
          />
          <NumberField
            label="Total maximum"
            value={condition.to}
            placeholder="Sans maximum"
            onType={(typed) => change({ ...condition, to: readInteger(typed) })}
          />
        </>
      )
    case 'dimension_tier': {
      const { dimension_id, tier_id } = condition
      const tiersOf = (id: string) =>
        draft.dimensions.find((dimension) => dimension.id === id)?.tiers ?? []
      return (
        <>
          <Select
            label="Dimension"
            value={dimension_id}
            options={withCurrent(
              draft.dimensions
                .filter(({ tiers }) => tiers.length > 0)
                .map(({ id, name }) => ({ value: id, label: name || 'Dimension sans nom' })),
              dimension_id,
              'Dimension supprimée',
            )}
            onChange={(id) =>
              change({ ...condition, dimension_id: id, tier_id: tiersOf(id)[0]?.id ?? tier_id })
            }
          />
          <Select
            label="Palier"
            value={tier_id}
            options={withCurrent(
              tiersOf(dimension_id).map(({ id, title, from_percent, to_percent }) => ({
                value: id,
                label: `${title || 'Palier sans titre'} (${from_percent} à ${to_percent} %)`,
              })),
              tier_id,
              'Palier supprimé',
            )}
            onChange={(id) => change({ ...condition, tier_id: id })}
          />
        </>
      )
    }
    case 'dimensions_equal':
      return null
    case 'result':
      return (
        <Select
          label="Résultat"
          value={condition.result_id}
          options={withCurrent(
            draft.results.map(({ id, name }) => ({ value: id, label: name })),
            condition.result_id,
            'Résultat supprimé',
          )}
          onChange={(result_id) => change({ ...condition, result_id })}
        />
      )
  }
}

/** Selects the question of a condition, and keeps the answer or number that fits. */
const QuestionSelect = ({
  condition,
  draft,
  change,
}: Pick<Props, 'draft' | 'change'> & {
  condition: Extract<Condition, { question_id: string }>
}) => (
  <Select
    label="Question"
    value={condition.question_id}
    options={withCurrent(
      questionChoices(condition.kind, draft),
      condition.question_id,
      'Question supprimée',
    )}
    onChange={(question_id) => {
      const next = conditionOf(condition.kind, draft, { ...condition, question_id })
      if (next) change(next)
    }}
  />
)
