import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { api } from '#contract/api.ts'
import type { Client } from '#contract/client/client.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import {
  publishSample,
  readySondage,
  type SampleQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'
import { createOutboxApp } from './outbox-app.ts'
import type { SignedUp } from './test-app.ts'

type NewCampaign = Input<typeof api.campaigns.create>['body']

/** Words of a campaign of a test. */
const CAMPAIGN_WORDS = {
  invitation_subject: 'Votre avis, {{prénom}}',
  invitation_text: 'Bonjour {{prénom}} {{nom}}, répondez avant le {{date de fin}} : {{lien}}',
  reminder_subject: 'Rappel',
  reminder_text: 'Il reste quelques jours.',
}

const DAY_MS = 86_400_000
/** Time in which the rate limit allows several more mails, and the number of such times. */
const SENDING_MS = 2_000
const MAX_SENDINGS = 2_000

/** Publishes a sondage that asks neither names nor addresses, so that its campaigns can be anonymous. */
export const publishedAnonymousSondage = async (client: Client): Promise<SampleQuiz> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Le climat', type: 'sondage' } })
  const [question_id, answer_ids] = [randomUUID(), [randomUUID(), randomUUID()]]
  const answers = answer_ids.map((id, rank) => ({ id, text: ['Bon', 'Mauvais'][rank] ?? '' }))
  await client.questions.saveDraft({
    id: quiz.id,
    body: {
      questions: [
        { id: question_id, text: 'Le climat ?', type: 'multiple_choice', answers },
        { id: randomUUID(), text: 'Pourquoi ?', type: 'text', is_required: false },
      ],
    },
  })
  await client.quizzes.publish({ id: quiz.id })
  return { id: quiz.id, question_id, answer_ids, open_id: '', result_ids: [] }
}

/** Returns a moment some days from now. */
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()

/** Starts the app with a mail server and a worker, for tests of campaigns. Closes both after the tests. */
export const createCampaignScene = async (env: Record<string, string> = {}) => {
  const catcher = await startMailCatcher()
  const app = await createOutboxApp(
    {
      SMTP_URL: catcher.url,
      MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
      PUBLIC_URL: 'https://quiz.example',
      ...env,
    },
    {
      folders: {
        player: new URL('../../../../dist/player/', import.meta.url),
        dashboard: fileURLToPath(new URL('../../../../dist/dashboard/', import.meta.url)),
      },
    },
  )
  after(async () => {
    await app.close()
    await catcher.close()
  })

  const newAddress = (name = 'lea'): string => `${name}-${randomUUID().slice(0, 8)}@exemple.fr`
  const linksTo = (address: string): string[] =>
    catcher
      .mailsTo(address)
      .map(({ text }) => /https:\/\/quiz\.example(\/q\/[\w-]+\/i\/[\w-]{22})/.exec(text)?.[1] ?? '')

  /** Creates a quiz with a campaign for these people, and sends the due mails. */
  const createCampaign = async (
    people: NewCampaign['people'],
    {
      creator,
      quiz,
      ...settings
    }: Partial<NewCampaign> & { creator?: SignedUp; quiz?: SampleQuiz } = {},
  ) => {
    const owner = creator ?? (await app.signUp())
    const asked = quiz ?? (await publishSample(owner.client, readySondage(owner.client)))
    const { campaign, added } = await owner.client.campaigns.create({
      id: asked.id,
      body: {
        name: 'Avis de décembre',
        ...CAMPAIGN_WORDS,
        ends_at: inDays(30),
        people,
        may_write: true,
        ...settings,
      },
    })
    await app.worker.drain()
    // The rate limit of a new connection lets one mail through at once.
    await app.advanceClock(SENDING_MS)
    const key = { id: asked.id, campaignId: campaign.id }
    const load = async () => (await owner.client.campaigns.get(key)).campaign
    const listPeople = async () => (await owner.client.campaigns.people(key)).people
    const stateOf = async (email: string) =>
      (await listPeople()).find((person) => person.email === email)?.state
    /** Submits a reply with a link. */
    const reply = (link: string, body: Partial<Input<typeof api.publicQuiz.submit>['body']> = {}) =>
      app.raw({
        method: 'POST',
        url: `/api/v1/quizzes/${asked.id}/i/${link.split('/').at(-1)}/submit`,
        headers: { 'content-type': 'application/json' },
        body: {
          answers: {
            [asked.question_id]: asked.answer_ids[0],
            ...(asked.open_id && { [asked.open_id]: 'lea@exemple.fr' }),
          },
          participant_uuid: randomUUID(),
          run_secret: randomUUID(),
          ...body,
        },
      })
    return { creator: owner, quiz: asked, campaign, added, key, load, listPeople, stateOf, reply }
  }

  /** Sends the mails of a campaign until each of these addresses has a link. */
  const sendAll = async (addresses: readonly string[]): Promise<void> => {
    for (let times = 0; times < MAX_SENDINGS; times++) {
      if (addresses.every((address) => linksTo(address).length > 0)) return
      await app.advanceClock(SENDING_MS)
    }
    throw new Error('some invitations were not sent')
  }

  return { ...app, catcher, newAddress, linksTo, sendAll, createCampaign }
}
