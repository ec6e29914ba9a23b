import { Check, CloudOff, RefreshCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import type { SaveState } from '#web/editor/draft/autosave.ts'
import { Button } from '#web/ui/button.tsx'
import { formatMoment } from '#web/ui/moments.ts'

/** State shown to the creator; `offline` is `waiting` without a network connection. */
type DisplayedState = SaveState | 'offline'

const TEXTS: Record<DisplayedState, string> = {
  saved: 'Enregistré',
  saving: 'Enregistrement…',
  offline: 'Hors ligne, nouvel essai…',
  waiting: 'Non enregistré, nouvel essai…',
  refused: 'Non enregistré',
}
const ICONS: Record<DisplayedState, ReactNode> = {
  saved: <Check aria-hidden="true" className="size-4" />,
  saving: <RefreshCw aria-hidden="true" className="size-4" />,
  offline: <CloudOff aria-hidden="true" className="size-4" />,
  waiting: <TriangleAlert aria-hidden="true" className="size-4" />,
  refused: <TriangleAlert aria-hidden="true" className="size-4" />,
}
const COLORS: Record<DisplayedState, string> = {
  saved: 'text-ink-3',
  saving: 'text-ink-2',
  offline: 'text-warn',
  waiting: 'text-warn',
  refused: 'text-bad',
}

/** Shows the state of the autosave (product 5.4). */
export const SaveIndicator = ({ state, onRetry }: { state: SaveState; onRetry: () => void }) => {
  const savedAt = useSavedAt(state)
  const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
  const shown = state === 'waiting' && !isOnline ? 'offline' : state
  return (
    <div className="flex items-center gap-1.5">
      <p
        role="status"
        title={savedAt && `Enregistré à ${savedAt}`}
        className={`flex items-center gap-1.5 text-xs transition-colors xl:w-29 ${COLORS[shown]}`}
      >
        {ICONS[shown]}
        <span className={shown === 'saved' || shown === 'saving' ? 'sr-only xl:not-sr-only' : ''}>
          {TEXTS[shown]}
        </span>
      </p>
      {state === 'refused' && <Button onClick={onRetry}>Réessayer</Button>}
    </div>
  )
}

const subscribeToNetwork = (onChange: () => void): (() => void) => {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}

/** Returns the time of the last save since this screen was opened; undefined before the first save. */
const useSavedAt = (state: SaveState): string | undefined => {
  const [seen, setSeen] = useState<{ state: SaveState; at: string | undefined }>({
    state,
    at: undefined,
  })
  if (seen.state !== state) {
    const now = formatMoment(Date.now(), 'time')
    setSeen({ state, at: state === 'saved' ? now : seen.at })
  }
  return seen.at
}
