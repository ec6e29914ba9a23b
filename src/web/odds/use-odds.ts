import { useEffect, useMemo, useRef, useState } from 'react'
import type { ParticipantCounts } from '#domain/odds/participant-likelihoods.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { createLatestTaskQueue, type LatestTaskQueue } from './latest-task-queue.ts'
import type { OddsReport, OddsTask } from './odds-report.ts'
import workerPath from './odds-worker.ts?worker&url'

/** Milliseconds without edits before the odds are computed again. */
const QUIET_DELAY_MS = 250
/** Maximum milliseconds that a computation waits for an idle page. */
const MAX_WAIT_MS = 1_000

/** Reports by draft, so that a dialog can show at once the odds that the screen behind the dialog computed. */
const reportsByDraft = new WeakMap<Draft, OddsReport | null>()

/** Report on the screen. The report stays until the report of a newer draft arrives. */
type ShownReport = {
  /** Undefined before the first report; null for a draft without odds. */
  report: OddsReport | null | undefined
  /** Task that the report was computed from; undefined before the first one. */
  task: OddsTask | null | undefined
  hasFailed: boolean
}
/** Odds of a draft, as they are known so far. */
export type OddsState = Pick<ShownReport, 'report' | 'hasFailed'> & {
  /** True while the report of the current draft is being computed. */
  isBusy: boolean
  retry: () => void
}

/**
 * Returns the odds of a draft. A web worker computes the odds when the draft is unchanged for QUIET_DELAY_MS and the
 * page is idle. Nothing is computed without a draft. `participantCounts` are the replies of past participants as an estimate of future replies.
 */
export const useOdds = (draft: Draft | null, participantCounts?: ParticipantCounts): OddsState => {
  const task = useMemo<OddsTask | null>(
    () => draft && { draft, participantCounts },
    [draft, participantCounts],
  )
  const [shown, setShown] = useState<ShownReport>(() => ({
    report: participantCounts || !draft ? undefined : reportsByDraft.get(draft),
    task: !participantCounts && draft && reportsByDraft.has(draft) ? task : undefined,
    hasFailed: false,
  }))
  const queue = useRef<LatestTaskQueue<OddsTask>>(null)
  useEffect(() => {
    const { compute, close } = createOddsWorker<OddsTask, OddsReport | null>()
    const opened = createLatestTaskQueue((task: OddsTask) => compute(toWorkerTask(task)), {
      onReport: (task, report) => {
        if (!task.participantCounts) reportsByDraft.set(task.draft, report)
        setShown({ report, task, hasFailed: false })
      },
      onFailure: (error) => {
        console.warn('Computing the odds failed', error)
        setShown((before) => ({ ...before, hasFailed: true }))
      },
    })
    queue.current = opened
    return () => {
      opened.close()
      close()
    }
  }, [])

  const isBusy = task !== null && shown.task !== task
  const isFirst = shown.task === undefined
  useEffect(() => {
    if (!isBusy || !task) return
    return runWhenIdle(() => queue.current?.add(task), isFirst ? 0 : undefined)
  }, [task, isBusy, isFirst])
  return {
    report: shown.report,
    hasFailed: shown.hasFailed,
    isBusy: isBusy && !shown.hasFailed,
    retry: () => {
      setShown((before) => ({ ...before, hasFailed: false }))
      if (task) queue.current?.add(task)
    },
  }
}

/** Returns the task without parts of the draft that the worker does not need or that cannot be cloned. */
const toWorkerTask = ({ draft, participantCounts }: OddsTask): OddsTask => ({
  draft: cloneableDraft(draft),
  participantCounts,
})

/** Returns the draft with only the parts that the worker reads. */
export const cloneableDraft = (draft: Draft): Draft => {
  const { quiz, quiz_mode, questions, text_blocks, results, dimensions, text_variants } = draft
  const content = { questions, text_blocks, results, dimensions, text_variants }
  return { quiz, quiz_mode, ...content }
}

/** Runs a function after a delay, when the page is idle. Returns a function that cancels the call. */
export const runWhenIdle = (run: () => void, delay_ms = QUIET_DELAY_MS): (() => void) => {
  let idle: number | undefined
  const timer = setTimeout(() => {
    // `requestIdleCallback` is missing in some browsers.
    if (typeof requestIdleCallback === 'function')
      idle = requestIdleCallback(run, { timeout: MAX_WAIT_MS })
    else run()
  }, delay_ms)
  return () => {
    clearTimeout(timer)
    if (idle !== undefined) cancelIdleCallback(idle)
  }
}

/** Trusted Types API, which only some browsers have. */
type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (workerUrl: string) => string },
  ) => { createScriptURL: (workerUrl: string) => string }
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
/** URL of the worker. The security headers allow only the Trusted Types policy `odds-worker`. */
const workerUrl =
  trustedTypes
    ?.createPolicy('odds-worker', { createScriptURL: () => workerPath })
    .createScriptURL(workerPath) ?? workerPath

/**
 * Returns functions that compute odds in a web worker. The first task starts the worker. A failed computation rejects and
 * ends the worker, so that the next task starts a new worker.
 */
export const createOddsWorker = <Task, Report>(): {
  compute: (task: Task) => Promise<Report>
  close: () => void
} => {
  let worker: Worker | null = null
  const close = (): void => {
    worker?.terminate()
    worker = null
  }
  return {
    compute: (task) =>
      new Promise((resolve, reject) => {
        worker ??= new Worker(workerUrl, { type: 'module' })
        worker.onmessage = ({ data }) => resolve(data)
        worker.onerror = (event) => {
          event.preventDefault()
          close()
          reject(new Error(event.message || 'The worker did not start'))
        }
        worker.postMessage(task)
      }),
    close,
  }
}
