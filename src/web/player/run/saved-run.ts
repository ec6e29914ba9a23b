import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Refusal, Submission } from './player-api.ts'
import type { Run } from './run.ts'

/** A store of JSON values in the visitor's browser. */
export type BrowserStore = {
  read: (key: string) => unknown
  write: (key: string, value: unknown) => void
  remove: (key: string) => void
  /** Returns the keys with this prefix. */
  keys: (start: string) => string[]
}

/**
 * Creates a store on `localStorage` or `sessionStorage`. When the storage is disabled or full, nothing is stored
 * beyond this page, a warning is logged once, and the run continues.
 */
export const createBrowserStore = (storage: () => Storage): BrowserStore => {
  let isReported = false
  const attempt = <T>(act: (kept: Storage) => T, otherwise: T): T => {
    try {
      return act(storage())
    } catch (error) {
      if (!isReported) console.warn('Storage unavailable', error)
      isReported = true
      return otherwise
    }
  }
  return {
    read: (key) => attempt((kept): unknown => JSON.parse(String(kept.getItem(key))), null),
    write: (key, value) => attempt((kept) => kept.setItem(key, JSON.stringify(value)), undefined),
    remove: (key) => attempt((kept) => kept.removeItem(key), undefined),
    keys: (start) =>
      attempt((kept) => Object.keys(kept).filter((key) => key.startsWith(start)), []),
  }
}

/** A run as stored in its tab. It survives a reload and a crash, and remains after the end. */
export type SavedRun = Run & {
  quiz_id: string
  /** The version of the quiz that the visitor answers. */
  version: number
  participant_uuid: string
  /** The submission of the run until the server has acknowledged it. */
  submission?: Submission | undefined
  /** The reason of a refusal, shown below the result after a reload too. */
  refusal?: Refusal | undefined
}

/**
 * Creates access to the stored run of a tab. A tab stores one run, which the next run replaces. The frames of a page
 * share the storage of the tab, so there each quiz has its own key.
 */
export const createSavedRun = (tab: BrowserStore, quiz_id: string, is_framed: boolean) => {
  const key = is_framed ? `quizaine:run:${quiz_id}` : 'quizaine:run'
  const forget = (): void => tab.remove(key)
  return {
    /** Returns the run on this quiz; removes a run on another quiz. */
    find: (): SavedRun | undefined => {
      const kept = tab.read(key)
      if (isSavedRun(kept) && kept.quiz_id === quiz_id) return kept
      forget()
      return undefined
    },
    /** Stores a run in place of the previous one. */
    keep: (run: SavedRun): void => tab.write(key, run),
    forget,
  }
}

const isSavedRun = (value: unknown): value is SavedRun => {
  const { participant_uuid, page_index, replies } = Object(value)
  return typeof participant_uuid === 'string' && Number.isInteger(page_index) && isReplies(replies)
}

const isReplies = (value: unknown): value is Replies =>
  Object.values(value ?? [value])
    .flat()
    .every((part) => typeof part === 'string')

type Options = {
  /**
   * Called with the page that the visitor reached with the browser's buttons; returns the index of the shown page.
   */
  onTravel: (page_index: number) => number
}

const pageHere = (): number => Number(history.state?.page_index) || 0

/**
 * Creates one entry in the browser's history for each page of a run. Back goes one page back, Forward one page
 * forward, and Back on the first page leaves (spec §4 « Taking a quiz »).
 */
export const createPageHistory = ({ onTravel }: Options) => {
  let wanted = 0
  let isTravelling = false
  const align = (): void => {
    for (let page_index = pageHere(); page_index < wanted; )
      history.pushState({ page_index: ++page_index }, '')
    isTravelling = pageHere() > wanted
    // `history.go` is asynchronous: the popstate handler compares with the page that is wanted then.
    if (isTravelling) history.go(wanted - pageHere())
  }
  addEventListener('popstate', () => {
    if (!isTravelling) {
      // Pages shown before the history is aligned only change `wanted`.
      isTravelling = true
      wanted = onTravel(pageHere())
    }
    align()
  })
  history.scrollRestoration = 'manual'
  return {
    /** Moves the history to the shown page. */
    show: (page_index: number): void => {
      wanted = page_index
      if (!isTravelling) align()
    },
  }
}
