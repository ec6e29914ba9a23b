import { Plus } from 'lucide-react'
import { useDeferredValue, useId, useMemo, useState } from 'react'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import { rowsUndoGroupKey } from '#domain/questionnaire/ordered-rows.ts'
import { type Draft, isSondage } from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { newId } from '#web/editor/draft/editor-draft.ts'
import { AUTOSAVE_KINDS, useDraft } from '#web/editor/draft/use-draft.ts'
import { ADD_CONDITIONAL_TEXT_ID, textVariantFieldId } from '#web/editor/fields/field-ids.ts'
import { focusOnceRendered } from '#web/editor/fields/focus.ts'
import { useTextOdds } from '#web/odds/use-text-odds.ts'
import { Button } from '#web/ui/button.tsx'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { shareSentence } from './share-labels.ts'
import {
  createVariant,
  type VariantsAction,
  variantsOn,
  withVariants,
} from './text-variants-reducer.ts'
import { VariantItem } from './variant-item.tsx'

/** Props of the card of conditional texts. */
type ConditionalTextsProps = {
  session: DraftSession
  /** Points to fix of the draft. */
  errors: readonly PublishError[]
  /** Shows a toast that offers to undo. */
  announce: (text: string) => void
  /** True within the card of the end of a sondage. */
  isNested?: boolean
}

/** Shows the card 'Textes conditionnels', which edits the texts that only some participants see. */
const ConditionalTexts = ({
  session,
  errors,
  announce,
  isNested = false,
}: ConditionalTextsProps) => {
  const { draft } = useDraft(session)
  const heading_id = useId()
  const errorsById = useMemo(
    () => Map.groupBy(errors, ({ text_variant_id }) => text_variant_id),
    [errors],
  )
  const shares = useTextOdds(useDeferredValue(draft))
  const shareOf = (variant: TextVariant): string | undefined => {
    const odds = shares?.get(variant.id)
    return odds && variant.conditions.length > 0 ? shareSentence(odds, variant, draft) : undefined
  }
  const [added, setAdded] = useState<string>()
  const { text_variants } = draft
  const [Heading, ListHeading] = isNested ? (['h3', 'h4'] as const) : (['h2', 'h3'] as const)
  const canAdd = text_variants.length < LIMITS.text_variants

  const change = (action: VariantsAction): void => {
    session.change((before) => withVariants(before, action), {
      undoGroupKey: rowsUndoGroupKey(action),
      ...AUTOSAVE_KINDS.results,
    })
    if (action.type === 'exchanged') announceMove(session.view().draft, action.id)
  }
  const open = (id: string): void => {
    setAdded(id)
    focusOnceRendered([textVariantFieldId(id, 'text')])
  }
  const add = (): void => {
    const variant = createVariant(newId(), draft)
    change({ type: 'added', row: variant })
    announceToScreenReader('Texte conditionnel ajouté')
    open(variant.id)
  }
  const duplicate = ({ id }: TextVariant): void => {
    const new_id = newId()
    change({ type: 'duplicated', id, new_id })
    announceToScreenReader('Texte conditionnel dupliqué')
    open(new_id)
  }
  const remove = (variant: TextVariant): void => {
    const index = text_variants.indexOf(variant)
    const neighbour = text_variants[index + 1] ?? text_variants[index - 1]
    change({ type: 'removed', id: variant.id })
    announce('Texte conditionnel supprimé')
    focusOnceRendered([
      neighbour ? textVariantFieldId(neighbour.id, 'item') : ADD_CONDITIONAL_TEXT_ID,
    ])
  }
  const listOf = (surface: 'page' | 'mail', title: string) => {
    const variants = variantsOn(text_variants, surface)
    if (variants.length === 0) return null
    return (
      <div className="flex flex-col gap-2">
        <ListHeading className="text-sm font-medium">{title}</ListHeading>
        <ol className="flex flex-col gap-2">
          {variants.map((variant, index) => (
            <VariantItem
              key={variant.id}
              variant={variant}
              rank={index + 1}
              count={variants.length}
              draft={draft}
              errors={errorsById.get(variant.id) ?? []}
              share={shareOf(variant)}
              isNew={variant.id === added}
              canAdd={canAdd}
              change={change}
              onDuplicate={() => duplicate(variant)}
              onRemove={() => remove(variant)}
            />
          ))}
        </ol>
      </div>
    )
  }
  const isOfSondage = isSondage(draft.quiz)
  return (
    <section
      aria-labelledby={heading_id}
      className={`flex flex-col gap-3 ${isNested ? 'border-t border-line pt-3' : 'rounded-xl bg-card p-4 shadow-card'}`}
    >
      <div className="flex items-center justify-between gap-2">
        <Heading id={heading_id} className="text-base font-semibold">
          Textes conditionnels
        </Heading>
        <HelpLink about="textes conditionnels" page="textes-conditionnels" />
      </div>
      {text_variants.length === 0 && (
        <p className="text-sm text-ink-2">
          Un texte que ne voient que certains participants, selon leurs réponses. Par exemple, à
          ceux qui ont choisi « Je manque de temps » : « Commencez par bloquer une heure par
          semaine. »
        </p>
      )}
      {listOf('page', isOfSondage ? 'À la fin du sondage' : 'Sur la page de résultat')}
      {listOf('mail', isOfSondage ? 'Dans l’email aux participants' : 'Dans l’email du résultat')}
      <Button
        id={ADD_CONDITIONAL_TEXT_ID}
        icon={<Plus aria-hidden="true" />}
        disabled={!canAdd}
        className="self-start"
        onClick={add}
      >
        Ajouter un texte conditionnel
      </Button>
    </section>
  )
}

export default ConditionalTexts

const announceMove = ({ text_variants }: Draft, id: string): void => {
  const moved = text_variants.find((variant) => variant.id === id)
  if (!moved) return
  const beside = variantsOn(text_variants, moved.place === 'mail' ? 'mail' : 'page')
  announceToScreenReader(
    `Texte déplacé : position ${beside.indexOf(moved) + 1} sur ${beside.length}`,
  )
}
