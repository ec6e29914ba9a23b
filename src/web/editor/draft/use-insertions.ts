import { useEffect, useState } from 'react'
import { insertableNamesAtEnd, labelsBefore } from '#domain/publishing/insertable-names.ts'
import { PRELOAD_DELAY_MS } from '#web/ui/feedback/lazy-part.tsx'
import type { ListInsertions } from '#web/ui/rich-text/rich-text-field.tsx'
import type { DraftSession } from './draft-session.ts'

type UnnamedInsertions = typeof import('./unnamed-insertions.ts')
let loaded: UnnamedInsertions | undefined

/**
 * Returns a function that lists what a text may insert. Questions without a short name are listed as soon as their
 * code is loaded; `announce` shows a toast when one gets its name.
 */
export const useInsertions = (
  session: DraftSession,
  { announce }: { announce: (text: string) => void },
): ListInsertions => {
  const [unnamed, setUnnamed] = useState(loaded)
  useEffect(() => {
    if (unnamed) return
    const load = async (): Promise<void> => {
      loaded = await import('./unnamed-insertions.ts')
      setUnnamed(loaded)
    }
    // Without the code, questions with a short name can still be inserted.
    const timer = setTimeout(() => load().catch(() => null), PRELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [unnamed])
  return (item_id) => {
    const { draft } = session.view()
    const names = item_id === undefined ? insertableNamesAtEnd(draft) : labelsBefore(draft, item_id)
    return [
      ...names.map((name) => ({ name })),
      ...(unnamed?.listUnnamedInsertions(session, { item_id, announce }) ?? []),
    ]
  }
}
