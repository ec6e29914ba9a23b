import type { Locator, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'

/** Returns the text fields of the rows of the first grid. */
export const gridRows = (page: Page): Locator =>
  page
    .getByRole('list', { name: 'Lignes de la grille' })
    .first()
    .getByRole('textbox', { name: /ligne \d+ sur/ })
/** Opens a menu and presses one of its items. */
export const pressMenuItem = async (page: Page, menu: string, item: string): Promise<void> => {
  await page.getByRole('button', { name: menu, exact: true }).first().click()
  await page.getByRole('menuitem', { name: item }).click()
}
/** Returns a function that lists the questions of the draft: page, text, and the title or `+` of a row. */
export const listDraftRows = (client: Client, id: string) => async () =>
  (await client.drafts.get({ id })).questions.map(
    ({ text, grid_title, continues_grid, page_number }) =>
      [page_number, text, grid_title ?? (continues_grid ? '+' : '-')].join(' '),
  )
