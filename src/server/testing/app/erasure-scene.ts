import { sql } from 'kysely'
import type { Ready } from '#server/testing/quizzes/sample-quizzes.ts'
import type { Connected, OutboxApp } from './outbox-app.ts'

export const HOUR_MS = 3_600_000
export const EMAIL = 'marguerite.dupuis@exemple.fr'
export const STAYS = 'ada@exemple.fr'
/** Erasure of the kind that each tool supports. */
export const EVERYWHERE = {
  convertkit: 'unsubscribe',
  systemio: 'delete',
  brevo: 'delete',
} as const

/** Returns the people that each tool still contacts. */
export const writtenToAt = (fakes: OutboxApp['fakes'], account: string) => {
  const kit = [...fakes.convertkit.accountOf(account).subscribers.values()]
  const systemio = [...fakes.systemio.accountOf(account).contacts.values()]
  const brevo = [...fakes.brevo.accountOf(account).contacts.values()]
  return {
    convertkit: kit.filter((one) => one.state === 'active').map((one) => one.email_address),
    systemio: systemio.filter((one) => one.deleted_at === null).map((one) => one.email),
    brevo: brevo.filter((one) => !one.emailBlacklisted).map((one) => one.email),
  }
}

/** Creates a quiz that forwards two people to three tools and a webhook; one is erased. */
export const erasureScene = (app: OutboxApp) => {
  const { db, fakes, receiver, take, finish } = app
  /** Their time is set to the test clock, which is ahead of the database clock. */
  const startNow = async (): Promise<void> => {
    await db
      .updateTable('erasures')
      .set({ give_up_at: new Date(app.now().getTime() + 72 * HOUR_MS) })
      .where('status', '=', 'pending')
      .execute()
    const ahead_s = (app.now().getTime() - Date.now()) / 1_000
    await db
      .updateTable('erasures')
      .set({ next_attempt_at: sql`next_attempt_at + make_interval(secs => ${ahead_s})` })
      .where('status', '=', 'pending')
      // What waits for the end of a lease is on the clock of the test as that is.
      .where('next_attempt_at', '<', app.now().toISOString())
      .execute()
  }
  const create = async () => {
    const creator = await app.connect()
    const quiz = await app.forwardingQuiz(creator)
    const hook = await app.addWebhook(creator, quiz)
    const { participant_uuid } = await take(quiz, EMAIL)
    await take(quiz, STAYS, 1)
    await finish()
    return { creator, quiz, hook, participant_uuid }
  }
  return {
    startNow,
    create,
    erase: async (
      {
        creator,
        quiz,
        participant_uuid,
      }: { creator: Connected; quiz: Ready; participant_uuid: string },
      choices: object = EVERYWHERE,
    ): Promise<void> => {
      const at = { id: quiz.id, participantId: participant_uuid }
      await creator.client.participants.remove({ ...at, ...choices })
      await startNow()
    },
    ledgerOf: async ({ client }: Connected, { id }: Ready) =>
      (await client.erasures.list({ id })).erasures,
    /** Returns the erasure events at an address. */
    erasedAt: (name: string) =>
      receiver
        .receivedAt(name)
        .filter(({ text }) => text.includes('person.erased'))
        .map(({ id, text }) => ({ id, event: JSON.parse(text) as Record<string, unknown> })),
    writtenTo: (account: string) => writtenToAt(fakes, account),
  }
}
export type ErasureScene = Awaited<ReturnType<ReturnType<typeof erasureScene>['create']>>
