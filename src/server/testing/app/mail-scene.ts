import assert from 'node:assert/strict'
import { after, afterEach } from 'node:test'
import { reconcile } from '#server/deliveries/reconcile.store.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { catchMails } from '#server/testing/network/mail/mail-catcher.ts'
import type { Ready } from '#server/testing/quizzes/sample-quizzes.ts'
import { type Connected, createOutboxApp, type OutboxApp } from './outbox-app.ts'

/** Result mails per day in these tests. */
export const MAILS_A_DAY = 12

const balanceOf = async ({ client }: Connected, { id }: Ready, provider = 'mail') => {
  const { ledgers } = await client.deliveries.list({ id })
  const ledger = ledgers.find((one) => one.provider === provider)
  assert.ok(ledger)
  const { nb_participants: _, no_consent: __, ...balance } = ledger.balance
  return Object.fromEntries(Object.entries(balance).filter(([, count]) => count > 0))
}

/**
 * Starts the outbox with a mail server that tests can make fail. After each test, counters must equal a recount and
 * no participant may be missing.
 */
export const createMailScene = async (env: Record<string, string> = {}) => {
  const catcher = await catchMails()
  const app = await createOutboxApp({
    SMTP_URL: catcher.url,
    MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
    AUTH_AUTOCONFIRM: 'true',
    RESULT_MAILS_PER_DAY: String(MAILS_A_DAY),
    ...env,
  })
  after(async () => {
    await app.close()
    await catcher.close()
  })
  afterEach(async () => {
    catcher.heal()
    assert.deepEqual(await findDifferences(app.pool), [])
    assert.equal(await reconcile(app.db), 0)
  })
  let taken = 0
  /** Returns a unique address. */
  const newAddress = (): string => {
    taken += 1
    return `p${taken}@exemple.fr`
  }
  const mailsTo = (address: string) => catcher.mails.filter(({ to }) => to === address)

  /** A quiz that sends its participants their result. */
  const scene = async (providers: Parameters<OutboxApp['forwardingQuiz']>[1] = []) => {
    const creator = await app.connect()
    const quiz = await app.forwardingQuiz(creator, providers)
    const set = (body: Parameters<typeof creator.client.quizMails.set>[0]['body']) =>
      creator.client.quizMails.set({ id: quiz.id, body })
    await set({ sends_result: true })
    /** Adds participants and returns their addresses. */
    const come = async (count: number): Promise<string[]> => {
      const addresses = Array.from({ length: count }, newAddress)
      for (const [index, address] of addresses.entries()) await app.take(quiz, address, index % 2)
      return addresses
    }
    return {
      ...{ creator, quiz, set, come },
      balance: (provider?: string) => balanceOf(creator, quiz, provider),
      reasons: async () => {
        const { deliveries } = await creator.client.deliveries.list({
          id: quiz.id,
          provider: 'mail',
        })
        return deliveries.map(({ reason }) => reason)
      },
    }
  }
  return {
    ...app,
    catcher,
    newAddress,
    mailsTo,
    nbTo: (addresses: readonly string[]): number[] => addresses.map((one) => mailsTo(one).length),
    scene,
  }
}
