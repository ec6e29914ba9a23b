import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Client } from '#contract/client/client.ts'
import {
  createCampaignScene,
  publishedAnonymousSondage,
} from '#server/testing/app/campaign-scene.ts'
import { refusalOf, refuses } from '#server/testing/network/bodies/refusals.ts'

const scene = await createCampaignScene()
const { raw, newAddress, linksTo, createCampaign, signUp, submitParticipant } = scene

/** Returns a function that reads figures and participants. */
const readerOf =
  ({ statistics }: Client) =>
  (filters: { id: string; campaign?: string; group?: string; answer?: string }) =>
    statistics.responses({ ...filters, figures: '1' })

describe('the filters of campaigns', () => {
  test('select the replies of a campaign and of a group, in figures, lists and exports', async () => {
    const [lea, marc, zoe] = [newAddress('lea'), newAddress('marc'), newAddress('zoe')]
    const first = await createCampaign([
      { email: lea, group_name: 'Lille' },
      { email: marc, group_name: 'Lyon' },
    ])
    const { creator, quiz, key } = first
    const second = await createCampaign([{ email: zoe, group_name: 'Lille' }], { creator, quiz })
    for (const [campaign, email] of [
      [first, lea],
      [first, marc],
      [second, zoe],
    ] as const)
      await campaign.reply(linksTo(email)[0] ?? '', {
        answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: email },
      })
    await submitParticipant(quiz, newAddress('public'))
    const { client } = creator
    const read = readerOf(client)
    const count = async (filters: { campaign?: string; group?: string }) => {
      const { figures, details } = await read({ id: quiz.id, ...filters })
      assert.equal(details.length, figures?.nb_participants)
      return details.length
    }
    assert.equal(await count({}), 4)
    assert.equal(await count({ campaign: key.campaignId }), 2)
    assert.equal(await count({ group: 'Lille' }), 2)
    assert.equal(await count({ campaign: key.campaignId, group: 'Lille' }), 1)
    assert.equal(await count({ campaign: key.campaignId, group: 'Nantes' }), 0)
    const { figures } = await read({ id: quiz.id })
    assert.deepEqual(
      figures?.choices.campaigns?.map(({ groups }) => groups),
      [['Lille'], ['Lille', 'Lyon']],
    )
    const { url } = await client.exports.link({
      id: quiz.id,
      body: { format: 'json', campaign: key.campaignId, group: 'Lille' },
    })
    const file = await raw({ url })
    assert.ok(file.body.includes(lea) && !file.body.includes(marc) && !file.body.includes(zoe))
    assert.equal((await refusalOf(read({ id: quiz.id, campaign: 'nord' }))).status, 422)
  })

  test('hide the figures of fewer than five participants with an anonymous reply', async () => {
    const creator = await signUp()
    const quiz = await publishedAnonymousSondage(creator.client)
    const emails = Array.from({ length: 10 }, () => newAddress())
    const { reply, key } = await createCampaign(
      emails.map((email) => ({ email })),
      { creator, quiz, is_anonymous: true },
    )
    await scene.sendAll(emails)
    for (const [rank, email] of emails.entries())
      await reply(linksTo(email)[0] ?? '', {
        answers: { [quiz.question_id]: quiz.answer_ids[rank < 2 ? 1 : 0] ?? '' },
      })
    await creator.client.campaigns.update({ ...key, body: { status: 'ended' } })
    const { client } = creator
    const read = readerOf(client)
    const filters = { id: quiz.id, campaign: key.campaignId }
    assert.equal((await read(filters)).figures?.nb_participants, 10)
    const many = { ...filters, answer: quiz.answer_ids[0] ?? '' }
    assert.equal((await read(many)).figures?.nb_participants, 8)
    const few = { ...filters, answer: quiz.answer_ids[1] ?? '' }
    await refuses(read(few), 409, 'too_few_replies')
    await refuses(client.statistics.keyFigures(few), 409, 'too_few_replies')
    await refuses(read({ id: quiz.id, answer: quiz.answer_ids[1] ?? '' }), 409, 'too_few_replies')
    // Fewer than five are hidden without a filter too.
    const { details } = await read({ id: quiz.id })
    for (const { participant_uuid } of details.slice(0, 6))
      await client.participants.remove({ id: quiz.id, participantId: participant_uuid })
    await refuses(read({ id: quiz.id }), 409, 'too_few_replies')
  })
})
