import { useEffect, useMemo, useRef, useState } from 'react'
import type { ParticipantCounts } from '#domain/odds/participant-likelihoods.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { createQueue, type Queue } from './odds-queue.ts'
import type { OddsReport, OddsTask } from './odds-report.ts'
import workerAddress from './odds-worker.ts?worker&url'

/** Time without edits before the odds are computed again. */
const QUIET_DELAY_MS = 250
const MAX_WAIT_MS = 1_000

/** Reports by draft, so that a dialog starts with the figures of the screen behind it. */
const reportsByDraft = new WeakMap<Draft, OddsReport | null>()

/** Report on screen, which stays until the report of a newer draft arrives. */
type Shown = {
  /** Undefined before the first report; null for a draft that computes no result. */
  report: OddsReport | null | undefined
  /** Task that the report was computed from. */
  of: OddsTask | undefined
  hasFailed: boolean
}
type OddsFigures = Pick<Shown, 'report' | 'hasFailed'> & {
  /** True while the report of the current draft is being computed. */
  isBusy: boolean
  retry: () => void
}

/**
 * Returns the odds of a draft. A worker computes them when the draft is unchanged for a moment and the page
 * is idle. `answered` holds replies of participants that predict future replies.
 */
export const useOdds = (draft: Draft, answered?: ParticipantCounts): OddsFigures => {
  const asked = useMemo<OddsTask>(() => ({ draft, answered }), [draft, answered])
  const [shown, setShown] = useState<Shown>(() => ({
    report: answered ? undefined : reportsByDraft.get(draft),
    of: !answered && reportsByDraft.has(draft) ? asked : undefined,
    hasFailed: false,
  }))
  const queue = useRef<Queue<OddsTask>>(null)
  useEffect(() => {
    const { compute, close } = openOddsWorker()
    const opened = createQueue((task: OddsTask) => compute(sendable(task)), {
      onReport: (of, report) => {
        if (!of.answered) reportsByDraft.set(of.draft, report)
        setShown({ report, of, hasFailed: false })
      },
      onFailure: (error) => {
        console.warn('Computing the odds failed', error)
        setShown((before) => ({ ...before, hasFailed: true }))
      },
    })
    queue.current = opened
    return () => {
      opened.end()
      close()
    }
  }, [])

  const isBusy = shown.of !== asked
  const isFirst = shown.of === undefined
  useEffect(() => {
    if (!isBusy) return
    return whenQuiet(isFirst ? 0 : QUIET_DELAY_MS, () => queue.current?.ask(asked))
  }, [asked, isBusy, isFirst])
  return {
    report: shown.report,
    hasFailed: shown.hasFailed,
    isBusy: isBusy && !shown.hasFailed,
    retry: () => {
      setShown((before) => ({ ...before, hasFailed: false }))
      queue.current?.ask(asked)
    },
  }
}

/** Returns only the parts of a task that the worker needs and that can be cloned. */
const sendable = ({ draft, answered }: OddsTask): OddsTask => {
  const { quiz, quiz_mode, questions, text_blocks, results } = draft
  return { draft: { quiz, quiz_mode, questions, text_blocks, results }, answered }
}

/** Runs a function after a delay, when the page is idle. Returns a function that cancels the call. */
const whenQuiet = (quiet_ms: number, run: () => void): (() => void) => {
  let idle: number | undefined
  const timer = setTimeout(() => {
    // Some browsers have no `requestIdleCallback`.
    if (typeof requestIdleCallback === 'function')
      idle = requestIdleCallback(run, { timeout: MAX_WAIT_MS })
    else run()
  }, quiet_ms)
  return () => {
    clearTimeout(timer)
    if (idle !== undefined) cancelIdleCallback(idle)
  }
}

/** Trusted Types API of browsers that check the origin of scripts. */
type Policies = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ) => { createScriptURL: (address: string) => string }
}

const { trustedTypes } = globalThis as { trustedTypes?: Policies }
/** Address of the worker, created by the only Trusted Types policy that the security headers allow. */
const address =
  trustedTypes
    ?.createPolicy('odds-worker', { createScriptURL: () => workerAddress })
    .createScriptURL(workerAddress) ?? workerAddress

/**
 * Creates a worker that starts with the first task. A failed computation rejects and closes the worker; the
 * next task starts a new one.
 */
const openOddsWorker = (): {
  compute: (task: OddsTask) => Promise<OddsReport | null>
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
        worker ??= new Worker(address, { type: 'module' })
        worker.onmessage = ({ data }) => resolve(data)
        worker.onerror = (event) => {
          event.preventDefault()
          close()
          reject(new Error(event.message || 'The worker did not begin'))
        }
        worker.postMessage(task)
      }),
    close,
  }
}
