import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { RefusedCall } from '#contract/client.ts'
import type { SaveState } from './autosave.ts'
import { createAutosaves } from './autosaves.ts'

/** Answers that the same request would get again; anything else is worth another try. */
const FINAL_STATUSES = [400, 404, 413, 415, 422]

const isFinal = (error: unknown): boolean =>
  error instanceof RefusedCall && FINAL_STATUSES.includes(error.status)

const AutosavesContext = createContext(createAutosaves(isFinal))

export type Autosaving = { state: SaveState; flush: () => Promise<void> }

/**
 * Saves `value` while it is edited (spec §4 « Autosave »): `delay_ms` after the last change, not
 * before `hold_ms` have passed since loading, never twice at once, at once when the screen, the tab or
 * the page is left, again after a failure. The first value given under a `key` counts as stored.
 * `key` is `{quiz id}/{what}`; `save` stores the whole value. `flush` saves now and waits for it.
 */
export const useAutosave = <T>({
  key,
  value,
  save,
  delay_ms,
  hold_ms = 0,
  is_paused = false,
}: {
  key: string
  value: T
  save: (value: T) => Promise<unknown>
  delay_ms: number
  hold_ms?: number
  is_paused?: boolean
}): Autosaving => {
  const autosaves = useContext(AutosavesContext)
  const runner = autosaves.open(key, value, { delay_ms, hold_ms })
  useLayoutEffect(() => autosaves.retain(key, runner), [autosaves, key, runner])
  useEffect(() => runner.update({ value, save: () => save(value), is_paused }))
  useEffect(() => onPageSignals(runner), [runner])
  return { state: useSyncExternalStore(runner.subscribe, runner.state), flush: runner.flush }
}

const onPageSignals = ({ hurry, leave }: { hurry: () => void; leave: () => void }) => {
  const onVisibility = (): void => {
    if (document.visibilityState === 'hidden') hurry()
  }
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('pagehide', leave)
  window.addEventListener('online', hurry)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('online', hurry)
  }
}

/**
 * False until the screen of this quiz (of any, without an id) that was just left has stored its edits,
 * or has to wait for the network: before that, loading what they belong to would bring back the older.
 */
export const useSettled = (quizId?: string): boolean => {
  const autosaves = useContext(AutosavesContext)
  const [isSettled, setSettled] = useState(false)
  // In the layout phase: after the other screen has gone, before anything is painted.
  useLayoutEffect(() => {
    const prefix = quizId === undefined ? '' : `${quizId}/`
    const check = (): void => {
      if (!autosaves.isLeftover(prefix)) setSettled(true)
    }
    check()
    return autosaves.subscribe(check)
  }, [autosaves, quizId])
  return isSettled
}
