import { useDeferredValue, useMemo, useRef } from 'react'
import { commonPublishErrors } from '#domain/publishing/publish-check.ts'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import { findUnreachablePages } from '#domain/publishing/reachability.ts'
import { reachableTotals } from '#domain/run/reachable-totals.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { useTextErrors } from '#web/editor/draft/use-publish-errors.ts'
import { pageExcerpts, pageJumps } from './page-jumps.ts'
import { roleHolders } from './role-holders.ts'

/**
 * Returns the values that the questions screen derives from a draft, such as points to fix and possible totals. The
 * draft is deferred, so that typed text is rendered before these checks run.
 */
export const useQuestionsChecks = (draft: EditorDraft) => {
  const checked = useDeferredValue(draft)
  const { questions } = checked
  const common = useMemo(() => commonPublishErrors(checked), [checked])
  const ofTexts = useTextErrors(checked)
  const errors = useMemo(() => [...common, ...ofTexts], [common, ofTexts])
  const problems = useMemo(() => problemsByItem(errors), [errors])
  const unreached = useStableValue(useMemo(() => findUnreachablePages(checked), [checked]))
  const jumps = useStableValue(useMemo(() => pageJumps(questions), [questions]))
  const excerpts = useStableValue(useMemo(() => pageExcerpts(checked), [checked]))
  const reachable = useStableValue(useMemo(() => reachableTotals(questions), [questions]))
  const holders = useStableValue(useMemo(() => roleHolders(checked), [checked]))
  return { checked, errors, problems, unreached, jumps, excerpts, reachable, holders }
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
    const problem = summarise(found)
    if (id && problem) problems.set(id, problem)
  }
  return problems
}

/** Returns the first point to fix of the welcome or end screen, with the number of further points. */
export const problemOfWelcomeOrEnd = (
  errors: readonly PublishError[],
  kind: 'welcome' | 'end',
): string | undefined =>
  summarise(
    errors.filter(
      ({ field, question_id, result_id }) =>
        !question_id && !result_id && field?.startsWith(`${kind}_`),
    ),
  )

const summarise = ([first, ...others]: readonly PublishError[]): string | undefined =>
  first && (others.length > 0 ? `${first.message} (et ${others.length} de plus)` : first.message)

/**
 * Returns the earlier value while the new one has the same JSON, so that memoised components are not rendered
 * again.
 */
export const useStableValue = <T>(value: T): T => {
  const compared = useRef(value)
  const stable = useRef(value)
  if (compared.current === value) return stable.current
  compared.current = value
  if (JSON.stringify(stable.current) !== JSON.stringify(value)) stable.current = value
  return stable.current
}
