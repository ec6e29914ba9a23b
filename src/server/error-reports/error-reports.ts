import { randomUUID } from 'node:crypto'
import type { ReportAddress } from '#server/config/config.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import type { MetricSource } from '#server/runtime/metric-source.ts'
import { type DescribedError, describeError } from './describe-error.ts'
import { reportHeaders, writeEnvelope } from './envelope.ts'
import { createRecentErrors, type RecentErrors } from './recent-errors.ts'

/** Time limit of a call that sends a report. */
const SEND_TIMEOUT_MS = 5_000
/** Time that a stopping process waits for reports under way. */
const CLOSE_TIMEOUT_MS = 2_000
/** Maximum number of reports under way; more are dropped and counted. */
const MAX_SENDING = 10
/** Time in which an error of one kind and place is reported once. */
const REPEAT_MS = 60_000
/** Maximum number of kinds that are remembered; beyond it all may be reported again. */
const MAX_KINDS = 200

/** Errors of this process and of its creators' browsers: counted, and reported if an address is configured. */
export type ErrorReports = {
  /**
   * Takes the arguments of a call of the log at level `error` or above. Returns the id of the report; undefined if the
   * error is only counted.
   */
  report: (line: readonly unknown[]) => string | undefined
  metrics: MetricSource[]
  /** Returns the last errors of this process, newest first. */
  recentErrors: RecentErrors['list']
  /** Waits for reports under way, two seconds at most. */
  close: () => Promise<void>
}

const kindOf = ({ where, type, code, text, frames: [innermost] }: DescribedError): string =>
  JSON.stringify([where, type, code, text, innermost])

/** Creates a function that returns true if a kind was not seen within the last minute. */
const createRepeatFilter = (now: () => number) => {
  const seen_at = new Map<string, number>()
  return (kind: string): boolean => {
    if (now() - (seen_at.get(kind) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return false
    if (seen_at.size >= MAX_KINDS) seen_at.clear()
    seen_at.set(kind, now())
    return true
  }
}

/**
 * Creates the reports of a process. Without an address, errors are only counted. `release` names the version of the product.
 * Never throws: a service that does not answer changes nothing but a count.
 */
export const createErrorReports = ({
  address,
  release,
  now = () => performance.now(),
}: {
  address: ReportAddress | undefined
  release: string
  now?: () => number
}): ErrorReports => {
  const nb_errors = { server: 0, browser: 0 }
  const nb_reports = { sent: 0, failed: 0, dropped: 0 }
  const sending = new Set<Promise<void>>()
  const isNew = createRepeatFilter(now)
  const recent = createRecentErrors()

  const send = async ({ url, key }: ReportAddress, body: string): Promise<void> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: reportHeaders(key),
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    }).catch(() => undefined)
    await answer?.body?.cancel()
    nb_reports[answer?.ok ? 'sent' : 'failed'] += 1
  }

  const sendReport = (described: DescribedError): string | undefined => {
    if (!address || !isNew(kindOf(described))) return undefined
    if (sending.size >= MAX_SENDING) {
      nb_reports.dropped += 1
      return undefined
    }
    const id = randomUUID().replaceAll('-', '')
    const call = send(address, writeEnvelope(described, { id, at: new Date(), release }))
    sending.add(call)
    void call.finally(() => sending.delete(call))
    return id
  }

  return {
    report: (line) => {
      const described = describeError(line)
      nb_errors[described.where] += 1
      const report_id = sendReport(described)
      recent.add(described, report_id)
      return report_id
    },
    recentErrors: recent.list,
    metrics: [
      {
        name: 'errors_total',
        type: 'counter',
        help: 'Errors in the log, of this process and of screens in browsers',
        labels: ['where'],
        read: () =>
          Object.entries(nb_errors).map(([where, value]) => ({ labels: { where }, value })),
      },
      {
        name: 'error_reports_total',
        type: 'counter',
        help: 'Reports to ERROR_REPORTS_DSN by their outcome',
        labels: ['outcome'],
        read: () =>
          Object.entries(nb_reports).map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
    ],
    close: () => settleWithin(CLOSE_TIMEOUT_MS, ...sending),
  }
}
