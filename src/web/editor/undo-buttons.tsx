import { Redo2, Undo2 } from 'lucide-react'
import { IconButton } from '#web/ui/button.tsx'
import type { Undoing } from './use-undoing.ts'

/** Buttons for undo and redo. */
export const UndoButtons = ({ undoing }: { undoing: Undoing }) => (
  <div className="flex">
    <IconButton
      label="Annuler la dernière modification (Ctrl Z)"
      icon={<Undo2 aria-hidden="true" />}
      disabled={!undoing.canUndo}
      onClick={undoing.undo}
    />
    <IconButton
      label="Rétablir la modification (Ctrl Maj Z)"
      icon={<Redo2 aria-hidden="true" />}
      disabled={!undoing.canRedo}
      onClick={undoing.redo}
    />
  </div>
)
