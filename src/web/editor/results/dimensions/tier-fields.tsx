import { Plus, SplitSquareHorizontal, Trash2 } from 'lucide-react'
import { trimText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import type { DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import { newId } from '#web/editor/draft/editor-draft.ts'
import { dimensionFieldId } from '#web/editor/fields/field-ids.ts'
import { focusOnceRendered } from '#web/editor/fields/focus.ts'
import { NumberField } from '#web/editor/fields/number-field.tsx'
import { readThreshold } from '#web/editor/fields/parse-numbers.ts'
import { keepFocusInView } from '#web/editor/fields/scrolling.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'
import type { ChangeDimensions } from './change-dimensions.ts'

type TierField = 'from_percent' | 'to_percent' | 'title' | 'text'

/** Shows the tiers of a dimension: ranges of percentages with a title and a text. */
export const TierFields = ({
  dimension: { id, tiers },
  name,
  change,
}: {
  dimension: Dimension
  /** Name of the dimension. */
  name: string
  change: ChangeDimensions
}) => {
  const isFull = tiers.length >= LIMITS.tiers_per_dimension
  const add = (): void => {
    const tier_id = newId()
    change({ type: 'tier_added', id, tier_id })
    focusOnceRendered([dimensionFieldId(tier_id, 'title')])
  }
  const remove = (tier: DimensionTier): void => {
    const rank = tiers.indexOf(tier)
    const next = tiers[rank + 1] ?? tiers[rank - 1]
    change({ type: 'tier_removed', id, tier_id: tier.id })
    focusOnceRendered([
      next ? dimensionFieldId(next.id, 'title') : dimensionFieldId(id, 'add_tier'),
    ])
  }
  return (
    <div data-tiers className="flex flex-col gap-3 pt-2">
      <ol className="flex flex-col gap-3 empty:hidden">
        {tiers.map((tier, index) => (
          <li key={tier.id}>
            <Tier
              tier={tier}
              rank={index + 1}
              name={name}
              onChange={(fields) =>
                change({ type: 'tier_changed', id, tier_id: tier.id, ...fields })
              }
              onRemove={() => remove(tier)}
            />
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          id={dimensionFieldId(id, 'add_tier')}
          icon={<Plus aria-hidden="true" />}
          aria-disabled={isFull || undefined}
          className="aria-disabled:cursor-not-allowed aria-disabled:text-ink-3"
          onClick={() => !isFull && add()}
        >
          Ajouter un palier<span className="sr-only"> – {name}</span>
        </Button>
        <Button
          icon={<SplitSquareHorizontal aria-hidden="true" />}
          onClick={({ currentTarget }) => {
            currentTarget.focus()
            change({ type: 'tiers_spread', id })
            // New tiers push the button down.
            keepFocusInView('[data-tiers]')
          }}
        >
          Répartir<span className="sr-only"> les paliers – {name}</span>
        </Button>
        <p className="text-xs text-ink-2">{noteOf(tiers.length)}</p>
      </div>
    </div>
  )
}

const noteOf = (count: number): string => {
  if (count >= LIMITS.tiers_per_dimension)
    return `Une dimension a ${LIMITS.tiers_per_dimension} paliers au plus.`
  return count === 0
    ? 'Répartir crée trois paliers : Faible, Moyen et Fort.'
    : 'Répartir donne à chaque palier la même étendue, de 0 à 100 %.'
}

const percentOf = (typed: string): number => Math.min(readThreshold(typed) ?? 0, 100)

const Tier = ({
  tier: { id, from_percent, to_percent, title, text },
  rank,
  name,
  onChange,
  onRemove,
}: {
  tier: DimensionTier
  rank: number
  name: string
  onChange: (fields: Partial<Pick<DimensionTier, TierField>>) => void
  onRemove: () => void
}) => {
  const called = `${trimText(title) || `Palier ${rank}`} – ${name}`
  return (
    <fieldset
      aria-label={called}
      className="flex min-w-0 flex-col gap-2 rounded-lg border border-line p-3"
    >
      <div className="flex flex-wrap items-end gap-2">
        <div className="w-20">
          <NumberField
            id={dimensionFieldId(id, 'from_percent')}
            label="De (%)"
            min={0}
            value={from_percent}
            onType={(typed) => onChange({ from_percent: percentOf(typed) })}
          />
        </div>
        <div className="w-20">
          <NumberField
            id={dimensionFieldId(id, 'to_percent')}
            label="À (%)"
            min={0}
            value={to_percent}
            onType={(typed) => onChange({ to_percent: percentOf(typed) })}
          />
        </div>
        <div className="min-w-32 flex-1">
          <TextField
            id={dimensionFieldId(id, 'title')}
            label="Titre"
            value={title}
            maxLength={LIMITS.title}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) => onChange({ title: value })}
          />
        </div>
        <IconButton
          label={`Supprimer le palier ${called}`}
          icon={<Trash2 aria-hidden="true" />}
          onClick={onRemove}
        />
      </div>
      <RichTextField
        id={dimensionFieldId(id, 'text')}
        label={`Texte – ${called}`}
        hideLabel
        placeholder="Texte montré à ce palier (facultatif)"
        rows={2}
        value={text ?? ''}
        maxLength={LIMITS.description}
        onChange={({ currentTarget: { value } }) => onChange({ text: value || null })}
      />
    </fieldset>
  )
}
