import type { Locator, Page } from '@playwright/test'

/** Card with this title, such as the card of an email tool. */
export const cardOf = (page: Page, name: string): Locator =>
  page.getByRole('region', { name, exact: true })

/** Row of a participant in the table of participants, by the email address. */
export const rowOf = (page: Page, email: string): Locator =>
  page.getByRole('link', { name: `, ${email} :` })
