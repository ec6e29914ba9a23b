import { ArrowDown, ArrowUp, EllipsisVertical, Split, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { isBlankText, trimText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import { ADD_CONDITIONAL_TEXT_ID, dimensionFieldId } from '#web/editor/fields/field-ids.ts'
import { focusOnceRendered } from '#web/editor/fields/focus.ts'
import { IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { Menu } from '#web/ui/overlay/menu.tsx'
import { RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'
import { SortHandle, useSortableItem } from '#web/ui/sorting/sortable.tsx'
import type { ChangeDimensions } from './change-dimensions.ts'
import { TierFields } from './tier-fields.tsx'

/** Name of the only group of the sortable list. */
export const DIMENSIONS_GROUP = 'dimensions'

/** Shows one dimension with its fields, its tiers, its problems, its drag handle and its menu. */
export const DimensionRow = ({
  dimension,
  index,
  count,
  figures,
  problems,
  change,
  onEnter,
  onRemove,
}: {
  dimension: Dimension
  index: number
  count: number
  /** Number of its questions and range of its points, in words. */
  figures: string
  problems: readonly PublishError[]
  change: ChangeDimensions
  /** Called by Enter in the name field. */
  onEnter: () => void
  onRemove: () => void
}) => {
  const { id, tiers } = dimension
  const [isOpen, setOpen] = useState(false)
  const rank = index + 1
  const name = trimText(dimension.name) || `Dimension ${rank}`
  const sortable = useSortableItem({ id, index, group: DIMENSIONS_GROUP })
  const move = (to: number): void => {
    if (to >= 0 && to < count) change({ type: 'moved', from: index, to })
  }
  const summary = tiers.map(
    ({ title, from_percent, to_percent }) =>
      `${trimText(title) || 'sans titre'} ${from_percent}–${to_percent} %`,
  )
  return (
    <li
      ref={sortable.ref}
      className="flex flex-wrap items-start gap-2 rounded-lg border border-line bg-paper p-3 sm:flex-nowrap sm:gap-3"
      onKeyDown={(event) => {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
        if (!event.altKey || !step) return
        event.preventDefault()
        event.stopPropagation()
        move(index + step)
      }}
    >
      <SortHandle sortable={sortable} label={`Déplacer ${name}`} />
      <div className="flex w-full min-w-0 flex-col gap-2 max-sm:order-last sm:flex-1">
        <TextField
          id={dimensionFieldId(id, 'name')}
          label={`Nom de la dimension ${rank}`}
          hideLabel
          placeholder="Nom de la dimension"
          value={dimension.name}
          maxLength={LIMITS.dimension_name}
          autoComplete="off"
          error={isBlankText(dimension.name) ? 'Donnez un nom à cette dimension.' : undefined}
          onChange={({ currentTarget: { value } }) =>
            change({ type: 'changed', id, fields: { name: value } })
          }
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            onEnter()
          }}
        />
        <p id={dimensionFieldId(id, 'questions')} tabIndex={-1} className="text-xs text-ink-2">
          {figures}
        </p>
        <RichTextField
          id={dimensionFieldId(id, 'description')}
          label={`Description – ${name}`}
          hideLabel
          placeholder="Description (facultative)"
          rows={1}
          value={dimension.description ?? ''}
          maxLength={LIMITS.description}
          onChange={({ currentTarget: { value } }) =>
            change({ type: 'changed', id, fields: { description: value || null } })
          }
        />
        <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary
            id={dimensionFieldId(id, 'tiers')}
            className="min-h-8 cursor-pointer text-sm wrap-anywhere text-ink-2 pointer-coarse:min-h-11"
          >
            Paliers<span className="sr-only"> – {name}</span>
            {!isOpen && ` : ${summary.join(', ') || 'aucun'}`}
          </summary>
          <TierFields dimension={dimension} name={name} change={change} />
        </details>
        <ul className="flex flex-col gap-1 text-sm text-warn empty:hidden">
          {problems
            .filter(({ field }) => field !== 'name' || !isBlankText(dimension.name))
            .map(({ message }) => (
              <li key={message}>{message}.</li>
            ))}
        </ul>
      </div>
      <div className="flex gap-1 max-sm:ml-auto">
        <Menu
          label={`Actions – ${name}`}
          icon={<EllipsisVertical aria-hidden="true" />}
          items={[
            {
              label: 'Monter',
              icon: <ArrowUp aria-hidden="true" />,
              disabled: index === 0,
              onSelect: () => move(index - 1),
            },
            {
              label: 'Descendre',
              icon: <ArrowDown aria-hidden="true" />,
              disabled: index === count - 1,
              onSelect: () => move(index + 1),
            },
            {
              label: 'Textes conditionnels',
              icon: <Split aria-hidden="true" />,
              onSelect: () => focusOnceRendered([ADD_CONDITIONAL_TEXT_ID]),
            },
          ]}
        />
        <IconButton
          label={`Supprimer ${name}`}
          icon={<Trash2 aria-hidden="true" />}
          onClick={onRemove}
        />
      </div>
    </li>
  )
}
