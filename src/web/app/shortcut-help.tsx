import { useState } from 'react'
import { useSingleKeys } from '#web/ui/single-keys.ts'
import { useLater } from '#web/ui/use-later.ts'

const loadSheet = () => import('./shortcut-sheet.tsx')

/** The list of the shortcuts, which `?` opens outside of any field. */
export const ShortcutHelp = () => {
  const [isOpen, setOpen] = useState(false)
  const { part, bring } = useLater(loadSheet)
  useSingleKeys(async (event) => {
    if (event.key === '?') setOpen(await bring())
  })
  return part && <part.ShortcutSheet open={isOpen} onClose={() => setOpen(false)} />
}
