import { useEffect, useMemo, useState } from 'react'
import type { PublishCheckInput } from '#domain/publishing/insertable-names.ts'
import type { PublishError } from '#domain/publishing/publish-error.ts'

type PublishErrors = typeof import('#domain/publishing/publish-errors.ts')
let loaded: PublishErrors | undefined

const NO_ERRORS: readonly PublishError[] = []

/** Returns the publish checks; undefined until their code is loaded after the first screen. */
const usePublishChecks = (): PublishErrors | undefined => {
  const [checks, setChecks] = useState(loaded)
  useEffect(() => {
    if (checks) return
    const load = async (): Promise<void> => {
      loaded = await import('#domain/publishing/publish-errors.ts')
      setChecks(loaded)
    }
    load().catch(() => null)
  }, [checks])
  return checks
}

/**
 * Returns the publish errors of texts, dimensions and conditional texts. Until their code is loaded the list is empty,
 * and the server refuses an invalid draft.
 */
export const useTextErrors = (draft: PublishCheckInput): readonly PublishError[] => {
  const checks = usePublishChecks()
  return useMemo(() => checks?.textPublishErrors(draft) ?? NO_ERRORS, [checks, draft])
}

/** Returns all publish errors of a draft; `initial` until their code is loaded. */
export const useAllPublishErrors = (
  draft: PublishCheckInput,
  initial: readonly PublishError[],
): readonly PublishError[] => {
  const checks = usePublishChecks()
  return useMemo(() => checks?.publishErrors(draft), [checks, draft]) ?? initial
}
