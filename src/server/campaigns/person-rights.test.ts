import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { reconcile } from '#server/deliveries/reconcile.store.ts'
import { queueDigests } from '#server/quiz-mails/digests.store.ts'
import { applyRetention } from '#server/statistics/participants/retention.ts'
import {
  createCampaignScene,
  publishedAnonymousSondage,
} from '#server/testing/app/campaign-scene.ts'
import { findTablesContaining } from '#server/testing/app/find-tables-containing.ts'
import { createOwnPages, keepPages, RUN_SECRET } from '#server/testing/app/own-pages.ts'

const scene = await createCampaignScene()
const { db, pool, raw, newAddress, linksTo, createCampaign, signUp, addWebhook } = scene
const { open, post } = createOwnPages(scene)

const DAY_MS = 86_400_000

/** Creates a campaign in which ten people have replied anonymously, so that five replies are stored. */
const answeredAnonymousCampaign = async () => {
  const creator = await signUp()
  const quiz = await publishedAnonymousSondage(creator.client)
  const emails = Array.from({ length: 10 }, () => newAddress())
  const campaign = await createCampaign(
    emails.map((email) => ({ email })),
    { creator, quiz, is_anonymous: true },
  )
  await scene.sendAll(emails)
  return {
    ...campaign,
    emails,
    replyAll: async () => {
      for (const email of emails) {
        const answer = await campaign.reply(linksTo(email)[0] ?? '')
        assert.equal(answer.statusCode, 201, answer.body)
      }
    },
  }
}

const countRows = async (table: string, quiz_id: string): Promise<number> => {
  const { rows } = await pool.query(
    `select count(*)::integer as count from ${table} where quiz_id = $1`,
    [quiz_id],
  )
  return rows[0]?.count
}

describe('replies of an anonymous campaign', () => {
  test('go to no webhook, no confirmation and no daily mail, also by the hourly check', async () => {
    const { creator, quiz, key, replyAll } = await answeredAnonymousCampaign()
    await addWebhook(creator, quiz)
    await creator.client.quizzes.update({ id: quiz.id, body: { confirms_email: true } })
    await db
      .insertInto('quiz_mails')
      .values({ quiz_id: quiz.id, daily_since: new Date(Date.now() - 9 * DAY_MS) })
      .onConflict((known) =>
        known.column('quiz_id').doUpdateSet({ daily_since: new Date(Date.now() - 9 * DAY_MS) }),
      )
      .execute()
    // Replies count from the start of their day.
    await pool.query(
      `update integration_connections set enabled_since = now() - interval '9 days' where quiz_id = $1`,
      [quiz.id],
    )
    await replyAll()
    assert.equal(await countRows('responses', quiz.id), 5)
    await reconcile(db)
    for (const table of ['deliveries', 'email_confirmations'])
      assert.equal(await countRows(table, quiz.id), 0, table)
    await queueDigests(db, new Date(Date.now() + DAY_MS))
    const jobs = await db
      .selectFrom('mail_jobs')
      .selectAll()
      .where('user_id', '=', creator.user_id)
      .where('kind', '=', 'daily_digest')
      .execute()
    assert.deepEqual(jobs, [])
    // The replies stay anonymous after their campaign is deleted.
    await creator.client.campaigns.update({ ...key, body: { status: 'ended' } })
    await creator.client.campaigns.remove(key)
    assert.equal(await countRows('responses', quiz.id), 10)
    await reconcile(db)
    assert.equal(await countRows('deliveries', quiz.id), 0)
  })
})

describe('a person', () => {
  test('reads and loses all invitations with their data, also of the trash', async () => {
    const lea = newAddress()
    const person = { email: lea, first_name: 'Léa', group_name: 'Lille' }
    const first = await createCampaign([person, { email: newAddress() }])
    const { creator, quiz } = first
    const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: lea }
    await first.reply(linksTo(lea)[0] ?? '', { answers })
    const anonymous = await publishedAnonymousSondage(creator.client)
    await createCampaign([person], { creator, quiz: anonymous, is_anonymous: true })
    const trashed = await createCampaign([person], { creator })
    await creator.client.quizzes.remove({ id: trashed.quiz.id })
    const other = await createCampaign([person])
    const links = linksTo(lea)
    const body = { email: lea.toUpperCase() }
    const found = await creator.client.participants.ofPerson({ body })
    assert.equal(found.responses.length, 1)
    assert.deepEqual(found.invitations.map(({ state, first_name }) => [state, first_name]).sort(), [
      ['invited', 'Léa'],
      ['invited', 'Léa'],
      ['replied', 'Léa'],
    ])
    assert.ok(!links.some((link) => JSON.stringify(found).includes(link.split('/').at(-1) ?? '')))
    assert.deepEqual(await creator.client.participants.removePerson({ body }), {
      nb_deleted: 1,
      nb_invitations: 3,
    })
    assert.equal((await first.load()).counts.replied, 0)
    assert.equal((await first.listPeople()).length, 1)
    assert.equal((await other.listPeople()).length, 1)
    const page = await raw({ url: links[0] ?? '' })
    assert.equal(page.statusCode, 404)
    await other.creator.client.participants.removePerson({ body })
    assert.deepEqual(await findTablesContaining(pool, lea), [])
    assert.equal((await creator.client.quizzes.get({ id: quiz.id })).quiz.nb_responses, 0)
  })

  test('loses the invitation with the reply that the creator or the person deletes', async () => {
    const [lea, marc] = [newAddress('lea'), newAddress('marc')]
    const { creator, quiz, reply, listPeople, key } = await createCampaign([
      { email: lea },
      { email: marc },
    ])
    await keepPages(creator.client, quiz)
    await scene.sendAll([lea, marc])
    const first = (await reply(linksTo(lea)[0] ?? '')).json()
    await creator.client.participants.remove({ id: quiz.id, participantId: first.participant_uuid })
    assert.deepEqual(
      (await listPeople()).map(({ email }) => email),
      [marc],
    )
    const answer = (await reply(linksTo(marc)[0] ?? '', { run_secret: RUN_SECRET })).json()
    assert.ok(answer.documents?.own_page)
    assert.equal((await open(answer.documents.own_page)).statusCode, 200)
    await post(answer.documents.own_page, 'confirmer')
    assert.deepEqual(await listPeople(), [])
    assert.equal((await creator.client.campaigns.get(key)).campaign.counts.replied, 0)
  })

  test('leaves an ended campaign after the retention period', async () => {
    const lea = newAddress()
    const { creator, quiz, key, listPeople } = await createCampaign([{ email: lea }])
    await creator.client.retention.set({ id: quiz.id, body: { months: 6 } })
    await creator.client.campaigns.update({ ...key, body: { status: 'ended' } })
    await applyRetention(db)
    assert.equal((await listPeople()).length, 1)
    await pool.query(
      `update campaigns set ended_at = now() - interval '7 months' where quiz_id = $1`,
      [quiz.id],
    )
    await applyRetention(db)
    assert.deepEqual(await listPeople(), [])
    assert.deepEqual(await findTablesContaining(pool, lea), [])
  })
})

describe('an account', () => {
  test('is exported with campaigns and people, without links and secrets', async () => {
    const lea = newAddress()
    const { creator, reply, key } = await createCampaign([{ email: lea, group_name: 'Lille' }])
    const [link = ''] = linksTo(lea)
    const token = link.split('/').at(-1) ?? ''
    await raw({
      method: 'POST',
      url: `/api/v1/quizzes/${key.id}/i/${token}/visit`,
      headers: { 'content-type': 'application/json' },
      body: { step: 'started', progress: { version: 1, page_index: 0, replies: {} } },
    })
    const before = JSON.parse(JSON.stringify(await creator.client.account.exportData()))
    assert.equal(before.campaigns[0]?.name, 'Avis de décembre')
    assert.equal(before.invitations[0]?.state, 'started')
    for (const secret of ['token_hash', 'sealed', 'run_secret_hash', 'mailbox_hash', token])
      assert.ok(!JSON.stringify(before).includes(secret), secret)
    await reply(link)
    const after = JSON.parse(JSON.stringify(await creator.client.account.exportData()))
    assert.equal(after.responses[0]?.campaign_id, key.campaignId)
    assert.equal(after.responses[0]?.group_name, 'Lille')
  })

  test('takes its campaigns and people with it when it is deleted', async () => {
    const lea = newAddress()
    const { creator, quiz } = await createCampaign([{ email: lea }])
    await creator.client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
    assert.deepEqual(await findTablesContaining(pool, lea), [])
    assert.equal(await countRows('campaigns', quiz.id), 0)
  })
})

describe('a questionnaire', () => {
  test('sends nothing from the trash, and its campaign goes on after it is restored', async () => {
    const lea = newAddress()
    const { creator, quiz, listPeople, reply } = await createCampaign([{ email: lea }], {
      reminder_days: [1, 3],
      ends_at: new Date(Date.now() + 20 * DAY_MS).toISOString(),
    })
    const [link = ''] = linksTo(lea)
    await creator.client.quizzes.remove({ id: quiz.id })
    await scene.advanceClock(2 * DAY_MS, DAY_MS / 2)
    assert.equal(linksTo(lea).length, 1)
    assert.equal((await raw({ url: link })).statusCode, 404)
    assert.ok((await reply(link)).statusCode === 404)
    assert.equal((await raw({ url: `${link}/refus` })).statusCode, 200)
    await scene.campaigns.endDue(new Date(Date.now() + 90 * DAY_MS))
    await creator.client.trash.restore({ id: quiz.id })
    await scene.worker.drain()
    assert.equal(linksTo(lea).length, 2)
    assert.equal((await raw({ url: link })).statusCode, 200)
    assert.equal((await reply(link)).statusCode, 201)
    assert.equal((await listPeople())[0]?.state, 'replied')
  })

  test('that is deleted for ever takes its campaigns with it', async () => {
    const lea = newAddress()
    const { creator, quiz } = await createCampaign([{ email: lea }])
    await creator.client.quizzes.remove({ id: quiz.id, permanently: '1' })
    assert.deepEqual(await findTablesContaining(pool, lea), [])
  })

  test('is copied without its campaigns', async () => {
    const { creator, quiz } = await createCampaign([{ email: newAddress() }])
    const copy = await creator.client.quizzes.duplicate({ id: quiz.id })
    const { campaigns } = await creator.client.campaigns.list({ id: copy.quiz.id })
    assert.deepEqual(campaigns, [])
    const answer = await creator.client.quizFiles.write({ id: quiz.id })
    assert.ok(!JSON.stringify(answer).includes('Avis de décembre'))
  })
})
