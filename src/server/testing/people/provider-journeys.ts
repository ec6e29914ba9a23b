import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestApp } from '#server/testing/app/test-app.ts'
import { type createAuthClients, keepCookie, type TestBrowser } from './auth-clients.ts'
import type { OpenidProvider } from './openid-provider.ts'

type Tab = ReturnType<ReturnType<typeof createAuthClients>['openTab']>

/** Where every journey of these tests leads. */
export const redirectTo = 'http://localhost:3000/login'

export const fragmentOf = (url: URL) => Object.fromEntries(new URLSearchParams(url.hash.slice(1)))

/** A person whom a provider knows, with an address that it has verified. */
export const newPerson = (more: object = {}) => ({
  sub: randomUUID(),
  email: `${randomUUID()}@example.org`,
  email_verified: true,
  name: 'Camille Dupré',
  ...more,
})

/** Sign-in journeys from the official client to the provider and back; the app knows it as maison. */
export const createJourneys = (
  app: Pick<TestApp, 'raw'>,
  provider: OpenidProvider,
  browser: TestBrowser,
) => {
  // Name of the configured provider.
  const maison = 'maison' as 'google'

  /** Returns the app's answer to a browser. */
  const ask = async (address: string, { cookie } = browser) => {
    const { pathname, search } = new URL(address)
    const reply = await app.raw({ url: pathname + search, headers: cookie ? { cookie } : {} })
    keepCookie(browser, reply.headers['set-cookie'] as string | undefined)
    const location = String(reply.headers.location ?? '')
    return { status: reply.statusCode, location, body: reply.body }
  }
  /** Where the official client would go. */
  const begin = async (tab: Tab, queryParams: Record<string, string> = {}): Promise<string> => {
    const options = { redirectTo, queryParams, skipBrowserRedirect: true }
    const { data } = await tab.signInWithOAuth({ provider: maison, options })
    return data.url ?? ''
  }
  /** From the client's address to the provider and back; gives where it ends. */
  const goThrough = async (address: string): Promise<URL> => {
    const { status, location } = await ask(address)
    assert.equal(status, 302, location)
    const back = await provider.visit(location)
    return new URL((await ask(back.href)).location)
  }
  /** Links the identity to the account of a signed-in tab. */
  const link = async (tab: Tab): Promise<URL> => {
    const options = { redirectTo, skipBrowserRedirect: true }
    const { data, error } = await tab.linkIdentity({ provider: maison, options })
    assert.equal(error, null)
    const back = await provider.visit(data.url ?? '')
    return new URL((await ask(back.href)).location)
  }
  return { ask, begin, goThrough, link }
}
