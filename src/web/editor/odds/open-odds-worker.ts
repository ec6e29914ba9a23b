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
export const openOddsWorker = (): {
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
