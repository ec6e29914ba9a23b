import { useEffect, useRef, useState } from 'react'
import type { TextOdds } from '#domain/odds/text-odds.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { createLatestTaskQueue, type LatestTaskQueue } from './latest-task-queue.ts'
import type { TextOddsTask } from './odds-report.ts'
import { cloneableDraft, createOddsWorker, runWhenIdle } from './use-odds.ts'

/**
 * Returns the shares of runs by the id of the conditional text that they show. A web worker computes them between two
 * edits. Undefined until the first report, and after a failure.
 */
export const useTextOdds = (draft: Draft): ReadonlyMap<string, TextOdds> | undefined => {
  const [shares, setShares] = useState<ReadonlyMap<string, TextOdds>>()
  const queue = useRef<LatestTaskQueue<Draft>>(null)
  useEffect(() => {
    const { compute, close } = createOddsWorker<TextOddsTask, TextOdds[]>()
    const opened = createLatestTaskQueue(
      (next: Draft) => compute({ texts_of: cloneableDraft(next) }),
      {
        onReport: (_, report) => setShares(new Map(report.map((odds) => [odds.id, odds]))),
        onFailure: (error) => {
          console.warn('Computing the shares of conditional texts failed', error)
          setShares(undefined)
        },
      },
    )
    queue.current = opened
    return () => {
      opened.close()
      close()
    }
  }, [])
  useEffect(() => {
    if (draft.text_variants.length === 0) return
    return runWhenIdle(() => queue.current?.add(draft))
  }, [draft])
  return shares
}
