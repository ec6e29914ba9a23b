import { createScreens, isPublic, SCREENS } from '../support/creator-screens.ts'
import { journey, openSignedIn } from './fixtures.ts'
import type { Page } from './page.ts'

/** Screens of creators, in Firefox and WebKit. */

const expectScreen = async (page: Page): Promise<void> => {
  await page.waitFor({ css: 'h1:not([inert] *)' }, ({ text }) => text !== '')
  await page.waitUntilNone({ css: '[aria-busy="true"]' })
}

journey('every screen of creators is shown without an error', async ({ creator, openPage }) => {
  const addressOf = await createScreens(creator.client)
  const page = await openPage('desktop')
  for (const screen of SCREENS.filter(isPublic)) {
    await page.open(addressOf(screen))
    await expectScreen(page)
  }
  await openSignedIn(page, creator, '/dashboard')
  for (const screen of SCREENS.filter((one) => !isPublic(one))) {
    await page.open(addressOf(screen))
    await expectScreen(page)
    // Only administrators stay on their screen.
    const reached = screen === '/admin' ? '/dashboard' : addressOf(screen)
    await page.expectPath(new RegExp(`^${reached}$`))
  }
})
