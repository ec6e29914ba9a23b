import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { RefusedCall } from '#contract/client/client.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'
import { createMailScene } from '#server/testing/app/mail-scene.ts'
import type { SignedUp } from '#server/testing/app/test-app.ts'
import { loadMailSender } from './mail-sender.store.ts'

const {
  db,
  signUp,
  submitParticipant,
  finishDeliveries,
  catcher,
  newAddress,
  listMailsTo,
  createMailQuiz,
} = await createMailScene()

type Person = Pick<SignedUp, 'client' | 'user_id'>

/** Stores that the owner of an account has proven its address. */
const proveEmail = async ({ user_id }: Pick<SignedUp, 'user_id'>): Promise<string> => {
  const { email } = await db
    .updateTable('users')
    .set({ email_proven_by: 'mail' })
    .where('id', '=', user_id)
    .returning('email')
    .executeTakeFirstOrThrow()
  return email ?? ''
}

const senderOf = async ({ client }: Pick<Person, 'client'>) =>
  (await client.mailSender.get()).sender

const refusalOf = async (call: Promise<unknown>): Promise<string> => {
  const { status, message } = await call.then(
    () => assert.fail('it was not refused'),
    (error: RefusedCall) => error,
  )
  return `${status} ${message}`
}

/** Asks for a code, and confirms the address with the mailed code. */
const addAddress = async ({ client }: Pick<Person, 'client'>, email: string): Promise<string> => {
  await client.mailSender.addAddress({ body: { email } })
  const { code } = await catcher.next(email)
  const { sender } = await client.mailSender.confirmAddress({ body: { email, code } })
  const added = sender.addresses.find((address) => address.email === email)
  assert.ok(added)
  return added.id
}

/** Sends the result mail of a new participant and returns the mail. */
const mailOf = async (quiz: Parameters<typeof submitParticipant>[0]) => {
  const address = newAddress()
  await submitParticipant(quiz, address)
  await finishDeliveries()
  const [mail] = listMailsTo(address)
  assert.ok(mail)
  return mail
}

describe('the sender of mails to participants', () => {
  test('without a choice, a mail comes from the installation, and replies go to the proven address', async () => {
    const { creator, quiz } = await createMailQuiz()
    assert.deepEqual(await loadMailSender(db, quiz.id), { from_name: null, reply_to: null })
    const first = await mailOf(quiz)
    assert.equal(first.from, 'Quizaine <bonjour@quiz.example>')
    assert.equal(first.headers['reply-to'], undefined)
    assert.match(first.text, /personne ne lit les réponses/)
    const email = await proveEmail(creator)
    const second = await mailOf(quiz)
    assert.equal(second.headers['reply-to'], email)
    for (const part of [second.text, second.html]) assert.doesNotMatch(part, /personne ne lit/)
  })

  test('the name of the quiz wins over that of the account, and both end with « via Quizaine »', async () => {
    const { creator, quiz } = await createMailQuiz()
    await creator.client.mailSender.set({ body: { sender_name: 'Camille Durand' } })
    assert.equal((await mailOf(quiz)).from, 'Camille Durand via Quizaine <bonjour@quiz.example>')
    await creator.client.quizzes.update({ id: quiz.id, body: { sender_name: 'Atelier Élan' } })
    assert.equal((await mailOf(quiz)).from, 'Atelier Élan via Quizaine <bonjour@quiz.example>')
    await creator.client.quizzes.update({ id: quiz.id, body: { sender_name: ' \u200b ' } })
    assert.equal((await mailOf(quiz)).from, 'Camille Durand via Quizaine <bonjour@quiz.example>')
  })

  test('a stored name that is not allowed is never sent', async () => {
    const { quiz } = await createMailQuiz()
    await db
      .updateTable('quizzes')
      .set({ sender_name: 'Banque de France' })
      .where('id', '=', quiz.id)
      .execute()
    assert.equal((await mailOf(quiz)).from, 'Quizaine <bonjour@quiz.example>')
  })

  test('names of others and addresses are refused in each place', async () => {
    const { creator, quiz } = await createMailQuiz()
    const { client } = creator
    for (const sender_name of ['Pаypаl', 'camille@exemple.fr', 'x'.repeat(61)]) {
      const body = { sender_name }
      assert.match(await refusalOf(client.mailSender.set({ body })), /^422 Champ « sender_name »/)
      assert.match(
        await refusalOf(client.quizzes.update({ id: quiz.id, body })),
        /^422 Champ « sender_name »/,
      )
    }
    const text = '# Mon quiz\nType : quiz\nNom de l’expéditeur : La Poste'
    assert.match(await refusalOf(client.quizzes.importText({ body: { text } })), /^400 /)
  })

  test('a choice that changed elsewhere is not overwritten', async () => {
    const person = await signUp()
    await person.client.mailSender.set({ body: { sender_name: 'Un' } })
    const body = { sender_name: 'Deux', replaces: { sender_name: null } }
    assert.match(await refusalOf(person.client.mailSender.set({ body })), /^409 /)
    assert.equal((await senderOf(person)).sender_name, 'Un')
  })
})

describe('the address for replies', () => {
  test('another address is confirmed by a code, chosen for the account, and replaced by a quiz', async () => {
    const { creator, quiz } = await createMailQuiz()
    const own = await proveEmail(creator)
    const email = newAddress()
    const reply_to = await addAddress(creator, email)
    await creator.client.mailSender.set({ body: { reply_to } })
    assert.equal((await mailOf(quiz)).headers['reply-to'], email)
    const set = (choice: string | null) =>
      creator.client.quizMails.set({ id: quiz.id, body: { reply_to: choice } })
    await set('account')
    assert.equal((await mailOf(quiz)).headers['reply-to'], own)
    await set('none')
    assert.equal((await mailOf(quiz)).headers['reply-to'], undefined)
    await set(null)
    assert.equal((await mailOf(quiz)).headers['reply-to'], email)
  })

  test('a mail that waits takes what holds when it is sent', async () => {
    const { creator, quiz } = await createMailQuiz()
    const own = await proveEmail(creator)
    const addressId = await addAddress(creator, newAddress())
    await creator.client.mailSender.set({ body: { reply_to: addressId } })
    await creator.client.quizMails.set({ id: quiz.id, body: { reply_to: addressId } })
    const waiting = newAddress()
    await submitParticipant(quiz, waiting)
    await creator.client.mailSender.removeAddress({ id: addressId })
    await finishDeliveries()
    assert.equal(listMailsTo(waiting)[0]?.headers['reply-to'], own)
    assert.equal((await senderOf(creator)).reply_to, 'account')
    const { mails } = await creator.client.quizMails.get({ id: quiz.id })
    assert.equal(mails.reply_to, null)
    const events = await listAuditEventNames({ db }, creator.user_id)
    assert.deepEqual(
      events.filter((event) => /^(?:sender|reply_address)_/.test(event)),
      ['reply_address_added', 'sender_changed', 'reply_address_removed'],
    )
  })

  test('a participant whose address is that of the replies gets the mail as others do', async () => {
    const { creator, quiz } = await createMailQuiz()
    const email = newAddress()
    const reply_to = await addAddress(creator, email)
    await creator.client.mailSender.set({ body: { reply_to } })
    await submitParticipant(quiz, email)
    await finishDeliveries()
    const mail = listMailsTo(email).find(({ subject }) => subject !== 'Votre code de vérification')
    assert.equal(mail?.headers['reply-to'], email)
  })

  test('a wrong code is refused, and after five codes also the right one', async () => {
    const person = await signUp()
    const email = newAddress()
    await person.client.mailSender.addAddress({ body: { email } })
    const { code } = await catcher.next(email)
    const wrong = code === '111111' ? '222222' : '111111'
    const answers: string[] = []
    for (const typed of [...Array.from({ length: 19 }, () => wrong), code])
      answers.push(
        await refusalOf(person.client.mailSender.confirmAddress({ body: { email, code: typed } })),
      )
    assert.deepEqual(
      answers.map((answer) => answer.slice(0, 3)),
      [...Array.from({ length: 5 }, () => '422'), ...Array.from({ length: 15 }, () => '429')],
    )
    assert.deepEqual((await senderOf(person)).addresses, [])
  })

  test('a code confirms only its own address, its own account, once', async () => {
    const [person, other] = [await signUp(), await signUp()]
    const [email, another] = [newAddress(), newAddress()]
    await person.client.mailSender.addAddress({ body: { email } })
    const { code } = await catcher.next(email)
    const confirm = ({ client }: Person, address: string) =>
      client.mailSender.confirmAddress({ body: { email: address, code } })
    assert.match(await refusalOf(confirm(person, another)), /^422 Champ « code »/)
    assert.match(await refusalOf(confirm(other, email)), /^422 Champ « code »/)
    assert.equal((await senderOf(person)).pending_email, email)
    await confirm(person, email)
    assert.match(await refusalOf(confirm(person, email)), /^422 /)
    assert.equal((await senderOf(person)).pending_email, null)
  })

  test('an expired code is refused', async () => {
    const person = await signUp()
    const email = newAddress()
    await person.client.mailSender.addAddress({ body: { email } })
    const { code } = await catcher.next(email)
    await db
      .updateTable('one_time_tokens')
      .set({ created_at: new Date(Date.now() - 3_700_000).toISOString() })
      .where('user_id', '=', person.user_id)
      .execute()
    const body = { email, code }
    assert.match(
      await refusalOf(person.client.mailSender.confirmAddress({ body })),
      /^422 Champ « code »/,
    )
  })

  test('an account has five addresses at most, each once', async () => {
    const person = await signUp()
    const addresses = Array.from({ length: 5 }, newAddress)
    for (const email of addresses) await addAddress(person, email)
    const add = (email: string) => person.client.mailSender.addAddress({ body: { email } })
    assert.match(
      await refusalOf(add(addresses[0] ?? '')),
      /^422 Champ « email » : Cette adresse est déjà/,
    )
    assert.match(await refusalOf(add(newAddress())), /^409 Un compte a 5 adresses/)
    assert.match(await refusalOf(add('nulle part')), /^422 Champ « email » : Adresse attendue/)
    assert.equal((await senderOf(person)).addresses.length, 5)
  })

  test('an address of another account can be neither chosen nor removed', async () => {
    const [person, other] = [await createMailQuiz(), await signUp()]
    const id = await addAddress(other, newAddress())
    const { client } = person.creator
    for (const reply_to of [id, randomUUID()]) {
      assert.match(
        await refusalOf(client.mailSender.set({ body: { reply_to } })),
        /^422 Champ « reply_to »/,
      )
      const set = client.quizMails.set({ id: person.quiz.id, body: { reply_to } })
      assert.match(await refusalOf(set), /^422 Champ « reply_to »/)
    }
    assert.match(await refusalOf(client.mailSender.removeAddress({ id })), /^404 /)
    assert.equal((await senderOf(other)).addresses.length, 1)
  })

  test('the same address may serve two accounts that both got a code', async () => {
    const email = newAddress()
    for (const person of [await signUp(), await signUp()]) await addAddress(person, email)
  })
})

describe('the notice to the creator', () => {
  const noticeOf = async (answer: { email: string; consent?: 0 }) => {
    const scene = await createMailQuiz()
    await scene.setMails({ sends_result: false, tells_creator: 'each' })
    await submitParticipant(scene.quiz, answer.email, 0, answer.consent)
    await finishDeliveries()
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', scene.creator.user_id)
      .executeTakeFirstOrThrow()
    const [mail] = listMailsTo(email ?? '')
    assert.ok(mail)
    return mail
  }

  test('a reply reaches the participant who left an address', async () => {
    const address = newAddress()
    const mail = await noticeOf({ email: address })
    assert.equal(mail.headers['reply-to'], address)
    assert.doesNotMatch(mail.text, /personne ne lit/)
  })

  test('a reply reaches nobody without an address, or if the participant refused the consent', async () => {
    for (const answer of [{ email: '' }, { email: newAddress(), consent: 0 as const }]) {
      const mail = await noticeOf(answer)
      assert.equal(mail.headers['reply-to'], undefined)
      assert.match(mail.text, /personne ne lit/)
    }
  })
})
