import { CHANGED_ELSEWHERE } from '#contract/kit/replaced-fields.ts'
import { isSameContent } from '#domain/common/same-content.ts'
import { conflict } from './errors.ts'

/**
 * Throws a 409 if a stored value is not the one that the caller of a save saw. The stored values must be locked by the
 * transaction that saves.
 */
export const refuseStaleFields = <Stored extends object>(
  stored: Stored,
  replaces: { [Name in keyof Stored]?: unknown } | undefined,
): void => {
  for (const [name, seen] of Object.entries(replaces ?? {}))
    if (seen !== undefined && !isSameContent(stored[name as keyof Stored], seen))
      throw conflict(
        CHANGED_ELSEWHERE,
        'Ce réglage a été changé ailleurs entre-temps. Relisez-le, puis enregistrez à nouveau pour le remplacer.',
      )
}
