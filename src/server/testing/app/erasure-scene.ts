import { sql } from 'kysely'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import type { ConnectedCreator, OutboxApp } from './outbox-app.ts'

export const HOUR_MS = 3_600_000
/** Address of the participant who is erased. */
export const EMAIL = 'marguerite.dupuis@exemple.fr'
/** Address of the participant who is kept. */
export const OTHER_EMAIL = 'ada@exemple.fr'
/** Erasure choice for each tool. */
export const ERASURE_CHOICES = {
  convertkit: 'unsubscribe',
  systemio: 'delete',
  brevo: 'delete',
} as const

/** Returns, by tool, the addresses that an account of the fake tool can still send mails to. */
export const listContactedPeople = (fakes: OutboxApp['fakes'], account: string) => {
  const kit = [...fakes.convertkit.accountOf(account).subscribers.values()]
  const systemio = [...fakes.systemio.accountOf(account).contacts.values()]
  const brevo = [...fakes.brevo.accountOf(account).contacts.values()]
  return {
    convertkit: kit
      .filter((subscriber) => subscriber.state === 'active')
      .map((subscriber) => subscriber.email_address),
    systemio: systemio
      .filter((contact) => contact.deleted_at === null)
      .map((contact) => contact.email),
    brevo: brevo.filter((contact) => !contact.emailBlacklisted).map((contact) => contact.email),
  }
}

/** Returns helpers that forward two participants to all tools and a webhook, and erase one of them. */
export const createErasureScene = (app: OutboxApp) => {
  const { db, fakes, receiver, submitParticipant, finishDeliveries } = app
  /** Moves the times of pending erasures to the test clock, which is ahead of the database clock. */
  const makeErasuresDue = async (): Promise<void> => {
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
      // Erasures that wait for the end of a lease already use the test clock.
      .where('next_attempt_at', '<', app.now().toISOString())
      .execute()
  }
  const create = async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator)
    const hook = await app.addWebhook(creator, quiz)
    const { participant_uuid } = await submitParticipant(quiz, EMAIL)
    await submitParticipant(quiz, OTHER_EMAIL, 1)
    await finishDeliveries()
    return { creator, quiz, hook, participant_uuid }
  }
  return {
    makeErasuresDue,
    create,
    erase: async (
      {
        creator,
        quiz,
        participant_uuid,
      }: { creator: ConnectedCreator; quiz: SampleQuiz; participant_uuid: string },
      choices: object = ERASURE_CHOICES,
    ): Promise<void> => {
      const at = { id: quiz.id, participantId: participant_uuid }
      await creator.client.participants.remove({ ...at, ...choices })
      await makeErasuresDue()
    },
    listErasures: async ({ client }: ConnectedCreator, { id }: SampleQuiz) =>
      (await client.erasures.list({ id })).erasures,
    /** Returns the received `person.erased` events of a webhook. */
    listErasureEvents: (name: string) =>
      receiver
        .receivedAt(name)
        .filter(({ text }) => text.includes('person.erased'))
        .map(({ id, text }) => ({ id, event: JSON.parse(text) as Record<string, unknown> })),
    listContactedPeopleOf: (account: string) => listContactedPeople(fakes, account),
  }
}
export type ErasureScene = Awaited<ReturnType<ReturnType<typeof createErasureScene>['create']>>
