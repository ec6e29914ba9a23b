import { Check, CloudOff, RefreshCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
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
export const SaveIndicator = ({ state, onRetry }: { state: SaveState; onRetry: () => void }) => {
  const savedAt = useSavedAt(state)
  return (
    <div className="flex items-center gap-1.5">
      <p
        role="status"
        title={savedAt && `Enregistré à ${savedAt}`}
        className={`flex items-center gap-1.5 text-xs transition-colors ${COLORS[state]}`}
      >
        {ICONS[state]}
        {TEXTS[state]}
      </p>
      {state === 'refused' && <Button onClick={onRetry}>Réessayer</Button>}
    </div>
  )
}

/** The time of the last save that this screen has seen. */
const useSavedAt = (state: SaveState): string | undefined => {
  const [seen, setSeen] = useState<{ state: SaveState; at: string | undefined }>({
    state,
    at: undefined,
  })
  if (seen.state !== state) {
    const now = new Date().toLocaleTimeString('fr-FR', { hour: '2-digit', minute: '2-digit' })
    setSeen({ state, at: state === 'saved' ? now : seen.at })
  }
  return seen.at
}
