import { Button } from '#web/ui/button.tsx'
import { type ItemKind, QUESTION_KINDS, TEXT_BLOCK_KIND } from './item-kinds.tsx'

/** Buttons of all that an empty page can be given. */
export const AddChips = ({
  page_number,
  canAddQuestions,
  canAddBlocks,
  onAdd,
}: {
  page_number: number
  canAddQuestions: boolean
  canAddBlocks: boolean
  onAdd: (kind: ItemKind, page_number: number) => void
}) => (
  <fieldset
    aria-label={`Ajouter à la page ${page_number}`}
    className="flex flex-wrap justify-center gap-2"
  >
    {[...QUESTION_KINDS, TEXT_BLOCK_KIND].map(({ kind, label, icon }) => (
      <Button
        key={kind}
        pill
        icon={icon}
        disabled={kind === 'text_block' ? !canAddBlocks : !canAddQuestions}
        onClick={() => onAdd(kind, page_number)}
      >
        {label}
      </Button>
    ))}
  </fieldset>
)
