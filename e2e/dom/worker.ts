import vm from 'node:vm'

type Fetch = (url: string) => Promise<Response>
type MessageListener = (event: { data: unknown }) => void

/**
 * Creates the class of workers of a page. Their script runs in the thread of the tests, one message at a time, and ends with
 * the page.
 */
export const createWorkerClass = (
  fetchScript: Fetch,
  closing: AbortSignal,
): (new (
  url: string,
) => object) =>
  class DomWorker {
    onmessage: MessageListener | undefined
    onerror: ((event: { message: string; preventDefault: () => void }) => void) | undefined
    readonly #listeners: Promise<MessageListener[]>
    #isClosed = false

    constructor(url: string) {
      this.#listeners = this.#load(url)
    }

    async #load(url: string): Promise<MessageListener[]> {
      const listeners: MessageListener[] = []
      const reply = await fetchScript(url)
      if (!reply.ok) throw new Error(`The script of the worker has the status ${reply.status}`)
      const source = await reply.text()
      vm.runInNewContext(source, {
        addEventListener: (_type: string, listener: MessageListener) => listeners.push(listener),
        postMessage: (data: unknown) => this.#receive(data),
        performance,
        crypto,
        TextEncoder,
      })
      return listeners
    }

    #receive(data: unknown): void {
      const copy = structuredClone(data)
      setImmediate(() => {
        if (!this.#isClosed && !closing.aborted) this.onmessage?.({ data: copy })
      })
    }

    postMessage(data: unknown): void {
      const copy = structuredClone(data)
      this.#listeners
        .then((listeners) => {
          if (this.#isClosed || closing.aborted) return
          for (const listener of listeners) listener({ data: copy })
        })
        .catch((error: unknown) => {
          if (this.#isClosed || closing.aborted) return
          this.onerror?.({ message: String(error), preventDefault: () => undefined })
        })
    }

    terminate(): void {
      this.#isClosed = true
    }
  }
