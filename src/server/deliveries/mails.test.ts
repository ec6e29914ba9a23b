import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mailboxKeyOf } from '#domain/common/addresses.ts'
import { createMailScene, MAILS_A_DAY } from '#server/testing/app/mail-scene.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { reconcile } from './reconcile.store.ts'

const {
  db,
  raw,
  submitParticipant,
  advanceClock,
  finishDeliveries,
  worker,
  catcher,
  newAddress,
  listMailsTo,
  countMailsTo,
  createMailQuiz,
} = await createMailScene()

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('a participant who leaves an address', () => {
  test('a participant gets one mail with their result and the text of the creator, in addition to the tools', async () => {
    const { quiz, setMails, balance } = await createMailQuiz(['brevo'])
    await setMails({
      subject: 'Bravo : {{résultat}}',
      text: 'Bonjour,\n\n- **{{score}}** points\n- [la suite](https://exemple.fr/?r={{résultat}})',
    })
    const address = newAddress()
    const { result_name } = await submitParticipant(quiz, address)
    await submitParticipant(quiz, '', 1)
    await finishDeliveries()
    const [mail, ...more] = listMailsTo(address)
    assert.ok(mail)
    assert.deepEqual(more, [])
    assert.equal(mail.subject, `Bravo : ${result_name}`)
    assert.match(mail.html, /<li><strong>\d+<\/strong> points<\/li>/)
    const link = `https://exemple.fr/?r=${encodeURIComponent(result_name)}`
    assert.ok(mail.html.includes(`<a href="${link.replaceAll("'", '&#39;')}"`))
    assert.ok(mail.text.includes(`- la suite (${link})`))
    assert.deepEqual(await balance(), { delivered: 1, no_email: 1 })
  })

  testInAll(
    'a participant gets a mail for each run, but at most three a day from one quiz',
    async () => {
      const { quiz, balance, listReasons } = await createMailQuiz()
      const address = newAddress()
      const spellings = [address, address.toUpperCase(), address.replace('@', '+x@'), address]
      for (const one of spellings) await submitParticipant(quiz, one)
      await finishDeliveries()
      const got = catcher.mails.filter(({ to }) => mailboxKeyOf(to) === address)
      assert.equal(got.length, 3)
      assert.deepEqual(await balance(), { delivered: 3, refused: 1 })
      assert.ok(
        (await listReasons()).includes('Cette adresse a déjà reçu plusieurs emails aujourd’hui.'),
      )
      await advanceClock(DAY_MS)
      await submitParticipant(quiz, address)
      await finishDeliveries()
      assert.deepEqual(await balance(), { delivered: 4, refused: 1 })
    },
  )

  testInAll('a participant gets at most six mails a day from all creators', async () => {
    const address = newAddress()
    const quizzes = [await createMailQuiz(), await createMailQuiz(), await createMailQuiz()]
    for (const { quiz } of quizzes)
      for (let times = 0; times < 3; times += 1) await submitParticipant(quiz, address)
    await finishDeliveries()
    assert.equal(listMailsTo(address).length, 6)
  })

  testInAll(
    'mails that are refused for one quiz do not count towards the limit of other quizzes',
    async () => {
      const address = newAddress()
      const [first, other] = [await createMailQuiz(), await createMailQuiz()]
      for (let times = 0; times < 6; times += 1) await submitParticipant(first.quiz, address)
      await finishDeliveries()
      assert.equal(listMailsTo(address).length, 3)
      await submitParticipant(other.quiz, address)
      await finishDeliveries()
      assert.equal(listMailsTo(address).length, 4)
    },
  )

  testInAll(
    'a participant who unsubscribes from one creator still gets the mails of other creators',
    async () => {
      const [first, other] = [await createMailQuiz(), await createMailQuiz()]
      const address = newAddress()
      await submitParticipant(first.quiz, address)
      await finishDeliveries()
      const [mail] = listMailsTo(address)
      const url = /^<(\S+)>$/.exec(mail?.headers['list-unsubscribe'] ?? '')?.[1] ?? ''
      assert.equal(mail?.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
      assert.ok(mail?.text.includes(url) && mail.html.includes(url))
      assert.ok(!url.includes(address))
      const { pathname } = new URL(url)
      const asked = await raw({ method: 'GET', url: pathname })
      assert.equal(asked.statusCode, 200)
      await submitParticipant(first.quiz, address)
      await finishDeliveries()
      assert.equal(listMailsTo(address).length, 2, 'looking ends nothing')
      const post = { method: 'POST' as const, url: pathname, payload: 'List-Unsubscribe=One-Click' }
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      for (let times = 0; times < 2; times += 1)
        assert.equal((await raw({ ...post, headers })).statusCode, 200)
      await submitParticipant(first.quiz, address)
      await submitParticipant(other.quiz, address)
      await finishDeliveries()
      assert.equal(listMailsTo(address).length, 3)
      assert.deepEqual(await first.balance(), { delivered: 2, suppressed: 1 })
      assert.deepEqual(await other.balance(), { delivered: 1 })
    },
  )
})

describe('the mails of a creator', () => {
  testInAll('mails beyond the daily limit wait for the next day', async () => {
    const { addParticipants, balance, listReasons } = await createMailQuiz()
    await addParticipants(MAILS_A_DAY + 3)
    await worker.drain()
    await advanceClock(60_000, 10_000)
    assert.deepEqual(await balance(), { delivered: MAILS_A_DAY, pending: 3 })
    assert.ok(
      (await listReasons()).includes(
        'La limite d’emails du jour est atteinte : l’envoi reprendra demain.',
      ),
    )
    await finishDeliveries(2 * HOUR_MS)
    assert.deepEqual(await balance(), { delivered: MAILS_A_DAY + 3 })
  })

  test('mails stop when they are disabled, and go only to new participants after they are enabled again', async () => {
    const { creator, quiz, setMails, addParticipants, balance } = await createMailQuiz()
    catcher.fail({ how: 'away', times: 10_000 })
    const waiting = await addParticipants(2)
    await worker.drain()
    await setMails({ sends_result: false })
    catcher.heal()
    const meanwhile = await addParticipants(2)
    await finishDeliveries(HOUR_MS)
    assert.deepEqual(await balance(), { refused: 2, not_forwarded: 2 })
    const body = { provider: 'mail' } as const
    assert.deepEqual(await creator.client.deliveries.retry({ id: quiz.id, body }), {
      nb_retried: 0,
    })
    await setMails({ sends_result: true })
    const then = await addParticipants(1)
    await finishDeliveries()
    assert.deepEqual(countMailsTo([...waiting, ...meanwhile, ...then]), [0, 0, 0, 0, 1])
    assert.deepEqual(await balance(), { delivered: 1, refused: 2, not_forwarded: 2 })
  })

  test('the reconciler inserts a missing mail delivery', async () => {
    const { addParticipants, quiz, balance } = await createMailQuiz()
    const addresses = await addParticipants(1)
    await db.deleteFrom('deliveries').where('quiz_id', '=', quiz.id).execute()
    assert.equal(await reconcile(db), 1)
    await finishDeliveries()
    assert.deepEqual(countMailsTo(addresses), [1])
    assert.deepEqual(await balance(), { delivered: 1 })
  })
})

describe('a creator who wants a notification for each participant', () => {
  test('a creator is notified once of each participant, with no more data than in the statistics', async () => {
    const { creator, quiz, setMails, balance } = await createMailQuiz()
    await setMails({ sends_result: false, tells_creator: 'each' })
    const address = newAddress()
    const { participant_uuid, result_name } = await submitParticipant(quiz, address)
    await submitParticipant(quiz, 'secret@exemple.fr', 1, 0)
    await submitParticipant(quiz, '', 1)
    await finishDeliveries()
    const told = listMailsTo(creator.email)
    assert.equal(told.length, 3)
    const [mail] = told.filter(({ text }) => text.includes(address))
    assert.ok(mail?.text.includes(`Résultat\u00a0: ${result_name}`))
    assert.ok(mail?.link.endsWith(`/quiz/${quiz.id}/statistics?participant=${participant_uuid}`))
    assert.ok(told.every(({ text, html }) => !`${text}${html}`.includes('secret@')))
    assert.deepEqual(await balance('notice'), { delivered: 3 })
  })
})
