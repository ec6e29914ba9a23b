import { randomUUID } from 'node:crypto'
import type { Client } from '../../src/contract/client/client.ts'
import {
  askForContact,
  type ContactQuiz,
  contactReplies,
} from '../../src/server/testing/quizzes/contact-questions.ts'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { fakeOrigin, readFakeState } from './fake-tools.ts'
import { expect, newToolKey } from './fixtures.ts'

type FakeAccount = { contacts: { email: string; attributes: Record<string, unknown> }[] }

/** Returns the attributes of a contact at the fake Brevo; undefined before it arrives. */
export const attributesOf = async (email: string): Promise<Record<string, unknown> | undefined> => {
  const accounts = JSON.parse(await readFakeState('brevo')) as FakeAccount[]
  return accounts.flatMap(({ contacts }) => contacts).find((one) => one.email === email)?.attributes
}

/** Creates an attribute of an account at the fake Brevo. */
export const createAttribute = async (
  api_key: string,
  name: string,
  type: string,
): Promise<void> => {
  const reply = await fetch(`${fakeOrigin('brevo')}/v3/contacts/attributes/normal/${name}`, {
    method: 'POST',
    headers: { 'api-key': api_key, 'content-type': 'application/json' },
    body: JSON.stringify({ type }),
  })
  expect(reply.status).toBe(201)
}

const createEmail = (): string => `champs-${randomUUID().slice(0, 8)}@exemple.fr`

/** Publishes a quiz with contact data whose participants are sent to a new account at Brevo. */
export const sendToBrevo = async (
  client: Client,
): Promise<{ quiz: ContactQuiz; api_key: string }> => {
  const quiz = await askForContact(client, await readyScoreQuiz(client))
  const api_key = newToolKey('brevo')
  await client.integrations.saveBrevo({ body: { api_key } })
  await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'requested' } })
  await client.integrations.setBrevo({ id: quiz.id, body: { enabled: true } })
  return { quiz, api_key }
}

/** Submits a participant with a name and a phone number, and returns the address. */
export const submitContact = async (client: Client, quiz: ContactQuiz): Promise<string> => {
  const email = createEmail()
  const answers = contactReplies(quiz, { email, first_name: 'Zoé', phone: '06 12 34 56 78' })
  await client.publicQuiz.submit({ id: quiz.id, body: { answers } })
  return email
}
