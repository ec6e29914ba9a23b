import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { NO_CONTACT } from '#domain/run/contact/contact.ts'
import { storeSubmissions } from '#server/responses/submissions.store.ts'
import { createMailScene } from '#server/testing/app/mail-scene.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'

// Runs in test:all, because it repeats its rule with each fault of each tool.

const {
  db,
  pool,
  raw,
  submitParticipant,
  finishDeliveries,
  catcher,
  newAddress,
  listMailsTo,
  createMailQuiz,
} = await createMailScene()

/** Returns spellings of an address that mail servers deliver to the same mailbox. */
const spellingsOf = (address: string): string[] => {
  const [name = '', domain = ''] = address.split('@')
  const wide = [...address].map((letter) =>
    String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
  )
  return [
    ...[
      wide.join(''),
      `${name}@${domain.replace('.', '。')}`,
      `${name}@${domain.replace('.', '｡')}`,
    ],
    ...[`${name}@${domain.replace('m', 'm\u00ad')}`, `${name}@${domain.replace('e', 'ⓔ')}`],
    ...[`\u200b${address}\ufeff`, `${name}\u2060@${domain}`, ` ${address.toUpperCase()}\u00a0`],
    `${name}+x@${domain.replace('x', 'ｘ')}`,
  ]
}

describe('one mailbox with several spellings of its address', () => {
  test('one mailbox gets at most three mails a day from a quiz, and is found by each spelling', async () => {
    const { creator, quiz } = await createMailQuiz()
    const address = newAddress()
    const spellings = spellingsOf(address)
    for (const one of spellings) await submitParticipant(quiz, one)
    await finishDeliveries()
    const got = catcher.mails.filter(
      ({ to }) => to === address || to === address.replace('@', '+x@'),
    )
    assert.equal(got.length, 3)
    const { details } = await creator.client.statistics.responses({ id: quiz.id })
    assert.deepEqual(
      [...new Set(details.map(({ email }) => email))].sort(),
      [address.replace('@', '+x@'), address].sort(),
    )
    for (const email of spellings.slice(0, -1)) {
      const { responses } = await creator.client.participants.ofPerson({ body: { email } })
      assert.equal(responses.length, spellings.length - 1, email)
      const found = await creator.client.statistics.responses({ id: quiz.id, email })
      assert.equal(found.details.length, spellings.length - 1, email)
      const { deliveries } = await creator.client.deliveries.list({ id: quiz.id, email })
      assert.equal(deliveries.length, spellings.length - 1, email)
    }
    const erased = await creator.client.participants.removePerson({
      body: { email: spellings[0] ?? '' },
    })
    assert.equal(erased.nb_deleted, spellings.length - 1)
  })

  test('a mailbox gets no mail of a creator that it refused, whatever the spelling', async () => {
    const { quiz, balance } = await createMailQuiz()
    const address = newAddress()
    await submitParticipant(quiz, address)
    await finishDeliveries()
    const [mail] = listMailsTo(address)
    const url = /^<(\S+)>$/.exec(mail?.headers['list-unsubscribe'] ?? '')?.[1] ?? ''
    assert.equal((await raw({ method: 'POST', url: new URL(url).pathname })).statusCode, 200)
    for (const one of spellingsOf(address)) await submitParticipant(quiz, one)
    await finishDeliveries()
    assert.deepEqual(await balance(), { delivered: 1, suppressed: spellingsOf(address).length })
  })

  test('a refusal that was stored when domains kept their accents still applies', async () => {
    const { creator, quiz, balance } = await createMailQuiz()
    const mailbox = createHash('sha256')
      .update(JSON.stringify(['mailbox', 'lea@exémple.fr']))
      .digest()
    await db
      .insertInto('mail_unsubscribes')
      .values({ user_id: creator.user_id, mailbox_hash: mailbox })
      .execute()
    await submitParticipant(quiz, 'Léa'.replace('é', 'e').concat('@exémple.fr'))
    await finishDeliveries()
    assert.deepEqual(await balance(), { suppressed: 1 })
  })

  test('a mail is addressed to the ASCII form of its domain', async () => {
    const { creator, quiz } = await createMailQuiz()
    await submitParticipant(quiz, 'lea@exémple.fr')
    await finishDeliveries()
    assert.equal(listMailsTo('lea@xn--exmple-cva.fr').length, 1)
    const { details } = await creator.client.statistics.responses({
      id: quiz.id,
      email: '@exémple.fr',
    })
    assert.deepEqual(
      details.map(({ email }) => email),
      ['lea@xn--exmple-cva.fr'],
    )
  })
})

test('no mail is sent to a host without a dot, an IP address or an accented name, and a former response stays', async () => {
  const { creator, quiz, balance } = await createMailQuiz(['brevo'])
  const refused = [
    'jean@exemple',
    'a@127.1',
    'a@127.0.0.1',
    'a@[::1]',
    'françois@exemple.fr',
    'a@localhost',
  ]
  const before = catcher.mails.length
  for (const one of refused) await refuses(submitParticipant(quiz, one), 422, 'invalid')
  // Servers from before this rule stored the reply.
  await storeSubmissions(
    pool,
    refused.map((refusal) => ({
      quiz_id: quiz.id,
      participant_uuid: randomUUID(),
      run_secret_hash: null,
      version: 1,
      email: null,
      ...NO_CONTACT,
      result_position: 0,
      score: 1,
      choices: [0, null],
      texts: [refusal],
      dimension_percents: null,
      parameters: null,
      layout: {
        choice_questions: [0, 1],
        text_questions: [quiz.open_id],
        result_names: ['Pas à pas', 'Grand saut'],
      },
      elapsed_seconds: null,
      is_suspect: false,
      consent_version: null,
      measure_version: null,
      is_mail_refused: false,
    })),
    '',
  )
  await finishDeliveries()
  assert.equal(catcher.mails.length, before)
  assert.deepEqual(await balance(), { no_email: refused.length })
  assert.deepEqual(await balance('brevo'), { no_email: refused.length })
  const { details } = await creator.client.statistics.responses({ id: quiz.id })
  const texts = details.flatMap(({ answers }) => answers.map(({ answer_text }) => answer_text))
  for (const one of refused) assert.ok(texts.includes(one), one)
})
