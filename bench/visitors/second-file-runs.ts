import type { Browser, Page, Route } from '@playwright/test'
import type { Client } from '#contract/client/client.ts'
import { median } from '../figures.ts'
import { openPhone, waitUntilAnswerable } from './visit.ts'

const SECOND_FILE = '**/assets/player-*.js*'
const DELAY_MS = 30_000
const STORED_TIMEOUT_MS = 20_000

/** Ways in which the second file of a page arrives. All are intercepted, so that interception changes no comparison. */
const ARRIVALS = {
  served: (route: Route) => route.continue(),
  blocked: (route: Route) => route.abort(),
  '30 s late': async (route: Route) => {
    await new Promise((resolve) => setTimeout(resolve, DELAY_MS))
    // The page may be closed by then.
    await route.continue().catch(() => undefined)
  },
}
type Arrival = keyof typeof ARRIVALS
const NAMES = Object.keys(ARRIVALS) as Arrival[]

/** Row of the report. */
type RunRow = {
  answerable_ms: number
  /** `answerable_ms` divided by its value with the served file. */
  ratio: number
  /** Milliseconds from the navigation to the name of the result. */
  end_ms: number
  ended: number
  stored: number
}

type Options = {
  client: Client
  ids: Record<'plain' | 'parts', string>
  origin: string
  rounds: number
}

/** Answers every question of a run and presses its buttons until the end. */
const takeRun = async (page: Page): Promise<void> => {
  const next = page.locator('.q-next')
  while (await page.locator('.q-page,.q-welcome').isVisible()) {
    for (const group of await page.locator('fieldset').all())
      await group.getByRole('radio').first().check()
    for (const field of await page.locator('.q-page .q-input').all()) await field.fill('Lyon')
    await next.click()
  }
  await page.locator('.q-ending .q-title').waitFor()
}

const roundedMedian = (values: readonly number[]): number => Math.round(median(values))

/** Takes whole runs through two quizzes, and compares when their pages can be answered. Counts the stored runs. */
export const measureRuns = async (
  browser: Browser,
  { client, ids, origin, rounds }: Options,
): Promise<Record<string, RunRow>> => {
  const storedOf = async (id: string): Promise<number> =>
    (await client.quizzes.get({ id })).quiz.nb_responses
  const measure = async (id: string, arrival: Arrival) => {
    const before = await storedOf(id)
    const { context, page } = await openPhone(browser)
    await page.route(SECOND_FILE, ARRIVALS[arrival])
    await page.goto(`${origin}/q/${id}`, { waitUntil: 'commit' })
    const answerable_ms = await waitUntilAnswerable(page)
    await takeRun(page)
    const end_ms = await page.evaluate(() => performance.now())
    const deadline = Date.now() + STORED_TIMEOUT_MS
    let stored = 0
    while (stored === 0 && Date.now() < deadline) stored = (await storedOf(id)) - before
    await context.close()
    return { answerable_ms, end_ms, stored }
  }
  const rows: Record<string, RunRow> = {}
  for (const name of ['plain', 'parts'] as const) {
    const runs: Record<Arrival, Awaited<ReturnType<typeof measure>>[]> = {
      served: [],
      blocked: [],
      '30 s late': [],
    }
    for (let round = 0; round < rounds; round++)
      for (const arrival of NAMES) runs[arrival].push(await measure(ids[name], arrival))
    const base = roundedMedian(runs.served.map((run) => run.answerable_ms))
    for (const arrival of NAMES) {
      const answerable_ms = roundedMedian(runs[arrival].map((run) => run.answerable_ms))
      rows[`${name}, ${arrival}`] = {
        answerable_ms,
        ratio: Math.round((answerable_ms / base) * 100) / 100,
        end_ms: roundedMedian(runs[arrival].map((run) => run.end_ms)),
        ended: runs[arrival].length,
        stored: runs[arrival].reduce((sum, { stored }) => sum + stored, 0),
      }
    }
  }
  return rows
}
