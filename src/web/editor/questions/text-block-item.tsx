import { isBlankText } from '#domain/blank-text.ts'
import type { TextBlock } from '#domain/quiz.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { RichTextField } from '#web/ui/rich-text-field.tsx'
import { asksForMenu } from './asks-for-menu.ts'
import { ItemFrame } from './item-frame.tsx'
import type { ItemPlace } from './item-menu.tsx'
import { fieldId } from './question-words.ts'
import type { ItemActions } from './use-item-actions.ts'
import type { ChangeQuestions } from './use-questions.ts'

/** One text block on its page: a text with marks, line breaks kept. */
export const TextBlockItem = ({
  textBlock: { id, content },
  number,
  problem,
  place,
  actions,
  change,
}: {
  textBlock: TextBlock
  /** From 1. */
  number: number
  problem: string | undefined
  place: ItemPlace
  actions: ItemActions
  change: ChangeQuestions
}) => {
  const title = `Bloc de texte ${number}`
  return (
    <ItemFrame id={id} place={place} title={title} problem={problem} actions={actions}>
      <RichTextField
        id={fieldId(id)}
        label={title}
        hideLabel
        placeholder="Texte affiché aux participants"
        rows={2}
        value={content}
        insertable={() => actions.insertable(id)}
        maxLength={LIMITS.text_block}
        hint={isBlankText(content) ? 'Un bloc vide n’est pas enregistré.' : undefined}
        onChange={(event) =>
          change({ type: 'text_block_written', id, content: event.currentTarget.value })
        }
        onKeyDown={(event) => {
          if (asksForMenu(event)) actions.addAfter(id, event.currentTarget)
        }}
      />
    </ItemFrame>
  )
}
