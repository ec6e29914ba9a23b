import { type AutosaveRunner, type AutosaveTimes, runAutosave } from './autosave-runner.ts'

export type Autosaves = {
  /** The runner of this key; `stored` is what the server holds when there is none yet. */
  open: (key: string, stored: unknown, times: AutosaveTimes) => AutosaveRunner
  /** Keeps a runner for a screen; the answer gives it back, saving what is left. */
  retain: (key: string, runner: AutosaveRunner) => () => void
  /** True while a screen that was left is still saving something under this prefix. */
  isLeftover: (prefix: string) => boolean
  subscribe: (listener: () => void) => () => void
}

/**
 * The autosaves in use, by key. One outlives its screen until its value is stored, and a screen that
 * comes back before that takes it over, so an older value can never land on a newer one.
 */
export const createAutosaves = (isFinal: (error: unknown) => boolean): Autosaves => {
  const runners = new Map<string, AutosaveRunner>()
  const retained = new Map<AutosaveRunner, number>()
  const listeners = new Set<() => void>()

  const forgetIfDone = (key: string, runner: AutosaveRunner): void => {
    const isDone = ['saved', 'refused'].includes(runner.state())
    if (isDone && !retained.has(runner) && runners.get(key) === runner) runners.delete(key)
    for (const listener of listeners) listener()
  }

  const release = (key: string, runner: AutosaveRunner): void => {
    const count = (retained.get(runner) ?? 0) - 1
    if (count > 0) retained.set(runner, count)
    else retained.delete(runner)
    runner.hurry()
    forgetIfDone(key, runner)
  }

  return {
    open: (key, stored, times) => {
      const known = runners.get(key)
      if (known) return known
      const runner = runAutosave(stored, times, isFinal)
      runner.subscribe(() => forgetIfDone(key, runner))
      runners.set(key, runner)
      return runner
    },
    retain: (key, runner) => {
      runners.set(key, runner)
      retained.set(runner, (retained.get(runner) ?? 0) + 1)
      return () => release(key, runner)
    },
    isLeftover: (prefix) =>
      [...runners].some(
        ([key, runner]) =>
          key.startsWith(prefix) && !retained.has(runner) && runner.state() === 'saving',
      ),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
