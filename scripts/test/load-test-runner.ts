import async_hooks, { type HookCallbacks } from 'node:async_hooks'

/** Node's test runner and a way to load the files of a suite. */
export type TestRunner = {
  runner: Pick<typeof import('node:test'), 'after' | 'mock' | 'suite'>
  /** Runs `load` in the callback of a suite. Tests and hooks that `load` registers belong to that suite. */
  loadIntoSuite: (load: () => Promise<void>) => Promise<void>
}

/**
 * Loads Node's test runner without its tracking of promises, which makes each promise twenty times slower. Instead,
 * `loadIntoSuite` tells the runner the suite of tests that are registered after an `await`. Must be called before anything
 * else imports `node:test`.
 */
export const loadTestRunner = async (): Promise<TestRunner> => {
  const { createHook, executionAsyncId } = async_hooks
  /** Async ids of suites and tests. */
  const test_ids = new Set<number>()
  let loading_id: number | undefined
  // The runner keeps the two functions that `async_hooks` has while the runner is loaded.
  async_hooks.createHook = (callbacks) =>
    createHook({ ...callbacks, trackPromises: false, init: recordTests(callbacks, test_ids) })
  async_hooks.executionAsyncId = () => {
    const id = executionAsyncId()
    return test_ids.has(id) ? id : (loading_id ?? id)
  }
  try {
    const runner = await import('node:test')
    const loadIntoSuite = async (load: () => Promise<void>): Promise<void> => {
      loading_id = executionAsyncId()
      await load().finally(() => (loading_id = undefined))
    }
    return { runner, loadIntoSuite }
  } finally {
    Object.assign(async_hooks, { createHook, executionAsyncId })
  }
}

/** Returns the `init` callback of a hook. The callback also records the ids of suites and tests. */
const recordTests = (
  { init }: HookCallbacks,
  test_ids: Set<number>,
): NonNullable<HookCallbacks['init']> => {
  return (id, type, trigger_id, resource) => {
    if (type === 'Test') test_ids.add(id)
    init?.(id, type, trigger_id, resource)
  }
}
