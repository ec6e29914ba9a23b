import { catchMails, type MailCatcher } from '../src/server/testing/mail-catcher.ts'
import { test as base, isReady } from './server-process.ts'

/** A server that sends mails, and the SMTP server that receives them. */
export const test = base.extend<{
  catcher: MailCatcher
  env: Record<string, string>
  origin: string
}>({
  env: [{}, { option: true }],
  catcher: async ({ baseURL: _ }, use) => {
    const catcher = await catchMails()
    await use(catcher)
    await catcher.close()
  },
  origin: async ({ run, catcher, env, baseURL }, use, { parallelIndex }) => {
    const port = Number(new URL(baseURL ?? '').port) + 20 + parallelIndex
    const running = run({
      PORT: String(port),
      RATE_LIMITS: 'off',
      SMTP_URL: catcher.url,
      MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
      ...env,
    })
    await isReady(running)
    await use(`http://localhost:${port}`)
  },
})
