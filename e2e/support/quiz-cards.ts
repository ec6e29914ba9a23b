import type { Locator, Page } from '@playwright/test'

/** The button that opens the menu of a questionnaire's card. */
export const cardMenu = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: `Actions – ${name}`, exact: true })

/** Chooses an action in the menu of a card. */
export const chooseCardAction = async (page: Page, name: string, action: string): Promise<void> => {
  await cardMenu(page, name).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
