import type { PublishError } from '#domain/publish-error.ts'

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
export const problemOfEdge = (
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
