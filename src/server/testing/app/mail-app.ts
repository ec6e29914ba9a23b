import assert from 'node:assert/strict'
import { catchMails, type MailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import { createAuthClients, type TestBrowser } from '#server/testing/people/auth-clients.ts'
import { createTestApp, type TestApp } from './test-app.ts'

/** Where a link led. */
type Followed = {
  status: number
  headers: Record<string, unknown>
  body: string
  location: URL
  fragment: Record<string, string>
  query: Record<string, string>
}

type Clients = ReturnType<typeof createAuthClients>

export type MailApp = TestApp &
  Clients & {
    catcher: MailCatcher
    origin: string
    /** Follows a mailed link in the browser of the tabs or another one, and returns the parsed target. */
    follow: (link: string, browser?: TestBrowser) => Promise<Followed>
    /** Resolves when no mail is pending. */
    waitForMails: () => Promise<void>
    /** Returns a signed-in tab whose account was confirmed by mail. */
    confirmed: (account?: ReturnType<Clients['newAccount']>) => ReturnType<Clients['signedUp']>
  }

/** Starts the app with a mail server, so that accounts must be confirmed. */
export const createMailApp = async (env: Record<string, string> = {}): Promise<MailApp> => {
  const catcher = await catchMails()
  const t = await createTestApp({
    SMTP_URL: catcher.url,
    MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
    ...env,
  })
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const clients = createAuthClients(origin)

  const follow = async (link: string, { cookie } = clients.browser): Promise<Followed> => {
    const { pathname, search } = new URL(link)
    const reply = await t.app.inject({
      url: `${pathname}${search}`,
      headers: cookie ? { cookie } : {},
    })
    const location = new URL(String(reply.headers.location ?? 'about:blank'))
    return {
      status: reply.statusCode,
      headers: reply.headers,
      body: reply.body,
      location,
      fragment: Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
      query: Object.fromEntries(location.searchParams),
    }
  }
  const waitForMails = async (): Promise<void> => {
    const waiting = await t.db.selectFrom('mail_jobs').select('id').where('tries', '<', 2).execute()
    if (waiting.length > 0) await waitForMails()
  }
  const confirmed = async (account = clients.newAccount()) => {
    const client = clients.openTab()
    const { error } = await client.signUp(account)
    assert.equal(error, null)
    await follow((await catcher.next(account.email)).link)
    const { client: tab, session } = await clients.signedIn(account)
    return { client: tab, account, session, user: session.user }
  }
  return {
    ...t,
    ...clients,
    catcher,
    origin,
    follow,
    waitForMails,
    confirmed,
    close: async () => {
      await t.close()
      await catcher.close()
    },
  }
}
