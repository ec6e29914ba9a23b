import { useEffect, useMemo, useRef, useState } from 'react'
import type { Answered } from '#domain/odds/participant-likelihoods.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { createQueue, type Queue } from './odds-queue.ts'
import type { OddsReport, OddsTask } from './odds-report.ts'
import workerAddress from './odds-worker.ts?worker&url'

/** As browsers have it that check where scripts come from (Trusted Types). */
type Policies = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ) => { createScriptURL: (address: string) => string }
}

const { trustedTypes } = globalThis as { trustedTypes?: Policies }
/** The one policy that the application's headers allow; it gives the one address there is. */
const address =
  trustedTypes
    ?.createPolicy('odds-worker', { createScriptURL: () => workerAddress })
    .createScriptURL(workerAddress) ?? workerAddress

/**
 * Computes in a thread of its own, which begins with the first task. A computation that fails rejects, and the next
 * one has a new thread.
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

/** How long nothing must have changed before figures are computed again. */
const QUIET_MS = 250
const LONGEST_WAIT_MS = 1_000

/** What is known of a draft, so that a dialog begins with the figures of the screen under it. */
const known = new WeakMap<Draft, OddsReport | null>()

/** The figures shown, which stay until those of a newer draft have come. */
type Shown = {
  /** Undefined before the first; null of a draft that computes no result. */
  report: OddsReport | null | undefined
  /** What they are of. */
  of: OddsTask | undefined
  hasFailed: boolean
}
type OddsFigures = Pick<Shown, 'report' | 'hasFailed'> & {
  /** Whether those of what is asked for now are still to come. */
  isBusy: boolean
  retry: () => void
}

/**
 * The odds of a draft, computed in another thread: when nothing has changed for a moment and the page has nothing
 * else to do, one computation at a time. With what participants answered, visitors are supposed to reply as they did.
 */
export const useOdds = (draft: Draft, answered?: Answered): OddsFigures => {
  const asked = useMemo<OddsTask>(() => ({ draft, answered }), [draft, answered])
  const [shown, setShown] = useState<Shown>(() => ({
    report: answered ? undefined : known.get(draft),
    of: !answered && known.has(draft) ? asked : undefined,
    hasFailed: false,
  }))
  const queue = useRef<Queue<OddsTask>>(null)
  useEffect(() => {
    const { compute, close } = openOddsWorker()
    const opened = createQueue((task: OddsTask) => compute(sendable(task)), {
      onReport: (of, report) => {
        if (!of.answered) known.set(of.draft, report)
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
    return whenQuiet(isFirst ? 0 : QUIET_MS, () => queue.current?.ask(asked))
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

/** What the other thread needs of a task, and nothing that could not be sent there. */
const sendable = ({ draft, answered }: OddsTask): OddsTask => {
  const { quiz, quiz_mode, questions, text_blocks, results } = draft
  return { draft: { quiz, quiz_mode, questions, text_blocks, results }, answered }
}

/** Runs once after so long, when the page has nothing else to do; gives what calls it off. */
const whenQuiet = (quiet_ms: number, run: () => void): (() => void) => {
  let idle: number | undefined
  const timer = setTimeout(() => {
    // Not every browser tells.
    if (typeof requestIdleCallback === 'function')
      idle = requestIdleCallback(run, { timeout: LONGEST_WAIT_MS })
    else run()
  }, quiet_ms)
  return () => {
    clearTimeout(timer)
    if (idle !== undefined) cancelIdleCallback(idle)
  }
}
