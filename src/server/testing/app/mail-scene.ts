import assert from 'node:assert/strict'
import { after, afterEach } from 'node:test'
import { reconcile } from '#server/deliveries/reconcile.store.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type ConnectedCreator, createOutboxApp, type OutboxApp } from './outbox-app.ts'

/** Maximum number of result mails per day in these tests. */
export const MAILS_A_DAY = 12

const balanceOf = async ({ client }: ConnectedCreator, { id }: SampleQuiz, provider = 'mail') => {
  const { ledgers } = await client.deliveries.list({ id })
  const ledger = ledgers.find((candidate) => candidate.provider === provider)
  assert.ok(ledger)
  const { nb_participants: _, no_consent: __, ...balance } = ledger.balance
  return Object.fromEntries(Object.entries(balance).filter(([, count]) => count > 0))
}

/**
 * Starts the outbox with a mail server that can fail on request. After each test, counters must equal a recount, and
 * reconciliation must find no missing delivery.
 */
export const createMailScene = async (env: Record<string, string> = {}) => {
  const catcher = await startMailCatcher()
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
  /** Returns an unused address. */
  const newAddress = (): string => {
    taken += 1
    return `p${taken}@exemple.fr`
  }
  const listMailsTo = (address: string) => [...catcher.mailsTo(address)]

  /** Creates a published quiz that sends result mails to its participants. */
  const createMailQuiz = async (
    providers: Parameters<OutboxApp['createForwardingQuiz']>[1] = [],
  ) => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, providers)
    const setMails = (body: Parameters<typeof creator.client.quizMails.set>[0]['body']) =>
      creator.client.quizMails.set({ id: quiz.id, body })
    await setMails({ sends_result: true })
    /** Submits `count` new participants and returns their addresses. */
    const addParticipants = async (count: number): Promise<string[]> => {
      const addresses = Array.from({ length: count }, newAddress)
      for (const [index, address] of addresses.entries())
        await app.submitParticipant(quiz, address, index % 2)
      return addresses
    }
    return {
      creator,
      quiz,
      setMails,
      addParticipants,
      balance: (provider?: string) => balanceOf(creator, quiz, provider),
      listReasons: async () => {
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
    listMailsTo,
    countMailsTo: (addresses: readonly string[]): number[] =>
      addresses.map((address) => listMailsTo(address).length),
    createMailQuiz,
  }
}
