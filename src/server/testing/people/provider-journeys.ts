import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestApp } from '#server/testing/app/test-app.ts'
import { type createAuthClients, storeCookie, type TestBrowser } from './auth-clients.ts'
import type { OpenidProvider } from './openid-provider.ts'

type Tab = ReturnType<ReturnType<typeof createAuthClients>['openTab']>

/** Address to which the app redirects after each sign-in of these tests. */
export const REDIRECT_URL = 'http://localhost:3000/login'

/** Returns the parameters in the fragment of an address. */
export const fragmentOf = (url: URL) => Object.fromEntries(new URLSearchParams(url.hash.slice(1)))

/** Returns the claims of a new person with a verified address. */
export const createProviderUser = (more: object = {}) => ({
  sub: randomUUID(),
  email: `${randomUUID()}@example.org`,
  email_verified: true,
  name: 'Camille Dupré',
  ...more,
})

/** Creates sign-in steps from the official client to the provider and back. The app's provider name is `maison`. */
export const createJourneys = (
  app: Pick<TestApp, 'raw'>,
  provider: OpenidProvider,
  browser: TestBrowser,
) => {
  // The type of the official client has no custom providers.
  const provider_name = 'maison' as 'google'

  /** Opens an address of the app with the browser's cookies, and stores the cookies of the answer. */
  const openInBrowser = async (address: string, { cookie } = browser) => {
    const { pathname, search } = new URL(address)
    const reply = await app.raw({ url: pathname + search, headers: cookie ? { cookie } : {} })
    storeCookie(browser, reply.headers['set-cookie'] as string | undefined)
    const location = String(reply.headers.location ?? '')
    return { status: reply.statusCode, location, body: reply.body }
  }
  /** Starts a sign-in and returns the address that the official client would open. */
  const startSignIn = async (
    tab: Tab,
    queryParams: Record<string, string> = {},
  ): Promise<string> => {
    const options = { redirectTo: REDIRECT_URL, queryParams, skipBrowserRedirect: true }
    const { data } = await tab.signInWithOAuth({ provider: provider_name, options })
    return data.url ?? ''
  }
  /** Follows a sign-in from the client's address to the provider and back. Returns the final address. */
  const completeSignIn = async (address: string): Promise<URL> => {
    const { status, location } = await openInBrowser(address)
    assert.equal(status, 302, location)
    const back = await provider.visit(location)
    return new URL((await openInBrowser(back.href)).location)
  }
  /** Links the provider's person to the account of a signed-in tab. Returns the final address. */
  const linkIdentity = async (tab: Tab): Promise<URL> => {
    const options = { redirectTo: REDIRECT_URL, skipBrowserRedirect: true }
    const { data, error } = await tab.linkIdentity({ provider: provider_name, options })
    assert.equal(error, null)
    const back = await provider.visit(data.url ?? '')
    return new URL((await openInBrowser(back.href)).location)
  }
  return { openInBrowser, startSignIn, completeSignIn, linkIdentity }
}
