import type { Client } from '../../src/contract/client/client.ts'
import {
  loadCompleteReplies,
  publishCompleteQuiz,
} from '../../src/server/testing/quizzes/complete-quiz.ts'
import { FEATURES } from '../../world/table/features.ts'
import { inviteOne } from './campaigns.ts'

/** Paths of the screens of creators. `:id` is a quiz, `:token` the link of its shared statistics. */
export const SCREENS = FEATURES.flatMap(({ screens = [] }) => screens)

/** True if a screen exists only on a server that sends mails. */
export const needsMailServer = (screen: string): boolean => screen.includes(':campaignId')

/** True if a screen is for people who are not signed in. */
export const isPublic = (screen: string): boolean =>
  /^\/(login|signup|confirmation|forgot|new-password|second-factor|statistiques)/.test(screen)

/** Address of a webhook without a listener, whose deliveries are listed as waiting. */
const CLOSED_PORT = 'http://127.0.0.1:9998/hook'

/**
 * Creates a quiz with a participant, a waiting delivery, a trial run, shared statistics and, on a server that sends mails, a
 * campaign. Returns the function that gives the address of a screen.
 */
export const createScreens = async (client: Client): Promise<(screen: string) => string> => {
  const id = await publishCompleteQuiz(client)
  await client.webhooks.add({ id, body: { url: CLOSED_PORT } })
  const body = { answers: await loadCompleteReplies(client, id) }
  await client.publicQuiz.submit({ id, body })
  const { url } = await client.trialRuns.link({ id })
  const token = new URL(url).searchParams.get('test') ?? ''
  await client.trialRuns.submit({ id, token, body })
  const { link } = await client.statisticsLinks.create({ id })
  const { has_mail_server } = await client.campaigns.list({ id })
  const campaign_id = has_mail_server ? await inviteOne(client, id, 'zoe@exemple.fr') : ''
  return (screen) =>
    screen.replace(':id', id).replace(':token', link.token).replace(':campaignId', campaign_id)
}
