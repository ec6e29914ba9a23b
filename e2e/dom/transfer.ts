import type { DOMWindow } from 'jsdom'

/** Adds what a paste and a drop carry, which jsdom lacks: texts by type, and files. */
export const addTransfers = (window: DOMWindow): void => {
  class DomDataTransfer {
    readonly #texts = new Map<string, string>()
    readonly files: File[] = []
    readonly items = { add: (file: File): number => this.files.push(file) }
    get types(): string[] {
      return [...this.#texts.keys(), ...(this.files.length > 0 ? ['Files'] : [])]
    }
    setData(type: string, text: string): void {
      this.#texts.set(nameOfType(type), text)
    }
    getData(type: string): string {
      return this.#texts.get(nameOfType(type)) ?? ''
    }
  }
  class DomClipboardEvent extends window.Event {
    readonly clipboardData: DomDataTransfer | null
    constructor(type: string, { clipboardData = null, ...init }: ClipboardInit = {}) {
      super(type, init)
      this.clipboardData = clipboardData
    }
  }
  type ClipboardInit = EventInit & { clipboardData?: DomDataTransfer | null }
  Object.assign(window, { DataTransfer: DomDataTransfer, ClipboardEvent: DomClipboardEvent })
}

/** Returns the full name of the type of a text. */
const nameOfType = (type: string): string => (type === 'text' ? 'text/plain' : type)
