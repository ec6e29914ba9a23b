import { ArrowDown, ArrowUp, Copy, EllipsisVertical, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { excerpt, isBlankText } from '#domain/common/text.ts'
import { CONDITION_JOINS, LIMITS } from '#domain/common/vocabulary.ts'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { conditionField, type TextVariant } from '#domain/questionnaire/text-variants.ts'
import { AddressField } from '#web/editor/fields/address-field.tsx'
import { textVariantFieldId } from '#web/editor/fields/field-ids.ts'
import { focusOnceRendered } from '#web/editor/fields/focus.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { Menu } from '#web/ui/overlay/menu.tsx'
import { afterPress } from '#web/ui/presses.ts'
import { RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'
import { ConditionFields } from './condition-fields.tsx'
import {
  conditionsClause,
  firstCondition,
  JOIN_LABELS,
  placeChoices,
  RESULT_PLACE,
  withCurrent,
} from './conditions.ts'
import type { VariantFields, VariantsAction } from './text-variants-reducer.ts'

type Props = {
  variant: TextVariant
  /** Rank in its list, from 1, and the length of the list. */
  rank: number
  count: number
  draft: Draft
  errors: readonly PublishError[]
  /** Share of the runs that show the text, as a sentence. */
  share: string | undefined
  /** True for a text that was just added. */
  isNew: boolean
  /** False if the quiz has as many texts as it may have. */
  canAdd: boolean
  change: (action: VariantsAction) => void
  onDuplicate: () => void
  onRemove: () => void
}

const EXCERPT = 80

/** Shows one conditional text: a line with its conditions and its share, which opens the fields. */
export const VariantItem = ({ variant, rank, count, draft, errors, share, ...props }: Props) => {
  const { isNew, canAdd, change, onDuplicate, onRemove } = props
  const { id } = variant
  const [isOpen, setOpen] = useState(isNew)
  // A new text has no errors until it was left.
  const [wasLeft, setLeft] = useState(!isNew)
  const name = `Texte ${rank}`
  const shown = wasLeft ? errors : []
  return (
    <li
      className="rounded-lg border border-line"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) afterPress(() => setLeft(true))
      }}
    >
      <div className="flex items-start gap-1 p-1">
        <button
          id={textVariantFieldId(id, 'item')}
          type="button"
          aria-expanded={isOpen}
          className="flex min-h-11 min-w-0 flex-1 flex-col gap-0.5 rounded-md px-2 py-1 text-left text-sm"
          onClick={() => setOpen(!isOpen)}
        >
          <span className="w-full font-medium wrap-anywhere" dir="auto">
            {rank}.{' '}
            {isBlankText(variant.text)
              ? variant.button_text || 'Texte vide'
              : excerpt(variant.text, EXCERPT)}
          </span>
          <span className="w-full text-ink-2 wrap-anywhere">
            {conditionsClause(variant, draft)}
          </span>
          {shown.length > 0 && !isOpen && <span className="text-warn">À corriger</span>}
        </button>
        <Menu
          label={`Actions – ${name}`}
          icon={<EllipsisVertical aria-hidden="true" />}
          items={[
            {
              label: 'Monter',
              icon: <ArrowUp aria-hidden="true" />,
              disabled: rank === 1,
              onSelect: () => change({ type: 'exchanged', id, by: -1 }),
            },
            {
              label: 'Descendre',
              icon: <ArrowDown aria-hidden="true" />,
              disabled: rank === count,
              onSelect: () => change({ type: 'exchanged', id, by: 1 }),
            },
            {
              label: 'Dupliquer',
              icon: <Copy aria-hidden="true" />,
              disabled: !canAdd,
              onSelect: onDuplicate,
            },
          ]}
        />
        <IconButton
          label={`Supprimer ${name.toLowerCase()}`}
          icon={<Trash2 aria-hidden="true" />}
          onClick={onRemove}
        />
      </div>
      {share && <p className="px-3 pb-2 text-sm text-ink-2">{share}</p>}
      {isOpen && (
        <VariantFieldset
          variant={variant}
          draft={draft}
          errors={shown}
          change={(fields) => change({ type: 'changed', id, fields })}
        />
      )}
    </li>
  )
}

const JOINS = CONDITION_JOINS.map((value) => ({ value, label: JOIN_LABELS[value] }))

/** Shows the fields of one conditional text. */
const VariantFieldset = ({
  variant,
  draft,
  errors,
  change,
}: Pick<Props, 'variant' | 'draft' | 'errors'> & {
  change: (fields: Partial<VariantFields>) => void
}) => {
  const { id, place, result_id, conditions } = variant
  const fieldOf = (field: string): string => textVariantFieldId(id, field)
  const messageOf = (field: string): { error?: string } => {
    const message = errors.find((error) => error.field === field)?.message
    return message ? { error: message } : {}
  }
  const changePlace = (value: string): void => {
    const isResult = value.startsWith(RESULT_PLACE)
    change({
      place: isResult ? 'result' : (value as TextVariant['place']),
      result_id: isResult ? value.slice(RESULT_PLACE.length) : null,
    })
  }
  const current = place === 'result' ? `${RESULT_PLACE}${result_id}` : place
  return (
    <div className="flex flex-col gap-3 border-t border-line p-3">
      <RichTextField
        id={fieldOf('text')}
        label="Texte"
        rows={2}
        value={variant.text}
        maxLength={LIMITS.description}
        {...messageOf('text')}
        onChange={({ currentTarget }) => change({ text: currentTarget.value })}
      />
      <Select
        id={fieldOf('place')}
        label="Montrer"
        value={current}
        options={withCurrent(
          placeChoices(draft),
          current,
          'Une place que ce questionnaire n’a pas',
        )}
        {...messageOf('place')}
        onChange={changePlace}
      />
      {conditions.length > 1 && (
        <Select
          id={fieldOf('joined_by')}
          label="Montrer si"
          value={variant.joined_by}
          options={JOINS}
          onChange={(joined_by) => change({ joined_by })}
        />
      )}
      <Conditions
        variant={variant}
        draft={draft}
        messageOf={(field) => messageOf(field).error}
        change={(next) => change({ conditions: next })}
      />
      <TextField
        id={fieldOf('button_text')}
        label="Texte du bouton (facultatif)"
        value={variant.button_text ?? ''}
        maxLength={LIMITS.button_text}
        autoComplete="off"
        {...messageOf('button_text')}
        onChange={({ currentTarget }) => change({ button_text: currentTarget.value || null })}
      />
      <AddressField
        id={fieldOf('button_url')}
        label="Adresse du bouton"
        address={variant.button_url}
        {...(messageOf('button_url').error && { hint: messageOf('button_url').error })}
        onChange={(button_url) => change({ button_url })}
      />
    </div>
  )
}

const Conditions = ({
  variant: { id, conditions },
  draft,
  messageOf,
  change,
}: Pick<Props, 'variant' | 'draft'> & {
  /** Returns the point to fix of a field. */
  messageOf: (field: string) => string | undefined
  change: (conditions: Condition[]) => void
}) => {
  const conditionId = (index: number): string => textVariantFieldId(id, conditionField(index))
  const addId = textVariantFieldId(id, 'conditions')
  const error = messageOf('conditions')
  const [next] = firstCondition(draft)
  const add = (): void => {
    if (!next) return
    change([...conditions, next])
    focusOnceRendered([conditionId(conditions.length)])
  }
  const remove = (index: number): void => {
    change(conditions.filter((_, at) => at !== index))
    focusOnceRendered([addId])
  }
  const isFull = conditions.length >= LIMITS.conditions_per_variant
  return (
    <>
      {conditions.map((condition, index) => (
        <ConditionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id, and their fields keep no state
          key={index}
          id={conditionId(index)}
          rank={index + 1}
          condition={condition}
          draft={draft}
          error={messageOf(conditionField(index))}
          change={(changed) =>
            change(conditions.map((current, at) => (at === index ? changed : current)))
          }
          remove={() => remove(index)}
        />
      ))}
      {!isFull && (
        <div className="flex flex-col items-start gap-1">
          <Button
            id={addId}
            icon={<Plus aria-hidden="true" />}
            disabled={!next}
            aria-describedby={error ? `${addId}-error` : undefined}
            onClick={add}
          >
            Ajouter une condition
          </Button>
          {error && (
            <p id={`${addId}-error`} className="text-sm text-bad">
              {error}
            </p>
          )}
        </div>
      )}
      {!next && (
        <p className="text-sm text-ink-2">
          Ajoutez d’abord une question à choix multiple ou une échelle.
        </p>
      )}
    </>
  )
}
