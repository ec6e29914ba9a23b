import { MAX_RUN_IDLE_MS } from '#domain/common/vocabulary.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { DocumentLinks } from '#domain/reports/document.ts'
import type { BrowserStore } from './browser-store.ts'
import type { Refusal, Submission } from './player-api.ts'
import type { Run } from './run.ts'

/** Run as stored in its tab, so that it survives a reload and a crash. The stored run remains after the end. */
export type SavedRun = Run & {
  quiz_id: string
  /** Time of the last change in ms; absent in runs of an earlier release. */
  used_at?: number | undefined
  /** True if the visitor has already chosen to resume the run. */
  is_confirmed?: boolean | undefined
  /** The version of the quiz that the visitor answers. */
  version: number
  participant_uuid: string
  /** The submission of the run until the server has acknowledged it. */
  submission?: Submission | undefined
  /** The reason of a refusal, shown below the result after a reload too. */
  refusal?: Refusal | undefined
  /** The documents that the server offered with its acknowledgement. */
  documents?: DocumentLinks | undefined
}

/**
 * Creates access to the stored run of a tab. A tab stores one run, which the next run replaces. The frames of a page
 * share the storage of the tab, so there each quiz has its own key.
 */
export const createSavedRun = (tab: BrowserStore, quiz_id: string, is_framed: boolean) => {
  const key = is_framed ? `quizaine:run:${quiz_id}` : 'quizaine:run'
  const forget = (): void => tab.remove(key)
  return {
    /** True if the tab had a run when the page was loaded. Browsers may then fill in its fields again. */
    had_run: !!tab.read(key),
    /** Returns the run on this quiz; removes a run on another quiz, and a run that was not used for 30 minutes. */
    find: (): SavedRun | undefined => {
      const saved = tab.read(key)
      if (isSavedRun(saved) && saved.quiz_id === quiz_id && !isExpired(saved)) return saved
      forget()
      return undefined
    },
    /** Stores a run in place of the previous one, with the time. */
    keep: (run: SavedRun): void => tab.write(key, { ...run, used_at: Date.now() }),
    forget,
  }
}

const isSavedRun = (value: unknown): value is SavedRun => {
  const { participant_uuid, page_index, replies } = Object(value)
  return typeof participant_uuid === 'string' && Number.isInteger(page_index) && isReplies(replies)
}

const isExpired = ({ used_at }: SavedRun): boolean =>
  // A run without a time is not expired, because the sum is NaN.
  (used_at as number) + MAX_RUN_IDLE_MS < Date.now()

const isReplies = (value: unknown): value is Replies =>
  Object.values(value ?? [value])
    .flat()
    .every((part) => typeof part === 'string')
