import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { createCampaignScene } from '#server/testing/app/campaign-scene.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'

const app = await createCampaignScene()
const {
  db,
  raw,
  now,
  worker,
  campaigns,
  catcher,
  advanceClock,
  newAddress,
  linksTo,
  createCampaign,
  signUp,
} = app

const DAY_MS = 86_400_000
/** Returns a moment some days after the clock of the worker. */
const inDays = (days: number): string => new Date(now().getTime() + days * DAY_MS).toISOString()

describe('a campaign', () => {
  test('each person gets one mail with a link of their own, which opens the questionnaire', async () => {
    const [lea, marc] = [newAddress('lea'), newAddress('marc')]
    const { added, load } = await createCampaign([
      { email: lea, first_name: 'Léa', last_name: 'Martin' },
      { email: marc },
    ])
    assert.deepEqual(added, { nb_added: 2, nb_refused: 0, known: [] })
    await worker.drain()
    const [link = '', ...more] = linksTo(lea)
    assert.deepEqual(more, [])
    assert.notEqual(link, linksTo(marc)[0])
    const mail = catcher.mails.find(({ to }) => to === lea)
    assert.equal(mail?.subject, 'Votre avis, Léa')
    assert.match(mail?.headers['list-unsubscribe'] ?? '', /desinscription/)
    const page = await raw({ url: link })
    assert.equal(page.statusCode, 200, page.body)
    assert.equal(page.headers['referrer-policy'], 'no-referrer')
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.ok(page.body.includes('Léa') === false || page.body.includes(lea))
    assert.deepEqual((await load()).counts, {
      invited: 2,
      opened: 0,
      started: 0,
      replied: 0,
      refused: 0,
      failed: 0,
    })
  })

  test('mails come from the creator, take replies and unsubscribe with one press', async () => {
    const lea = newAddress()
    const creator = await signUp()
    await creator.client.mailSender.set({ body: { sender_name: 'Camille Durand' } })
    const { quiz, key } = await createCampaign([{ email: lea }], { creator, reminder_days: [1] })
    await creator.client.quizzes.update({ id: quiz.id, body: { slug: `avis-${lea.slice(4, 12)}` } })
    await advanceClock(2 * DAY_MS)
    const mails = catcher.mails.filter(({ to }) => to === lea)
    assert.equal(mails.length, 2)
    for (const { headers } of mails) {
      assert.equal(headers.from, 'Camille Durand via Quizaine <bonjour@quiz.example>')
      assert.match(headers['list-unsubscribe'] ?? '', /^<https:\/\/quiz\.example\/desinscription\//)
      assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
    }
    // The second mail has the custom address of the questionnaire, and both links open it.
    for (const link of linksTo(lea)) assert.equal((await raw({ url: link })).statusCode, 200, link)
    const answer = await raw({ method: 'POST', url: `${linksTo(lea)[1]}/refus` })
    assert.equal(answer.statusCode, 200)
    assert.equal((await creator.client.campaigns.get(key)).campaign.counts.refused, 1)
  })

  test('a reply is stored once for each invitation', async () => {
    const lea = newAddress()
    const { reply, stateOf, creator, quiz, listPeople } = await createCampaign([{ email: lea }])
    const [link = ''] = linksTo(lea)
    const run = { participant_uuid: randomUUID(), run_secret: randomUUID() }
    const first = await reply(link, run)
    assert.equal(first.statusCode, 201, first.body)
    const again = await reply(link, run)
    assert.equal(again.statusCode, 200, again.body)
    const other = await reply(link)
    assert.deepEqual([other.statusCode, other.json().code], [409, 'already_replied'])
    assert.equal(await stateOf(lea), 'replied')
    const { quiz: stored } = await creator.client.quizzes.get({ id: quiz.id })
    assert.equal(stored.nb_responses, 1)
    const [person] = await listPeople()
    assert.equal(person?.participant_uuid, run.participant_uuid)
    const page = await raw({ url: link })
    assert.match(page.body, /la réponse est enregistrée/)
  })

  test('reminders go to people without a reply, on their days, and each once', async () => {
    const [lea, marc, zoe] = [newAddress('lea'), newAddress('marc'), newAddress('zoe')]
    const { reply, listPeople } = await createCampaign(
      [{ email: lea }, { email: marc }, { email: zoe }],
      { reminder_days: [3, 7] },
    )
    await reply(linksTo(lea)[0] ?? '')
    const refusal = await raw({ method: 'POST', url: `${linksTo(zoe)[0]}/refus` })
    assert.equal(refusal.statusCode, 200)
    await advanceClock(2 * DAY_MS)
    assert.equal(linksTo(marc).length, 1)
    await advanceClock(2 * DAY_MS)
    await worker.drain()
    assert.equal(linksTo(marc).length, 2)
    await advanceClock(10 * DAY_MS, DAY_MS)
    assert.deepEqual(
      [lea, marc, zoe].map((address) => linksTo(address).length),
      [1, 3, 1],
    )
    assert.equal(new Set(linksTo(marc)).size, 1)
    const people = await listPeople()
    assert.deepEqual(
      people.find(({ email }) => email === marc)?.sent_at.map((at) => at !== null),
      [true, true, true],
    )
    assert.equal(people.find(({ email }) => email === zoe)?.refusal, 'declined')
  })

  test('an address that the mail server refuses is shown, corrected and written to again', async () => {
    const wrong = newAddress('faux')
    catcher.fail({ how: { status: 550, at: 'RCPT' }, to: wrong })
    const { stateOf, listPeople, key, creator } = await createCampaign([{ email: wrong }])
    assert.equal(await stateOf(wrong), 'failed')
    const [person] = await listPeople()
    assert.match(person?.failure ?? '', /ne la connaît pas/)
    const right = newAddress('juste')
    await creator.client.campaigns.correctAddress({
      ...key,
      personId: person?.id ?? '',
      body: { email: right },
    })
    await worker.drain()
    assert.equal(linksTo(right).length, 1)
    assert.equal(await stateOf(right), 'invited')
  })

  test('a person who refuses the mails of the creator is never written to', async () => {
    const lea = newAddress()
    const { creator, stateOf, quiz } = await createCampaign([{ email: lea }])
    const mail = catcher.mails.find(({ to }) => to === lea)
    const unsubscribe = /<https:\/\/quiz\.example([^>]+)>/.exec(
      mail?.headers['list-unsubscribe'] ?? '',
    )
    const answer = await raw({ method: 'POST', url: unsubscribe?.[1] ?? '' })
    assert.equal(answer.statusCode, 200)
    assert.equal(await stateOf(lea), 'refused')
    const second = await createCampaign([{ email: lea }], { creator, quiz })
    assert.equal(second.added.nb_refused, 1)
    assert.equal(await second.stateOf(lea), 'refused')
    assert.equal(linksTo(lea).length, 1)
  })

  test('a paused campaign sends nothing, and an ended one takes no reply', async () => {
    const lea = newAddress()
    const { creator, key, reply } = await createCampaign([{ email: lea }], {
      starts_at: inDays(1),
      ends_at: inDays(9),
    })
    assert.equal(linksTo(lea).length, 0)
    await creator.client.campaigns.update({ ...key, body: { status: 'paused' } })
    await advanceClock(2 * DAY_MS)
    assert.equal(linksTo(lea).length, 0)
    await creator.client.campaigns.update({ ...key, body: { status: 'running' } })
    await worker.drain()
    const [link = ''] = linksTo(lea)
    await creator.client.campaigns.update({ ...key, body: { status: 'ended' } })
    assert.equal((await reply(link)).json().code, 'campaign_ended')
    assert.match((await raw({ url: link })).body, /Cette campagne est terminée/)
    await creator.client.campaigns.remove(key)
    assert.equal((await raw({ url: link })).statusCode, 404)
  })

  test('what the creator does is recorded', async () => {
    const { creator, key } = await createCampaign([{ email: newAddress() }])
    const { campaigns: calls } = creator.client
    const people = [{ email: newAddress() }, { email: newAddress() }]
    await calls.addPeople({ ...key, body: { people, may_write: true } })
    await calls.update({ ...key, body: { status: 'ended' } })
    await calls.remove(key)
    assert.deepEqual((await listAuditEventNames(app, creator.user_id)).slice(-4), [
      'campaign_created',
      'campaign_people_added 2',
      'campaign_changed ended',
      'campaign_deleted',
    ])
  })

  test('a campaign ends by itself at its end', async () => {
    const lea = newAddress()
    const { key, load } = await createCampaign([{ email: lea }])
    await db
      .updateTable('campaigns')
      .set({ ends_at: new Date(Date.now() - 1_000) })
      .where('id', '=', key.campaignId)
      .execute()
    await campaigns.endDue(new Date())
    assert.equal((await load()).status, 'ended')
  })
})
