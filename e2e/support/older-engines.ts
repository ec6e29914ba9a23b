import type { Browser, BrowserContextOptions, Page } from '@playwright/test'

/** Scripts that take an interface away, as in Safari 14.1, Chrome 90 or Firefox 88. */
export const OLDER_ENGINES: Record<string, string> = {
  'AbortSignal.timeout': 'delete AbortSignal.timeout; delete AbortSignal.any',
  'Object.hasOwn': 'delete Object.hasOwn; delete Object.groupBy',
  'navigator.locks': 'delete Navigator.prototype.locks',
  structuredClone: 'delete window.structuredClone',
  'crypto.randomUUID': 'delete Crypto.prototype.randomUUID',
  'arrays and texts':
    'for (const kind of [Array, String]) for (const name of ["at", "findLast", "findLastIndex", "toSorted", "toReversed", "toSpliced", "with", "isWellFormed", "toWellFormed"]) delete kind.prototype[name]',
  promises: 'delete Promise.withResolvers; delete Promise.try',
  requestIdleCallback: 'delete window.requestIdleCallback; delete window.cancelIdleCallback',
  'HTMLElement.inert': 'delete HTMLElement.prototype.inert',
  dialog: 'delete HTMLDialogElement.prototype.showModal; delete HTMLDialogElement.prototype.show',
  'constructed styles':
    'delete CSSStyleSheet.prototype.replaceSync; delete Document.prototype.adoptedStyleSheets',
  'forms and attributes':
    'delete HTMLFormElement.prototype.requestSubmit; delete SubmitEvent.prototype.submitter; delete Element.prototype.ariaLabel',
  'navigation timing': 'performance.getEntriesByType = () => []',
  'Intl.Segmenter': 'delete Intl.Segmenter',
  'URL.canParse': 'delete URL.canParse',
  BroadcastChannel: 'delete window.BroadcastChannel',
}

/** Script that takes all these interfaces away. */
export const ALL_OLDER_ENGINES = Object.values(OLDER_ENGINES).join(';')

/** Script of a browser that refuses to store anything for a site. */
export const NO_STORAGE =
  'for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError") } })'

/** Opens a page of a new browser, in which a script runs before those of the page. */
export const openBrowser = async (
  browser: Browser,
  content: string,
  options: BrowserContextOptions = {},
): Promise<Page> => {
  const context = await browser.newContext(options)
  await context.addInitScript({ content })
  return context.newPage()
}
