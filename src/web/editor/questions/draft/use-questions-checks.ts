import { useRef } from 'react'
import type { PublishError } from '#domain/questionnaire/publish-error.ts'

/** The value of an earlier render as long as it says the same, so that memoised parts stay; one that is given again is not compared. */
export const useStableValue = <T>(value: T): T => {
  const given = useRef(value)
  const kept = useRef(value)
  if (given.current === value) return kept.current
  given.current = value
  if (JSON.stringify(kept.current) !== JSON.stringify(value)) kept.current = value
  return kept.current
}

/** The first point to fix of each question and text block, and how many more there are, by its id. */
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

/** The same of the welcome, or of the end. */
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
