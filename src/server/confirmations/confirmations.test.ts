import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withdrawConsent } from '#server/participant-pages/page-rights.store.ts'
import { createVault } from '#server/runtime/sealing.ts'
import { createConfirmationScene } from '#server/testing/app/confirmation-scene.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'

const scene = await createConfirmationScene()
const { pool, db, raw, receiver, linkTo, press, listMailsTo, waitHours } = scene
const { createConfirmingQuiz, finishDeliveries, submitParticipant, newAddress } = scene

const emailsAt = (account: string): string[] =>
  scene.listPeopleAtTools(account).brevo.map(({ email }) => email)

const eventsAt = (hook: string) =>
  receiver.receivedAt(hook).map(({ text }) => JSON.parse(text) as { data: Record<string, unknown> })

describe('a participant who is asked to confirm the address', () => {
  test('gets one mail; tools, webhooks and the result wait for the press, the notice does not', async () => {
    const { creator, client, quiz, join, balance } = await createConfirmingQuiz(['brevo'], {
      sends_result: true,
    })
    await client.quizMails.set({ id: quiz.id, body: { tells_creator: 'each' } })
    const { name: hook } = await scene.addWebhook(creator, quiz)
    const { address } = await join()
    const [mail, ...others] = listMailsTo(address)
    assert.deepEqual(others, [])
    assert.match(mail?.subject ?? '', /^Confirmez votre adresse \(/)
    assert.ok(mail?.text.includes(address))
    assert.equal(listMailsTo(creator.email).length, 1)
    assert.deepEqual(emailsAt(creator.account), [])
    assert.deepEqual(eventsAt(hook), [])
    for (const channel of ['brevo', 'mail', 'webhook'])
      assert.deepEqual(await balance(channel), { awaiting_confirmation: 1 }, channel)
    assert.deepEqual(await balance('confirmation'), { delivered: 1 })

    const pressed = await press(linkTo(address))
    assert.equal(pressed.statusCode, 200)
    assert.match(pressed.body, /Adresse confirmée/)
    await finishDeliveries()
    assert.deepEqual(emailsAt(creator.account), [address])
    assert.deepEqual(
      listMailsTo(address).map(({ subject }) => subject),
      [mail?.subject, 'Résultat'],
    )
    const [event] = eventsAt(hook)
    assert.equal(event?.data.email, address)
    assert.equal(event?.data.email_status, 'confirmed')
    assert.ok(Date.parse(String(event?.data.email_confirmed_at)) > 0)
    for (const channel of ['brevo', 'mail', 'webhook'])
      assert.deepEqual(await balance(channel), { delivered: 1 }, channel)
  })

  test('is read, but never confirmed, by a scanner that opens the link', async () => {
    const { join, stateOf } = await createConfirmingQuiz(['brevo'])
    const { address, participant_uuid } = await join()
    const url = linkTo(address)
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'] as const) {
      const answer = await raw({ method, url })
      if (method !== 'GET') continue
      assert.equal(answer.statusCode, 200)
      assert.match(answer.body, /<form method="post">/)
      assert.ok(answer.body.includes(address))
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal(answer.headers['referrer-policy'], 'no-referrer')
      assert.equal(answer.headers['x-robots-tag'], 'noindex')
      assert.equal(answer.headers['set-cookie'], undefined)
    }
    assert.equal(await stateOf(participant_uuid), 'waiting')
  })

  test('confirms once, also with two presses at the same time', async () => {
    const { client, creator, quiz, join } = await createConfirmingQuiz(['brevo'])
    const { address, participant_uuid } = await join()
    const url = linkTo(address)
    const answers = await Promise.all([press(url), press(url), press(url)])
    const pages = answers.map(({ body }) => /<h1>([^<]*)/.exec(body)?.[1])
    assert.deepEqual(pages.sort(), [
      'Adresse confirmée',
      'Adresse déjà confirmée',
      'Adresse déjà confirmée',
    ])
    await finishDeliveries()
    assert.match((await raw({ method: 'GET', url })).body, /Adresse déjà confirmée/)
    assert.deepEqual(emailsAt(creator.account), [address])
    const events = await listAuditEventNames(scene, quiz.id)
    assert.deepEqual(
      events.filter((event) => event === 'address_confirmed'),
      ['address_confirmed'],
    )
    const { participant } = await client.participants.explain({
      id: quiz.id,
      participantId: participant_uuid,
    })
    assert.equal(participant.confirmation?.email, address)
    assert.ok(participant.confirmation?.confirmed_at)
    const { figures } = await client.statistics.responses({ id: quiz.id, figures: '1' })
    assert.deepEqual(figures?.confirmation, {
      nb_asked: 1,
      nb_confirmed: 1,
      nb_waiting: 0,
      nb_expired: 0,
    })
  })

  test('gets one reminder after 48 hours, and none after the press', async () => {
    const { join, balance } = await createConfirmingQuiz(['brevo'])
    const waiting = await join()
    const confirmed = await join()
    await press(linkTo(confirmed.address))
    await waitHours(47)
    assert.equal(listMailsTo(waiting.address).length, 1)
    await waitHours(1)
    await waitHours(1)
    const [first, reminder, ...more] = listMailsTo(waiting.address)
    assert.deepEqual(more, [])
    assert.match(reminder?.subject ?? '', /^Rappel : /)
    assert.notEqual(first?.headers['message-id'], reminder?.headers['message-id'])
    assert.ok(reminder?.headers['list-unsubscribe'])
    assert.equal(linkTo(waiting.address), linkTo(waiting.address))
    assert.equal(listMailsTo(confirmed.address).length, 1)
    assert.deepEqual(await balance('confirmation'), { delivered: 2 })
    await press(linkTo(waiting.address))
    await finishDeliveries()
    assert.deepEqual(await balance('brevo'), { delivered: 2 })
  })

  test('who does not press for seven days reaches no tool; the webhook gets the replies without the address', async () => {
    const { creator, client, quiz, join, balance, stateOf } = await createConfirmingQuiz(
      ['brevo'],
      { sends_result: true },
    )
    const { name: hook } = await scene.addWebhook(creator, quiz)
    const { address, participant_uuid } = await join()
    const url = linkTo(address)
    await waitHours(7 * 24 - 1)
    assert.equal(await stateOf(participant_uuid), 'waiting')
    await waitHours(1)
    assert.equal(await stateOf(participant_uuid), 'expired')
    const late = await press(url)
    assert.equal(late.statusCode, 410)
    assert.match(late.body, /Ce lien n’est plus valable/)
    await finishDeliveries()
    for (const channel of ['brevo', 'mail'])
      assert.deepEqual(await balance(channel), { not_confirmed: 1 }, channel)
    assert.deepEqual(await balance('webhook'), { delivered: 1 })
    assert.deepEqual(emailsAt(creator.account), [])
    const [event] = eventsAt(hook)
    assert.equal(event?.data.email, null)
    assert.equal(event?.data.email_status, 'not_confirmed')
    assert.equal(event?.data.email_confirmed_at, null)
    assert.ok(!JSON.stringify(event).includes(address))
    assert.equal(
      (await client.deliveries.sendEarlier({ id: quiz.id, body: { provider: 'brevo' } })).nb_sent,
      0,
    )
    const { figures } = await client.statistics.responses({ id: quiz.id, figures: '1' })
    assert.equal(figures?.confirmation?.nb_expired, 1)
  })
})

describe('who is not asked', () => {
  test('a participant without an address, or with a refused consent, is forwarded as before', async () => {
    const { creator, client, quiz, balance } = await createConfirmingQuiz(['brevo'])
    const { name: hook } = await scene.addWebhook(creator, quiz)
    await submitParticipant(quiz, '')
    await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'box' } })
    const refusing = newAddress()
    await submitParticipant(quiz, refusing, 0, 0)
    await finishDeliveries()
    assert.deepEqual(listMailsTo(refusing), [])
    assert.deepEqual(await balance('brevo'), { no_email: 1, no_consent: 1 })
    assert.deepEqual(await balance('confirmation'), { no_email: 1, no_consent: 1 })
    assert.deepEqual(await balance('webhook'), { delivered: 2 })
    assert.deepEqual(
      eventsAt(hook).map(({ data }) => data.email_status),
      ['not_asked', 'not_asked'],
    )
  })

  test('turning it off asks no new participant, and those who were asked stay asked', async () => {
    const { creator, client, quiz, join, balance } = await createConfirmingQuiz(['brevo'])
    const asked = await join()
    await client.quizzes.update({ id: quiz.id, body: { confirms_email: false } })
    const later = await join()
    assert.deepEqual(listMailsTo(later.address), [])
    assert.deepEqual(emailsAt(creator.account), [later.address])
    assert.deepEqual(await balance('brevo'), { delivered: 1, awaiting_confirmation: 1 })
    await press(linkTo(asked.address))
    await finishDeliveries()
    assert.deepEqual(emailsAt(creator.account).sort(), [asked.address, later.address].sort())
  })
})

describe('the people of a confirmation', () => {
  test('an older response that is confirmed after a newer one does not replace its result', async () => {
    const { creator, join } = await createConfirmingQuiz(['brevo'])
    const address = newAddress()
    await join(address, 0)
    const older = linkTo(address)
    const newest = await join(address, 1)
    await press(linkTo(address))
    await finishDeliveries()
    await press(older)
    await finishDeliveries()
    const people = scene.listPeopleAtTools(creator.account).brevo
    assert.deepEqual(
      people.map(({ email, result }) => [email, result]),
      [[address, newest.result_name]],
    )
  })

  test('an erased participant has the page of a broken link, and no row is left', async () => {
    const { client, quiz, join } = await createConfirmingQuiz(['brevo'])
    const { address, participant_uuid } = await join()
    const url = linkTo(address)
    await client.participants.remove({ id: quiz.id, participantId: participant_uuid })
    const broken = await raw({ method: 'GET', url: `${url.slice(0, -4)}AAAA` })
    for (const answer of [await raw({ method: 'GET', url }), await press(url)]) {
      assert.equal(answer.statusCode, 404)
      assert.equal(answer.body, broken.body)
    }
    const { rows } = await pool.query('select from email_confirmations where quiz_id = $1', [
      quiz.id,
    ])
    assert.deepEqual(rows, [])
  })

  test('the export of an account contains the proof', async () => {
    const { client, join } = await createConfirmingQuiz(['brevo'])
    const { address, participant_uuid } = await join()
    await press(linkTo(address))
    const { email_confirmations, responses } = await client.account.exportData()
    assert.deepEqual(
      email_confirmations.map((row) => [row.participant_uuid, row.email, row.expired_at]),
      [[participant_uuid, address, null]],
    )
    assert.ok(Date.parse(String(email_confirmations[0]?.confirmed_at)) > 0)
    assert.deepEqual(
      responses.map(({ email_confirmation }) => email_confirmation),
      ['confirmed'],
    )
  })

  test('a withdrawn questionnaire still confirms', async () => {
    const { client, creator, quiz, join } = await createConfirmingQuiz(['brevo'])
    const { address } = await join()
    await client.quizzes.update({ id: quiz.id, body: { status: 'Brouillon' } })
    assert.match((await press(linkTo(address))).body, /Adresse confirmée/)
    await finishDeliveries()
    assert.deepEqual(emailsAt(creator.account), [address])
  })

  test('a questionnaire in the trash still confirms, and forwards once it is restored', async () => {
    const { client, creator, quiz, join } = await createConfirmingQuiz(['brevo'])
    const { address } = await join()
    await client.quizzes.remove({ id: quiz.id })
    assert.match((await press(linkTo(address))).body, /Adresse confirmée/)
    assert.deepEqual(emailsAt(creator.account), [])
    await client.trash.restore({ id: quiz.id })
    await finishDeliveries()
    assert.deepEqual(emailsAt(creator.account), [address])
  })

  test('after a withdrawal of the consent, the link says so and confirms nothing', async () => {
    const { creator, quiz } = await createConfirmingQuiz(['brevo'])
    const address = newAddress()
    const { participant_uuid } = await submitParticipant(quiz, address)
    await finishDeliveries()
    const key = { quiz_id: quiz.id, participant_uuid, creator_id: creator.user_id }
    const owner = { ...key, page_erases_contacts: false }
    assert.ok(await withdrawConsent(db, createVault('unused'), owner))
    const pressed = await press(linkTo(address))
    assert.equal(pressed.statusCode, 410)
    assert.match(pressed.body, /Accord retiré/)
    await waitHours(7 * 24)
    assert.equal(listMailsTo(address).length, 1)
    assert.deepEqual(emailsAt(creator.account), [])
  })

  test('links of other questionnaires and of other purposes open nothing', async () => {
    const [one, two] = [await createConfirmingQuiz([]), await createConfirmingQuiz([])]
    const { address, participant_uuid } = await one.join()
    const token = linkTo(address).split('/').at(-1)
    for (const path of [
      `/q/${two.quiz.id}/confirmation/${token}`,
      `/q/${one.quiz.id}/ma-page/${token}`,
      `/q/${one.quiz.id}/confirmation/${participant_uuid}`,
      `/q/${one.quiz.id}/confirmation/${token}A`,
    ])
      for (const method of ['GET', 'POST'] as const)
        assert.equal((await raw({ method, url: path })).statusCode, 404, path)
    assert.equal(await one.stateOf(participant_uuid), 'waiting')
  })
})
