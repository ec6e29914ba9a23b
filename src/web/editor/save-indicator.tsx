import { Check, CloudOff, RefreshCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SaveState } from './autosave.ts'

const TEXTS: Record<SaveState, string> = {
  saved: 'Enregistré',
  saving: 'Enregistrement…',
  waiting: 'Hors ligne, nouvel essai…',
  refused: 'Non enregistré',
}
const ICONS: Record<SaveState, ReactNode> = {
  saved: <Check aria-hidden="true" className="size-4" />,
  saving: <RefreshCw aria-hidden="true" className="size-4" />,
  waiting: <CloudOff aria-hidden="true" className="size-4" />,
  refused: <TriangleAlert aria-hidden="true" className="size-4" />,
}
const COLORS: Record<SaveState, string> = {
  saved: 'text-ink-3',
  saving: 'text-ink-2',
  waiting: 'text-warn',
  refused: 'text-bad',
}

/** Where the edits are, quietly (decisions « Silent cases »). */
export const SaveIndicator = ({ state }: { state: SaveState }) => (
  <p
    role="status"
    className={`flex items-center gap-1.5 text-xs transition-colors ${COLORS[state]}`}
  >
    {ICONS[state]}
    {TEXTS[state]}
  </p>
)
