import {
  type MailCatcher,
  startMailCatcher,
} from '../../src/server/testing/network/mail/mail-catcher.ts'
import { test as base, type OwnServer, withOwnServer } from './server-process.ts'

/** Tests on a separate server that sends mails, and the SMTP server that receives them. */
export const testWithMails = (env: Record<string, string> = {}) =>
  base.extend<{ origin: string }, { catcher: MailCatcher; server: OwnServer }>({
    catcher: [
      async ({ browserName: _ }, use) => {
        const catcher = await startMailCatcher()
        await use(catcher)
        await catcher.close()
      },
      { scope: 'worker' },
    ],
    server: [
      ({ catcher }, use) => {
        const mails = { SMTP_URL: catcher.url, MAIL_FROM: 'Quizaine <bonjour@quiz.example>' }
        return withOwnServer({ ...mails, ...env }, use)
      },
      { scope: 'worker' },
    ],
    origin: ({ server }, use) => use(server.origin),
  })
