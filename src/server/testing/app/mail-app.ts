import assert from 'node:assert/strict'
import { type MailCatcher, startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import { createAuthClients, type TestBrowser } from '#server/testing/people/auth-clients.ts'
import { createTestApp, type TestApp } from './test-app.ts'

/** Answer to a followed link, with the parts of its redirect target. */
type LinkReply = {
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
    /** Opens a mailed link and returns the parsed redirect. Uses the shared test browser by default. */
    followLink: (link: string, browser?: TestBrowser) => Promise<LinkReply>
    /** Resolves when no mail job with fewer than two tries is left. */
    waitForMails: () => Promise<void>
    /** Creates an account, confirms it with the mailed link, and signs it in. */
    createConfirmedAccount: (
      account?: ReturnType<Clients['newAccount']>,
    ) => ReturnType<Clients['signUpInTab']>
  }

/** Starts the app with a mail server. New accounts must then confirm their address. */
export const createMailApp = async (env: Record<string, string> = {}): Promise<MailApp> => {
  const catcher = await startMailCatcher()
  const t = await createTestApp({
    SMTP_URL: catcher.url,
    MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
    ...env,
  })
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const clients = createAuthClients(origin)

  const followLink = async (link: string, { cookie } = clients.browser): Promise<LinkReply> => {
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
  const createConfirmedAccount = async (account = clients.newAccount()) => {
    const client = clients.openTab()
    const { error } = await client.signUp(account)
    assert.equal(error, null)
    await followLink((await catcher.next(account.email)).link)
    const { client: tab, session } = await clients.signInInTab(account)
    return { client: tab, account, session, user: session.user }
  }
  return {
    ...t,
    ...clients,
    catcher,
    origin,
    followLink,
    waitForMails,
    createConfirmedAccount,
    close: async () => {
      await t.close()
      await catcher.close()
    },
  }
}
