import { useRef } from 'react'
import type { PublishError } from '#domain/publishing/publish-error.ts'

/**
 * Returns the earlier value while the new one has the same JSON, so that memoised components are not rendered
 * again.
 */
export const useStableValue = <T>(value: T): T => {
  const given = useRef(value)
  const kept = useRef(value)
  if (given.current === value) return kept.current
  given.current = value
  if (JSON.stringify(kept.current) !== JSON.stringify(value)) kept.current = value
  return kept.current
}

/**
 * Returns the first point to fix of each question and text block, by id, with the number of further points.
 */
export const problemsByItem = (errors: readonly PublishError[]): ReadonlyMap<string, string> => {
  const problems = new Map<string, string>()
  const byItem = Map.groupBy(
    errors,
    ({ question_id, text_block_id }) => question_id ?? text_block_id,
  )
  for (const [id, found] of byItem) {
    const said = saidOf(found)
    if (id && said) problems.set(id, said)
  }
  return problems
}

/** Returns the first point to fix of the welcome or end screen, with the number of further points. */
export const problemOfWelcomeOrEnd = (
  errors: readonly PublishError[],
  kind: 'welcome' | 'end',
): string | undefined =>
  saidOf(
    errors.filter(
      ({ field, question_id, result_id }) =>
        !question_id && !result_id && field?.startsWith(`${kind}_`),
    ),
  )

const saidOf = ([first, ...others]: readonly PublishError[]): string | undefined =>
  first && (others.length > 0 ? `${first.message} (et ${others.length} de plus)` : first.message)
