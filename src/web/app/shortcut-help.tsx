import { useState } from 'react'
import { useSingleKeys } from '#web/ui/single-keys.ts'
import { useLazyPart } from '#web/ui/use-lazy-part.ts'

const loadSheet = () => import('./shortcut-sheet.tsx')

/** The list of the shortcuts, which `?` opens outside of any field. */
export const ShortcutHelp = () => {
  const [isOpen, setOpen] = useState(false)
  const { part, show } = useLazyPart(loadSheet)
  useSingleKeys(async (event) => {
    if (event.key === '?') setOpen(await show())
  })
  return part && <part.ShortcutSheet open={isOpen} onClose={() => setOpen(false)} />
}
