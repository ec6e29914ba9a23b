import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCampaignScene } from '#server/testing/app/campaign-scene.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'

const scene = await createCampaignScene()
const { raw, pool, catcher, newAddress, linksTo, createCampaign, worker } = scene

const DAY_MS = 86_400_000

/** Posts a call of the page of an invited person. */
const post = (id: string, link: string, call: string, body: object = {}) =>
  raw({
    method: 'POST',
    url: `/api/v1/quizzes/${id}/i/${link.split('/').at(-1)}/${call}`,
    headers: { 'content-type': 'application/json' },
    body,
  })

describe('a list of people', () => {
  test('with duplicates, two people of one mailbox and known people invites each mailbox once', async () => {
    const [lea, marc] = [newAddress('lea'), newAddress('marc')]
    const { added, creator, key, listPeople } = await createCampaign([
      { email: lea, first_name: 'Léa' },
      { email: lea.toUpperCase(), first_name: 'Luc' },
      { email: lea.replace('@', '+atelier@') },
      { email: marc },
    ])
    assert.equal(added.nb_added, 2)
    assert.equal((await listPeople()).length, 2)
    const again = await creator.client.campaigns.addPeople({
      ...key,
      body: { people: [{ email: marc }, { email: newAddress() }], may_write: true },
    })
    assert.deepEqual([again.added.nb_added, again.added.known], [1, [marc]])
    await scene.sendAll([marc])
    assert.equal(catcher.mails.filter(({ to }) => to === marc).length, 1)
  })

  test('that is empty, too long or without the declaration is refused', async () => {
    const { creator, key } = await createCampaign([{ email: newAddress() }])
    const add = (people: { email: string }[], may_write: unknown = true) =>
      creator.client.campaigns.addPeople({ ...key, body: { people, may_write: may_write as true } })
    const many = Array.from({ length: 5_001 }, (_, rank) => ({ email: `p${rank}@exemple.fr` }))
    await refuses(add([]), 422, 'invalid')
    await refuses(add(many), 422, 'invalid')
    await refuses(add(many.slice(1)), 409, 'too_many_people')
    await refuses(add([{ email: 'sans arobase' }]), 422, 'invalid')
    await refuses(add([{ email: newAddress() }], false), 422, 'invalid')
    // A formula is only a name, on one line.
    const email = newAddress()
    const people = [{ email, first_name: '=1+1\r\nBcc: a@exemple.fr', group_name: '@SUM(A1)' }]
    await creator.client.campaigns.addPeople({ ...key, body: { people, may_write: true } })
    await scene.sendAll([email])
    const mail = catcher.mails.find(({ to }) => to === email)
    assert.equal(mail?.headers.bcc, undefined)
  })
})

describe('an invitation', () => {
  test('opened on two devices is resumed with the question, and two replies at once store one', async () => {
    const lea = newAddress()
    const { quiz, reply, stateOf } = await createCampaign([{ email: lea, first_name: 'Léa' }])
    const [link = ''] = linksTo(lea)
    assert.equal((await post(quiz.id, link, 'visit', { step: 'opened' })).statusCode, 204)
    assert.equal(await stateOf(lea), 'opened')
    const progress = {
      version: 1,
      page_index: 0,
      replies: { [quiz.question_id]: quiz.answer_ids[1] ?? '' },
    }
    await post(quiz.id, link, 'visit', { step: 'started', progress })
    assert.equal(await stateOf(lea), 'started')
    const page = await raw({ url: link })
    assert.match(page.body, /Êtes-vous Léa/)
    // The replies are not in the page, which may be in other hands.
    assert.ok(!page.body.includes(`"${quiz.question_id}":"${quiz.answer_ids[1]}"`))
    assert.deepEqual((await post(quiz.id, link, 'resume')).json(), { progress })
    const answers = await Promise.all([reply(link), reply(link), reply(link)])
    assert.equal(answers.filter(({ statusCode }) => statusCode === 201).length, 1)
    assert.deepEqual((await post(quiz.id, link, 'resume')).json(), { progress: null })
  })

  test('fetched by a scanner changes nothing', async () => {
    const lea = newAddress()
    const { stateOf } = await createCampaign([{ email: lea }])
    const [link = ''] = linksTo(lea)
    for (const method of ['GET', 'HEAD', 'OPTIONS'] as const)
      for (const url of [link, `${link}/refus`, `${link}?utm_source=x`])
        await raw({ method, url, headers: { 'user-agent': 'SafeLinks' } })
    assert.equal(await stateOf(lea), 'invited')
  })

  test('with a changed, foreign or cut link opens nothing', async () => {
    const [lea, marc] = [newAddress('lea'), newAddress('marc')]
    const { quiz } = await createCampaign([{ email: lea }])
    const other = await createCampaign([{ email: marc }])
    const [link = ''] = linksTo(lea)
    const token = link.split('/').at(-1) ?? ''
    for (const url of [
      `/q/${other.quiz.id}/i/${token}`,
      `/q/${quiz.id}/i/${token.slice(0, -1)}`,
      `/q/${quiz.id}/i/${'A'.repeat(22)}`,
      `/q/${quiz.id}/i/%00`,
      `/q/nulle-part/i/${token}`,
    ])
      assert.equal((await raw({ url })).statusCode, 404, url)
    const answer = await post(other.quiz.id, link, 'submit', { answers: {} })
    assert.equal(answer.statusCode, 404)
  })

  test('stays valid after a republication, with the replies of the former version', async () => {
    const lea = newAddress()
    const { quiz, creator, reply, stateOf } = await createCampaign([{ email: lea }])
    const [link = ''] = linksTo(lea)
    await creator.client.questions.update({ id: quiz.question_id, body: { text: 'Autrement ?' } })
    await creator.client.quizzes.publish({ id: quiz.id })
    assert.match((await raw({ url: link })).body, /Autrement/)
    assert.equal((await reply(link, { version: 1 })).statusCode, 201)
    assert.equal(await stateOf(lea), 'replied')
  })

  test('takes no reply after the end of its campaign, while the questionnaire is closed or withdrawn', async () => {
    const lea = newAddress()
    const { quiz, creator, reply, key } = await createCampaign([{ email: lea }])
    const [link = ''] = linksTo(lea)
    await creator.client.quizzes.update({ id: quiz.id, body: { status: 'Brouillon' } })
    assert.equal((await reply(link)).statusCode, 403)
    assert.equal((await raw({ url: link })).statusCode, 404)
    await creator.client.quizzes.update({ id: quiz.id, body: { status: 'Publié' } })
    await pool.query(`update campaigns set ends_at = now() - interval '1 second' where id = $1`, [
      key.campaignId,
    ])
    assert.equal((await reply(link)).json().code, 'campaign_ended')
    assert.match((await raw({ url: link })).body, /Cette campagne est terminée/)
  })

  test('ends at once for a person who unsubscribes between two reminders, or whose campaign stops while it is sent', async () => {
    const people = Array.from({ length: 30 }, () => ({ email: newAddress() }))
    const [first] = people
    const { creator, key } = await createCampaign(people, { reminder_days: [1, 2] })
    await scene.sendAll(people.map(({ email }) => email))
    await scene.advanceClock(1.5 * DAY_MS)
    const lea = first?.email ?? ''
    const mail = catcher.mails.find(({ to }) => to === lea)
    const [, url = ''] =
      /<https:\/\/quiz\.example([^>]+)>/.exec(mail?.headers['list-unsubscribe'] ?? '') ?? []
    await raw({ method: 'POST', url })
    const before = linksTo(lea).length
    // The campaign stops while the second reminder is sent.
    const sending = scene.advanceClock(DAY_MS)
    await creator.client.campaigns.update({ ...key, body: { status: 'ended' } })
    await sending
    const nb_mails = catcher.mails.length
    await scene.advanceClock(20 * DAY_MS, DAY_MS)
    assert.equal(catcher.mails.length, nb_mails)
    assert.equal(linksTo(lea).length, before)
  })

  test('without scripts is filled in and stored once', async () => {
    const lea = newAddress()
    const { quiz, stateOf } = await createCampaign([{ email: lea, first_name: 'Léa' }])
    const [link = ''] = linksTo(lea)
    const send = (url: string, fields: Record<string, string>) =>
      raw({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      })
    const first = { [quiz.question_id]: quiz.answer_ids[0] ?? '' }
    const page = await send(`${link}?version=1&page=1`, first)
    assert.ok(page.body.includes(`value="${lea}"`), page.body)
    assert.equal(await stateOf(lea), 'started')
    const fields = { ...first, [quiz.open_id]: lea }
    const asked = await send(`${link}/resultat?version=1&page=2`, fields)
    assert.equal(asked.statusCode, 307, asked.body)
    const stored = await send(asked.headers.location ?? '', fields)
    assert.equal(stored.statusCode, 303, stored.body)
    assert.equal((await raw({ url: stored.headers.location ?? '' })).statusCode, 200)
    assert.equal(await stateOf(lea), 'replied')
  })

  test('is reminded once, whatever the clock does', async () => {
    const lea = newAddress()
    await createCampaign([{ email: lea }], {
      reminder_days: [1, 5],
      ends_at: new Date(Date.now() + 200 * DAY_MS).toISOString(),
    })
    for (const days of [1.5, -1, 1, -3, 3, 2, -10, 10]) {
      scene.setClock(days * DAY_MS)
      await worker.drain()
      await scene.advanceClock(60_000)
    }
    await scene.advanceClock(20 * DAY_MS, DAY_MS)
    const subjects = catcher.mails.filter(({ to }) => to === lea).map(({ subject }) => subject)
    assert.equal(subjects.length, 3, subjects.join())
    assert.equal(subjects.filter((subject) => subject === 'Rappel').length, 2)
  })
})
