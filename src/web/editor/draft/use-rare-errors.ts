import { useEffect, useMemo, useState } from 'react'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import type { PublishCheckInput } from '#domain/publishing/text-check.ts'

type PublishErrors = typeof import('#domain/publishing/publish-errors.ts')
let loaded: PublishErrors | undefined

const NO_ERRORS: readonly PublishError[] = []

/**
 * Returns the publish errors of dimensions and conditional texts. Their code is loaded when a draft has one; until then
 * the list is empty, and the server refuses an invalid draft.
 */
export const useRareErrors = (draft: PublishCheckInput): readonly PublishError[] => {
  const isNeeded = draft.dimensions.length + draft.text_variants.length > 0
  const [checks, setChecks] = useState(loaded)
  useEffect(() => {
    if (!isNeeded || checks) return
    const load = async (): Promise<void> => {
      loaded = await import('#domain/publishing/publish-errors.ts')
      setChecks(loaded)
    }
    load().catch(() => null)
  }, [isNeeded, checks])
  return useMemo(
    () => (isNeeded && checks ? checks.rarePublishErrors(draft) : NO_ERRORS),
    [isNeeded, checks, draft],
  )
}
