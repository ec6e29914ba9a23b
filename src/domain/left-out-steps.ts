/**
 * Steps that a visit came to: those after `from` up to `to`, but those that its path left out. Steps that a visit
 * came to twice, on the way back, are counted once.
 */
export type Steps = { from: number; to: number; left_out?: readonly number[] | undefined }

/** The steps of a span that are not among these, ascending; null where all are. */
export const leftOutOf = (
  steps: readonly number[],
  span: { from: number; to: number },
): number[] | null => {
  const left_out = stepsIn(span).filter((step) => !steps.includes(step))
  return left_out.length > 0 ? left_out : null
}

/** The steps of a span, one by one. */
export const stepsIn = ({ from, to, left_out = [] }: Steps): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, rank) => from + rank + 1).filter(
    (step) => !left_out.includes(step),
  )

/** Steps that are left out as the query of an address has them, after what is before it; '' for none. */
export const leftOutQuery = ({ left_out }: Steps, before: '?' | '&'): string =>
  left_out?.length ? `${before}left_out=${left_out.join('.')}` : ''
