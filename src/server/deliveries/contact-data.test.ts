import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { askForContact, contactReplies } from '#server/testing/quizzes/contact-questions.ts'

const app = await createOutboxApp()
after(() => app.close())

test('the contact data of a participant arrives in the own fields of each tool', async () => {
  const creator = await app.connectCreator()
  const quiz = await askForContact(creator.client, await app.createForwardingQuiz(creator))
  const contact = {
    email: 'camille@exemple.fr',
    first_name: 'Camille',
    last_name: 'Durand',
    phone: '0692 12 34 56',
  }
  const body = { version: 2, participant_uuid: randomUUID(), elapsed_seconds: 42 }
  const answers = contactReplies(quiz, contact)
  await app.client.publicQuiz.submit({ id: quiz.id, body: { ...body, answers } })
  await app.finishDeliveries()
  const { convertkit, systemio, brevo } = app.fakes
  const [subscriber] = convertkit.accountOf(creator.account).subscribers.values()
  assert.equal(subscriber?.first_name, 'Camille')
  const [person] = systemio.accountOf(creator.account).contacts.values()
  const { first_name, surname, phone_number } = person?.fields ?? {}
  assert.deepEqual([first_name, surname, phone_number], ['Camille', 'Durand', '+262692123456'])
  const [known] = brevo.accountOf(creator.account).contacts.values()
  const { PRENOM, NOM, SMS } = known?.attributes ?? {}
  assert.deepEqual([PRENOM, NOM, SMS], ['Camille', 'Durand', '262692123456'])
})

test('a phone number without a country code is sent with the country of the account, or not at all', async () => {
  const creator = await app.connectCreator()
  const quiz = await askForContact(creator.client, await app.createForwardingQuiz(creator))
  const sent = async (email: string, phone: string): Promise<unknown> => {
    const answers = contactReplies(quiz, { email, first_name: 'Camille', last_name: '', phone })
    const body = { version: 2, participant_uuid: randomUUID(), elapsed_seconds: 42, answers }
    await app.client.publicQuiz.submit({ id: quiz.id, body })
    await app.finishDeliveries()
    const { contacts } = app.fakes.brevo.accountOf(creator.account)
    return [...contacts.values()].find((contact) => contact.email === email)?.attributes.SMS
  }
  const { client } = creator
  await client.preferences.set({ body: { time_zone: 'Europe/Brussels' } })
  assert.equal((await client.preferences.get()).preferences.country, 'BE')
  assert.equal(await sent('a@exemple.fr', '0470 12 34 56'), '32470123456')
  assert.equal(await sent('b@exemple.fr', '06 12 34 56 78'), undefined)
  const ledger = await client.deliveries.list({ id: quiz.id, email: 'b@exemple.fr' })
  assert.match(JSON.stringify(ledger), /Téléphone/)
  await client.preferences.set({ body: { country: 'FR' } })
  assert.equal(await sent('c@exemple.fr', '06 12 34 56 78'), '33612345678')
  // The chosen country stays with another time zone.
  await client.preferences.set({ body: { time_zone: 'Europe/Zurich' } })
  assert.equal((await client.preferences.get()).preferences.country, 'FR')
})
