import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { publishSkillsQuiz, type SkillsQuiz } from '#server/testing/quizzes/skills-quiz.ts'
import { createCampaignScene } from './campaign-scene.ts'
import type { SignedUp } from './test-app.ts'

/** Person of a scene with the numbers of each campaign; null for a campaign without a reply. */
export type ScenePerson = {
  email: string
  first_name?: string
  last_name?: string
  group_name?: string
  before: readonly number[] | null
  after: readonly number[] | null
}

/** Starts the app of campaigns with helpers that run two campaigns one after the other. */
export const createProgressScene = async () => {
  const scene = await createCampaignScene()

  /** Invites people to a quiz, and lets those reply who have numbers. Returns the campaign and the answers to the replies. */
  const runCampaign = async (
    creator: SignedUp,
    quiz: SkillsQuiz,
    people: readonly ScenePerson[],
    side: 'before' | 'after',
    settings: { name?: string; is_anonymous?: boolean } = {},
  ) => {
    const invited = people.map(({ before: _, after: __, ...person }) => person)
    const seen = new Map(people.map(({ email }) => [email, scene.linksTo(email).length]))
    const { campaign, key, reply } = await scene.createCampaign(invited, {
      creator,
      quiz: { ...quiz, open_id: '', result_ids: [] },
      name: side === 'before' ? 'Avant la formation' : 'Après la formation',
      ...settings,
    })
    const isInvited = ({ email }: ScenePerson): boolean =>
      scene.linksTo(email).length > (seen.get(email) ?? 0)
    while (!people.every(isInvited)) await scene.advanceClock(2_000)
    const documents = new Map<string, { own_page?: string; report?: string }>()
    for (const person of people) {
      const numbers = person[side]
      if (!numbers) continue
      const answer = await reply(scene.linksTo(person.email).at(-1) ?? '', {
        answers: quiz.repliesOf(numbers),
        participant_uuid: randomUUID(),
      })
      assert.equal(answer.statusCode, 201, answer.body)
      documents.set(person.email, answer.json().documents ?? {})
    }
    return { campaign_id: campaign.id, quiz_id: quiz.id, key, documents }
  }

  /** Runs two campaigns of one new quiz with the same people. */
  const runBoth = async (people: readonly ScenePerson[], owner?: SignedUp) => {
    const creator = owner ?? (await scene.signUp())
    const quiz = await publishSkillsQuiz(creator.client)
    const before = await runCampaign(creator, quiz, people, 'before')
    const after = await runCampaign(creator, quiz, people, 'after')
    return { creator, quiz, before, after }
  }

  return { ...scene, runCampaign, runBoth }
}
