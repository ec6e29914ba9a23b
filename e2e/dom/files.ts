import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UserEvent } from '@testing-library/user-event'
import type { DOMWindow } from 'jsdom'
import { chooseFiles, type FilePayload } from './actions.ts'
import { listenLast } from './dialogs.ts'

/** A file that the page saved, with the part of Playwright's interface that journeys use. */
type DomDownload = {
  suggestedFilename: () => string
  path: () => Promise<string>
  /** Null, because the file is there once its path is. */
  failure: () => Promise<null>
}
/** A file input that asked for files. */
type DomFileChooser = { setFiles: (files: FilePayload | FilePayload[]) => Promise<void> }
type Hooks = {
  user: () => UserEvent
  onDownload: (download: DomDownload) => void
  onFileChooser: (chooser: DomFileChooser) => void
  fetchFile: (url: string) => Promise<Uint8Array>
}

/** Adds downloads and file choosers to a window: links that save a file, and inputs that ask for files. */
export const addFiles = (window: DOMWindow, hooks: Hooks): void => {
  const blobs = new Map<string, Blob>()
  let count = 0
  window.URL.createObjectURL = (blob: Blob): string => {
    count += 1
    const url = `blob:${window.location.origin}/${count}`
    blobs.set(url, blob)
    return url
  }
  window.URL.revokeObjectURL = () => undefined
  const save = (link: HTMLAnchorElement): void => {
    const blob = blobs.get(link.href)
    const bytes = blob ? readBlob(window, blob) : hooks.fetchFile(link.href)
    const suggestedFilename = (): string => link.download
    const path = async (): Promise<string> => {
      const file = join(mkdtempSync(join(tmpdir(), 'download-')), 'file')
      writeFileSync(file, await bytes)
      return file
    }
    hooks.onDownload({ suggestedFilename, path, failure: () => path().then(() => null) })
  }
  listenLast(window, 'click', ({ target }) => {
    if (!(target instanceof window.Element)) return
    if (target instanceof window.HTMLInputElement && target.type === 'file')
      hooks.onFileChooser({ setFiles: (files) => chooseFiles(hooks.user(), target, files) })
    const link = target.closest<HTMLAnchorElement>('a[download]')
    if (link) save(link)
  })
  const { click } = window.HTMLElement.prototype
  window.HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    // The click on a link outside the document reaches no window.
    if (!this.isConnected && this.hasAttribute('download')) save(this)
    else click.call(this)
  }
}

/** Returns the bytes of a blob of the window or of Node, whose answers the page reads. */
const readBlob = async (window: DOMWindow, blob: Blob): Promise<Uint8Array> => {
  if (!(blob instanceof window.Blob)) return new Uint8Array(await (blob as Blob).arrayBuffer())
  const { promise, resolve } = Promise.withResolvers<ArrayBuffer>()
  const reader = new window.FileReader()
  reader.addEventListener('load', () => resolve(reader.result as ArrayBuffer))
  reader.readAsArrayBuffer(blob)
  return new Uint8Array(await promise)
}
