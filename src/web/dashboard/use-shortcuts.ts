import { useSingleKeys } from '#web/ui/single-keys.ts'
import { shortcutOf } from './quiz-search.ts'

/** The keys of the dashboard: / searches, N creates. */
export const useShortcuts = (actions: { search: () => void; create: () => void }): void =>
  useSingleKeys((event) => {
    const shortcut = shortcutOf(event)
    if (!shortcut) return
    // Otherwise the key would be typed in the field that gets the focus.
    event.preventDefault()
    actions[shortcut]()
  })
