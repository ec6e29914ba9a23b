import { ArrowDown, ArrowUp, EllipsisVertical, ImagePlus, Split, Trash2 } from 'lucide-react'
import { isBlankText, trimText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { Result } from '#domain/questionnaire/quiz.ts'
import {
  ADD_CONDITIONAL_TEXT_ID,
  imageAltId,
  resultFieldId,
  resultNameId,
} from '#web/editor/fields/field-ids.ts'
import { focusOnceRendered } from '#web/editor/fields/focus.ts'
import { useStickyVisibility } from '#web/editor/fields/list-editing.ts'
import { IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { ImageField } from '#web/ui/images/image-field.tsx'
import { Menu } from '#web/ui/overlay/menu.tsx'
import { resultColorStyle } from '#web/ui/result-colors.ts'
import { RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'
import { SortHandle, useSortableItem } from '#web/ui/sorting/sortable.tsx'
import { ResultLinks } from './result-links.tsx'
import type { ResultsAction } from './results-reducer.ts'

/** Name of the only group of the sortable list. */
export const RESULTS_GROUP = 'results'

/** Returns the name of a result, or its rank while the name is blank. */
export const nameOfResult = (results: readonly Result[], id: string): string => {
  const index = results.findIndex((result) => result.id === id)
  return trimText(results[index]?.name ?? '') || `Résultat ${index + 1}`
}

/** Shows one result of the list with its fields, its drag handle and its menu (product 7.9). */
export const ResultRow = ({
  result,
  index,
  count,
  change,
  onEnter,
  isCopied,
  onCopyLinks,
  onErase,
  onRemove,
}: {
  result: Result
  index: number
  count: number
  change: (action: ResultsAction) => void
  /** Called by Enter in the name field. */
  onEnter: () => void
  /** Called by Backspace in a blank result. */
  onErase: () => void
  onRemove: () => void
  /** True if all results already have the button and the redirection of this one. */
  isCopied: boolean
  /** Copies the button and the redirection of this result to all others. */
  onCopyLinks: () => void
}) => {
  const rank = index + 1
  const name = trimText(result.name) || `Résultat ${rank}`
  const [hasImage, showImage] = useStickyVisibility(result.image_id !== null)
  const sortable = useSortableItem({ id: result.id, index, group: RESULTS_GROUP })
  const move = (to: number): void => change({ type: 'moved', from: index, to })

  return (
    <li
      ref={sortable.ref}
      data-item={result.id}
      className="calm-card flex flex-wrap items-start gap-2 p-3 sm:flex-nowrap sm:gap-3"
    >
      <SortHandle sortable={sortable} label={`Déplacer ${name}`} />
      <span
        style={resultColorStyle(index)}
        className="result-tint h-7 min-w-8 self-center rounded-sm text-center text-sm leading-7 font-medium tabular-nums sm:mt-1.5 sm:self-start"
      >
        {rank}
      </span>
      <div className="flex w-full min-w-0 flex-col gap-2 max-sm:order-last sm:flex-1">
        <TextField
          id={resultNameId(result.id)}
          label={`Nom du résultat ${rank}`}
          hideLabel
          placeholder="Nom du résultat"
          value={result.name}
          maxLength={LIMITS.result_name}
          autoComplete="off"
          error={
            isBlankText(result.name)
              ? 'Le nom est obligatoire : l’ancien est gardé tant que ce champ est vide.'
              : undefined
          }
          onChange={(event) =>
            change({ type: 'changed', id: result.id, fields: { name: event.currentTarget.value } })
          }
          onKeyDown={(event) => {
            const isEmpty = result.name === '' && !result.description
            if (event.key === 'Enter') onEnter()
            else if (event.key === 'Backspace' && isEmpty) onErase()
            else return
            event.preventDefault()
          }}
        />
        <RichTextField
          id={resultFieldId(result.id, 'description')}
          label={`Description – ${name}`}
          hideLabel
          placeholder="Description (facultative)"
          rows={2}
          value={result.description ?? ''}
          maxLength={LIMITS.description}
          onChange={(event) =>
            change({
              type: 'changed',
              id: result.id,
              fields: { description: event.currentTarget.value },
            })
          }
        />
        <ResultLinks
          result={result}
          name={name}
          change={change}
          hasOthers={count > 1}
          isCopied={isCopied}
          onCopyLinks={onCopyLinks}
        />
        {hasImage && (
          <ImageField
            id={resultFieldId(result.id, 'image_id')}
            label={`Image – ${name}`}
            image_id={result.image_id}
            image_alt={result.image_alt}
            alt_id={imageAltId(result.id)}
            takes_focus={!result.image_id}
            onChange={(fields) => change({ type: 'changed', id: result.id, fields })}
          />
        )}
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
              label: 'Ajouter une image',
              icon: <ImagePlus aria-hidden="true" />,
              disabled: result.image_id !== null,
              onSelect: showImage,
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
