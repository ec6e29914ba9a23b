import { useSingleKeys } from '#web/ui/single-keys.ts'
import { shortcutOf } from './quiz-search.ts'

/** The keys of the dashboard: / searches, N creates. */
export const useShortcuts = (actions: { search: () => void; create: () => void }): void =>
  useSingleKeys((event) => {
    const shortcut = shortcutOf(event)
    if (!shortcut) return
    // The key itself is not to be typed where it leads to.
    event.preventDefault()
    actions[shortcut]()
  })
