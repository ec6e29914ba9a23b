import type { PublishError } from '#domain/publish-error.ts'

/** The first point to fix of each question, and how many more there are, by question id. */
export const problemsByQuestion = (
  errors: readonly PublishError[],
): ReadonlyMap<string, string> => {
  const problems = new Map<string, string>()
  const byQuestion = Map.groupBy(errors, ({ question_id }) => question_id)
  for (const [id, [first, ...others]] of byQuestion)
    if (id && first)
      problems.set(
        id,
        others.length > 0 ? `${first.message} (et ${others.length} de plus)` : first.message,
      )
  return problems
}
