import assert from 'node:assert/strict'
import { AuthClient } from '@supabase/auth-js'

type Account = { email: string; password: string }
type AuthReply = { error: { code?: string; status?: number } | null }

const memoryStorage = () => {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

/** Cookie jar of a test browser. */
export type TestBrowser = { cookie: string }

/** Adds the cookie of a Set-Cookie header to the browser, replacing a cookie of equal name. */
export const storeCookie = (browser: TestBrowser, header: string | null | undefined): void => {
  const given = header?.split(';')[0]
  if (!given) return
  const name = given.slice(0, given.indexOf('=') + 1)
  const others = browser.cookie.split('; ').filter((kept) => kept && !kept.startsWith(name))
  browser.cookie = [...others, given].join('; ')
}

/**
 * Creates browser tabs with the official auth client over HTTP. Tabs have separate storage and share the cookies of one
 * browser.
 */
export const createAuthClients = (origin: string) => {
  const browser: TestBrowser = { cookie: '' }
  let tabs = 0
  let accounts = 0

  const openTab = (flowType: 'implicit' | 'pkce' = 'implicit') => {
    tabs += 1
    return new AuthClient({
      url: `${origin}/auth/v1`,
      storageKey: `tab-${tabs}`,
      storage: memoryStorage(),
      autoRefreshToken: false,
      detectSessionInUrl: false,
      flowType,
      // Cookies are kept here, because Node's fetch does not store them.
      fetch: async (address, init) => {
        const headers = new Headers(init?.headers)
        if (browser.cookie) headers.set('cookie', browser.cookie)
        const reply = await fetch(address, { ...init, headers })
        storeCookie(browser, reply.headers.get('set-cookie'))
        return reply
      },
      experimental: { recoveryCodes: true },
    })
  }
  const newAccount = (): Account => {
    accounts += 1
    return { email: `createur${accounts}@example.org`, password: 'secret1' }
  }
  /** Opens a tab, signs up and returns the tab with its session. */
  const signUpInTab = async (account = newAccount()) => {
    const client = openTab()
    const { data, error } = await client.signUp(account)
    assert.equal(error, null)
    assert.ok(data.session)
    return { client, account, session: data.session, user: data.session.user }
  }
  /** Opens a tab, signs in to an existing account and returns the tab with its session. */
  const signInInTab = async (account: Account) => {
    const client = openTab()
    const { data, error } = await client.signInWithPassword(account)
    assert.equal(error, null)
    assert.ok(data.session)
    return { client, session: data.session }
  }
  return { browser, openTab, newAccount, signUpInTab, signInInTab }
}

/** Returns status and code of a call's error. Undefined if the call succeeded. */
export const getAuthError = async (call: Promise<AuthReply>) => {
  const { error } = await call
  return error ? [error.status, error.code] : undefined
}
