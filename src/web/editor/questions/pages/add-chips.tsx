import { Grid3x3, UserRound } from 'lucide-react'
import { QUESTION_KINDS, TEXT_BLOCK_KIND } from '#web/editor/questions/draft/item-kinds.tsx'
import type { ItemActions } from '#web/editor/questions/draft/use-item-actions.ts'
import { Button } from '#web/ui/button.tsx'

/** Shows a button for each kind of item that can be added to an empty page. */
export const AddChips = ({
  page_number,
  canAddQuestions,
  canAddBlocks,
  actions,
}: {
  page_number: number
  canAddQuestions: boolean
  canAddBlocks: boolean
  actions: Pick<ItemActions, 'addToPage' | 'addGridToPage' | 'addContactToPage'>
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
        onClick={() => actions.addToPage(kind, page_number)}
      >
        {label}
      </Button>
    ))}
    <Button
      pill
      icon={<Grid3x3 aria-hidden="true" />}
      disabled={!canAddQuestions}
      onClick={() => actions.addGridToPage(page_number)}
    >
      Grille
    </Button>
    <Button
      pill
      icon={<UserRound aria-hidden="true" />}
      disabled={!canAddQuestions || !canAddBlocks}
      onClick={() => actions.addContactToPage(page_number)}
    >
      Coordonnées
    </Button>
  </fieldset>
)
