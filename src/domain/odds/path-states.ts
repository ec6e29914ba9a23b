import type { Choice } from '#domain/run/choice-weights.ts'

/**
 * Jump of a run that still has an effect. `jump_page` is the page of the jump, 0 after that page. Pages between
 * `jump_page` and `target_page` are skipped. `key` is equal for equal states.
 */
export type PathState = { jump_page: number; target_page: number; key: string }

const createPathState = (jump_page: number, target_page: number): PathState => ({
  ...{ jump_page, target_page, key: `${jump_page} ${target_page}` },
})

/** Path state of a run without a jump. */
const NO_JUMP = createPathState(0, 0)

/** Values of runs by the key of their path state. */
export type ByPath<Value> = Map<string, { path: PathState; value: Value }>

/** Returns the map before the first question. */
export const createByPath = <Value>(value: Value): ByPath<Value> =>
  new Map([[NO_JUMP.key, { path: NO_JUMP, value }]])

/**
 * Calls `visit` for each path state before a question and each choice, with the path state that follows. The choice is null
 * if the path skips the question.
 */
export const forEachMove = <Value, C extends Pick<Choice, 'target_page'>>(
  before: ByPath<Value>,
  page_number: number,
  choices: readonly C[],
  visit: (value: Value, to: PathState, choice: C | null, from_key: string) => void,
): void => {
  for (const [from_key, { path: from, value }] of before) {
    const path = pathStateAt(from, page_number)
    if (!isPageVisited(path, page_number)) visit(value, path, null, from_key)
    else
      for (const choice of choices)
        visit(value, pathStateAfter(path, choice, page_number), choice, from_key)
  }
}

/** Returns the path state on a page. A jump has no effect after its target page is reached. */
const pathStateAt = (path: PathState, page_number: number): PathState => {
  if (page_number >= path.target_page) return path.jump_page === page_number ? path : NO_JUMP
  return path.jump_page === page_number || path.jump_page === 0
    ? path
    : createPathState(0, path.target_page)
}

/** Returns true if a run visits the page. */
const isPageVisited = (path: PathState, page_number: number): boolean =>
  path.jump_page === page_number || page_number >= path.target_page

/** Returns the path state after a choice. The first jump on a page decides. */
const pathStateAfter = (
  path: PathState,
  { target_page }: Pick<Choice, 'target_page'>,
  page_number: number,
): PathState =>
  target_page === null || path.jump_page === page_number
    ? path
    : createPathState(page_number, target_page)
