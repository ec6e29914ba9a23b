import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { type AttackContext, assertPrecondition } from '../runner/attack.ts'
import type { Account } from '../runner/measured-site.ts'
import type { Answer } from '../runner/requests.ts'

/** Running campaign with one invited victim, and another creator. */
export type CampaignScene = Account & {
  quiz: SampleQuiz
  /** Path of the campaign in the API. */
  path: string
  victim: string
  person_id: string
  /** Address of the victim's page, and its token. */
  link: string
  token: string
  stranger: Account
}

const DAY_MS = 86_400_000
const WORDS = {
  invitation_subject: 'Votre avis',
  invitation_text: 'Bonjour {{prénom}}',
  reminder_subject: 'Rappel',
  reminder_text: 'Bonjour',
}
const LINK = /https?:\/\/\S+\/i\/([\w-]{22})/
/** Interval between two looks at the mailbox, and maximum wait. */
export const POLL_MS = 200
export const MAX_WAIT_MS = 60_000

/** Returns the body of a new campaign of one person, with changed fields. */
export const campaignWith = (fields: object) => ({
  name: 'Avis',
  ...WORDS,
  reminder_days: [3],
  ends_at: new Date(Date.now() + 30 * DAY_MS).toISOString(),
  people: [{ email: `${randomUUID()}@exemple.fr` }],
  may_write: true as const,
  ...fields,
})

/** Waits for the invitation of an address, and returns its link and token. */
export const waitForLink = async (
  site: Account['site'],
  address: string,
): Promise<[string, string]> => {
  for (let waited = 0; waited < MAX_WAIT_MS; waited += POLL_MS) {
    const mail = site.mails().find(({ to }) => to === address)
    const [link, token] = LINK.exec(mail?.text ?? '') ?? []
    if (link && token) return [link, token]
    await pause(POLL_MS)
  }
  throw new Error('no invitation was mailed')
}

/** Creates a campaign whose victim has the invitation, and another creator. */
export const openCampaignScene = async ({ openAccount }: AttackContext): Promise<CampaignScene> => {
  const [account, stranger] = [await openAccount(), await openAccount()]
  const { client, site } = account
  const quiz = await publishedScoreQuiz(client)
  const victim = `${randomUUID()}@exemple.fr`
  const people = [{ email: victim, first_name: 'Léa', group_name: 'Nord' }]
  const created = await client.campaigns.create({ id: quiz.id, body: campaignWith({ people }) })
  const [link, token] = await waitForLink(site, victim)
  const key = { id: quiz.id, campaignId: created.campaign.id }
  const [person] = (await client.campaigns.people(key)).people
  assertPrecondition(person !== undefined, 'the campaign has nobody')
  return {
    ...account,
    quiz,
    path: `/api/v1/quizzes/${quiz.id}/campaigns/${created.campaign.id}`,
    victim,
    person_id: person?.id ?? '',
    link,
    token,
    stranger,
  }
}

/** Check for `sendEach`: an answer without a refusal is a success of the attacker. */
export const expectRefusal = ({ status }: Answer): string | undefined =>
  status < 400 ? `status ${status}` : undefined
