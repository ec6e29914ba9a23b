// Starts early, because the test uses every call of the contract once for each shape of texts.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { STRANGER_TEXTS } from '#domain/testing/stranger-texts.ts'
import { ADMIN_ENV, signUpAdministrator } from '#server/testing/app/administrators.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { startBrevo } from '#server/testing/fakes/brevo.ts'
import { startKit } from '#server/testing/fakes/kit.ts'
import { startSystemio } from '#server/testing/fakes/systemio.ts'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import { createPerson, type Person } from '#server/testing/ownership/person.ts'
import { createRowsDigest } from '#server/testing/ownership/rows-digest.ts'
import {
  callsWithTexts,
  createBodyWithOneText,
  createTextCaller,
  fieldsSentAlone,
  fillOf,
} from './call-with-texts.ts'
import type { StoredRowsGuard } from './send-texts.ts'
import { listTextFields } from './text-fields.ts'
import { readQuiz, useQuizWithTexts } from './used-quiz.ts'

const catcher = await startMailCatcher()
const [kit, systemio, brevo] = await Promise.all([startKit(), startSystemio(), startBrevo()])
systemio.switches.calls = 100_000
Object.assign(brevo.switches, { contacts_per_second: 100_000, others_per_hour: 100_000 })
const mails = { SMTP_URL: catcher.url, MAIL_FROM: 'Quizaine <bonjour@quiz.example>' }
const app = await createBuiltApp({
  ...ADMIN_ENV,
  ...kit.env,
  ...systemio.env,
  ...brevo.env,
  ...mails,
})
after(async () => {
  await app.close()
  await Promise.all([catcher, kit, systemio, brevo].map((service) => service.close()))
})
const administrator = await signUpAdministrator(app)
const readDigest = await createRowsDigest(app.db)

/** Creates a creator with one object of each kind, whose account at Brevo accepts calls. */
const createConnectedPerson = async (): Promise<Person> => {
  const person = await createPerson(app)
  const api_key = `xkeysib-${person.user_id}`
  brevo.keys.add(api_key, { account: person.user_id })
  const { attributes } = brevo.accountOf(person.user_id)
  attributes.set('AGENDA', { name: 'AGENDA', category: 'normal', type: 'text' })
  await person.client.integrations.saveBrevo({ body: { api_key } })
  return person
}

const MAIL_INTERVAL_MS = 20

/** Waits until no mail waits, because a mail that leaves changes stored rows. */
const waitForMails = async (): Promise<void> => {
  while ((await app.pool.query('select from mail_jobs limit 1')).rowCount !== 0)
    await pause(MAIL_INTERVAL_MS)
}

/** Creates a guard that fails if a refused call stored anything for a creator. */
const createGuard = ({ user_id, quiz }: Person): StoredRowsGuard => {
  const read = async (): Promise<string> => {
    await waitForMails()
    return readDigest(app.pool, [user_id, quiz.id])
  }
  let known: string | undefined
  return {
    beforeSend: async () => {
      known ??= await read()
    },
    onAccepted: () => {
      known = undefined
    },
    onRefused: async (what) =>
      assert.equal(await read(), known, `${what} was refused and stored something`),
  }
}

/**
 * Calls that accept no plain text: the address that confirms a deletion, the text format, addresses, keys of email tools,
 * codes, a second reply of an invited person, whose first one has a text in one field, and the test of an automation that
 * does not exist.
 */
const REFUSING_CALLS = [
  'admin.remove',
  'campaigns.correctAddress',
  ...['deliveries.test', 'integrations.saveBrevo', 'integrations.saveSystemio'],
  ...['invitedRuns.submit', 'mailSender.confirmAddress'],
  ...['quizzes.importText', 'webhooks.add', 'webhooks.update'],
]

describe('the list of text fields', () => {
  const fields = listTextFields().map(({ call, path }) => `${call} ${path}`)

  test('the list has texts of bodies, lists, maps and queries, each once', () => {
    assert.equal(new Set(fields).size, fields.length)
    for (const field of [
      ...['quizzes.create name', 'questions.create answers[].text', 'publicQuiz.submit answers.*'],
      ...['statistics.responses search', 'quizFiles.read text_variants[].button_text'],
    ])
      assert.ok(fields.includes(field), field)
  })

  test('every text that no full body has can be sent alone', () => {
    for (const call of callsWithTexts)
      for (const { path, part } of fieldsSentAlone(call)) {
        const quiz = { id: '', question_id: 'q', open_id: 'o', answer_ids: [], result_ids: [] }
        const { has_field } = createBodyWithOneText(call, { quiz, path, text: 'Texte' })
        assert.ok(part === 'body' && has_field, `${call[0]} ${path}`)
      }
  })
})

/** Sends texts in every field of every call, and uses a questionnaire with them. Returns the calls that accepted none. */
const sendEverywhere = async (make: (length: number) => string): Promise<string[]> => {
  const person = await createConnectedPerson()
  const callWithTexts = await createTextCaller(app, { person, administrator }, createGuard(person))
  const refusing: string[] = []
  for (const call of callsWithTexts) {
    const answers = await callWithTexts(call, fillOf(make))
    if (answers.every(({ refusal }) => refusal)) refusing.push(call[0])
  }
  await readQuiz(app, person)
  await useQuizWithTexts(app, person, make)
  return refusing.sort()
}

describe('texts of strangers in every field of the contract', { concurrency: 3 }, () => {
  test('plain texts are accepted by every call that takes free texts', async () => {
    assert.deepEqual(await sendEverywhere(() => 'Texte'), REFUSING_CALLS)
  })

  for (const [shape, make] of Object.entries(STRANGER_TEXTS))
    test(`texts of the shape « ${shape} » are stored, or refused with a French sentence`, async () => {
      const refusing = await sendEverywhere(make)
      assert.ok(refusing.length < callsWithTexts.length)
    })
})
