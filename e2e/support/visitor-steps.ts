import type { Page, Route } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { answerPage } from './editor-steps.ts'
import { expect } from './fixtures.ts'

/** Actions of a visitor on the sample score quiz, and checks of the stored participants. */

export const CAMILLE = 'camille@exemple.fr'
const SUBMISSIONS = '**/api/v1/quizzes/*/submit'

export const choose = (page: Page, answer: 'Rempli' | 'Libre'): Promise<void> =>
  answerPage(page, { choose: [answer] })

export const enterEmail = (page: Page, email = CAMILLE): Promise<void> =>
  answerPage(page, { type: { 'Où vous écrire ?': email } })

/** Continues the run of a page that was loaded again, whose typed texts are shown only on request. */
export const resumeRun = (page: Pick<Page, 'getByRole'>): Promise<void> =>
  page.getByRole('button', { name: 'Reprendre' }).click()

export const expectResult = (page: Page, name: 'Pas à pas' | 'Grand saut'): Promise<void> =>
  expect(page.getByRole('heading', { level: 1 })).toHaveText(name)

/** Returns the participants, newest first, as « email: answer → result ». */
const listParticipants = async (client: Client, id: string): Promise<string[]> => {
  const { details } = await client.statistics.responses({ id })
  return details.map(
    ({ email, answers, final_result_name }) =>
      `${email}: ${answers[0]?.answer_text} → ${final_result_name}`,
  )
}

/** Expects exactly these participants in any order, and the same number in the counter. */
export const expectParticipants = async (
  client: Client,
  id: string,
  expected: string[],
): Promise<void> => {
  await expect
    .poll(async () => (await listParticipants(client, id)).sort())
    .toEqual([...expected].sort())
  expect((await client.quizzes.get({ id })).quiz.nb_responses).toBe(expected.length)
}

/** Expects an empty `localStorage`; `sessionStorage` is not checked. */
export const expectEmptyLocalStorage = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([])

/** Handles the first `count` submissions with `handle` and lets the others through; returns their bodies. */
export const interceptSubmissions = async (
  page: Page,
  count: number,
  handle: (route: Route) => Promise<void>,
): Promise<{ participant_uuid: string }[]> => {
  const sent: { participant_uuid: string }[] = []
  await page.context().route(SUBMISSIONS, async (route) => {
    sent.push(route.request().postDataJSON())
    await (sent.length <= count ? handle(route) : route.continue())
  })
  return sent
}

type Shifting = { shift: number }

/** Records the cumulative layout shift (CLS) of a page from its next load on. */
export const recordLayoutShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const state = window as unknown as Shifting
    state.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        state.shift += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })

export const readLayoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as Shifting).shift)
