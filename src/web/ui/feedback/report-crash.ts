import { CRASH_LIMITS } from '#domain/common/crash.ts'
import { findSession } from '#web/api/auth-client.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'

/** Maximum number of reports of one page, so that a crash that repeats itself sends no flood. */
const MAX_REPORTS = 5
const reported = new Set<string>()

/** Sends a crash to the log of the server, each kind of crash once. Nothing is sent without a session. */
export const reportCrash = async (error: unknown): Promise<void> => {
  if (!(await findSession())) return
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const body = {
    name: name.slice(0, CRASH_LIMITS.name),
    message: message.slice(0, CRASH_LIMITS.message),
    screen: screenOf(window.location.pathname),
    // File and position of the crash, for example « questions-page-Bx3.js:1:2345 ».
    position: /(?<![\w-])[\w-]+\.js:\d+:\d+/.exec(stack)?.[0].slice(-CRASH_LIMITS.position) ?? null,
    release: releaseName(),
  }
  const key = JSON.stringify(body)
  if (reported.has(key) || reported.size >= MAX_REPORTS) return
  reported.add(key)
  await lazyClient.crashes.report({ body })
}

/** Returns the path of a screen without ids: `/quiz/{id}/results`. */
const screenOf = (path: string): string =>
  path.replace(/^(\/[a-z]+)\/[^/]+/, '$1/{id}').slice(0, CRASH_LIMITS.screen)

/** Returns the name of the page's script, which every release changes. */
const releaseName = (): string =>
  (document.querySelector('script[src]')?.getAttribute('src') ?? '')
    .replace(/^.*\//, '')
    .slice(0, CRASH_LIMITS.release)
