import type { PublishError } from '#domain/publish-error.ts'

/** The first point to fix of each question and text block, and how many more there are, by its id. */
export const problemsByItem = (errors: readonly PublishError[]): ReadonlyMap<string, string> => {
  const problems = new Map<string, string>()
  const byItem = Map.groupBy(
    errors,
    ({ question_id, text_block_id }) => question_id ?? text_block_id,
  )
  for (const [id, [first, ...others]] of byItem)
    if (id && first)
      problems.set(
        id,
        others.length > 0 ? `${first.message} (et ${others.length} de plus)` : first.message,
      )
  return problems
}
