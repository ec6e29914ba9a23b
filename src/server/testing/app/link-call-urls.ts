import type { Endpoint } from '#contract/kit/endpoint.ts'
import { insertCampaign } from '#server/campaigns/campaigns.store.ts'
import { createInvitationLinks } from '#server/campaigns/invitation-links.ts'
import { insertInvitations } from '#server/campaigns/invitations.store.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { CAMPAIGN_WORDS, callUrl } from './contract-calls.ts'
import { SECRET, type SignedUp, type TestApp } from './test-app.ts'

const MONTH_MS = 30 * 86_400_000

/** Creates an invitation to a quiz without sending a mail. Returns the token of its link. */
export const createInvitation = async (
  { db, config }: Pick<TestApp, 'db' | 'config'>,
  { quiz_id, creator_id }: { quiz_id: string; creator_id: string },
): Promise<string> => {
  const now = new Date()
  const links = createInvitationLinks(SECRET, config.public_url, async () => [])
  return db.transaction().execute(async (change) => {
    const starts_at = now.toISOString()
    const ends_at = new Date(now.getTime() + MONTH_MS).toISOString()
    const settings = { name: 'Avis', is_anonymous: false, reminder_days: [], ...CAMPAIGN_WORDS }
    const campaign = { ...settings, starts_at, ends_at }
    const id = await insertCampaign(change, { quiz_id, creator_id }, campaign)
    const names = { first_name: null, last_name: null, group_name: null }
    const person = { email: 'ada@exemple.fr', ...names }
    await insertInvitations(change, { quiz_id, id, starts_at }, [person], {
      creator_id,
      links,
      now,
    })
    const invitation = await change
      .selectFrom('invitations')
      .select('id')
      .where('quiz_id', '=', quiz_id)
      .where('campaign_id', '=', id)
      .executeTakeFirstOrThrow()
    return links.write(invitation.id)
  })
}

/**
 * Returns the function that writes the address of a call of this quiz, with the token of a trial link or of an
 * invitation where the call needs one.
 */
export const createLinkCallUrls = async (
  app: Pick<TestApp, 'db' | 'config'>,
  { client, user_id }: SignedUp,
  quiz: SampleQuiz,
): Promise<(endpoint: Endpoint) => string> => {
  const { url } = await client.trialRuns.link({ id: quiz.id })
  const trial = new URL(url, 'http://quiz.test').searchParams.get('test') ?? ''
  const invitation = await createInvitation(app, { quiz_id: quiz.id, creator_id: user_id })
  return (endpoint) =>
    callUrl(endpoint, quiz)
      .replace('/test/none/', `/test/${trial}/`)
      .replace('/i/none/', `/i/${invitation}/`)
}
