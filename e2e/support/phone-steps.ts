import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { expect } from './fixtures.ts'

/** Steps of a visitor at a phone question of an account in Belgium. */

export const HINT = 'Numéro sans indicatif : Belgique (+32).'
/** Number that most journeys type, and its reading. */
export const TYPED = '0470 12 34 56'
export const READING = 'Numéro compris : +32 470 12 34 56'
export const ADVICE = 'Vérifiez ou ajoutez l’indicatif (+33…).'

/** Publishes a sondage of an account in Belgium, with a phone number and a name on its first page. */
export const publishedPhone = async (client: Client): Promise<string> => {
  await client.preferences.set({ body: { country: 'BE' } })
  const { quiz } = await client.quizzes.create({ body: { name: 'Rappel', type: 'sondage' } })
  const { id } = quiz
  const questions = [
    { type: 'phone' as const, text: 'Votre téléphone ?' },
    { type: 'text' as const, text: 'Votre prénom ?' },
    { type: 'text' as const, text: 'Votre ville ?', page_number: 2 },
  ]
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.publish({ id })
  return id
}

export const phoneOf = (page: Page) => page.getByLabel('Votre téléphone ?')
export const readingOf = (page: Page) => page.locator('.q-reading')

export const SECOND_FILE = /\/assets\/player-(?!phones|emails)/
export const PHONE_FILE = /\/assets\/player-phones-/

/** Opens a quiz and waits until its second file can load the file that reads numbers. */
export const openReading = async (page: Page, id: string): Promise<void> => {
  const loaded = page.waitForResponse(SECOND_FILE)
  await page.goto(`/q/${id}`)
  await (await loaded).finished()
  await expect(page.locator('.q-page[novalidate]')).toBeVisible()
}
