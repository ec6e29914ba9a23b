import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import type { SignedUp } from '#server/testing/app/test-app.ts'
import { startReceiver } from '#server/testing/fakes/webhook-receiver.ts'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it waits for the worker of a running server.
// Starts early, because its tests take more than 15 s.

const catcher = await startMailCatcher()
const t = await createIntegrationsApp({
  SMTP_URL: catcher.url,
  MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
  AUTH_AUTOCONFIRM: 'true',
  WORKER: 'inline',
  WEBHOOKS_TO_LOOPBACK: 'on',
})
const bare = await createIntegrationsApp({ WORKER: 'inline' })
after(async () => {
  await t.close()
  await bare.close()
  await catcher.close()
})
type App = typeof t
const POLL_MS = 50

const forwardingQuiz = async (app: App, { client }: SignedUp, key: string) => {
  app.brevo.keys.add(key)
  await client.integrations.saveBrevo({ body: { api_key: key } })
  const quiz = await publishedScoreQuiz(client)
  await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'requested' } })
  await client.integrations.setBrevo({ id: quiz.id, body: { enabled: true } })
  const take = (email: string) =>
    app.client.publicQuiz.submit({
      id: quiz.id,
      body: {
        answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: email },
      },
    })
  const until = async (isSo: (of: { connection: string; delivered: number }) => boolean) => {
    for (;;) {
      const { ledgers } = await client.deliveries.list({ id: quiz.id })
      const [ledger] = ledgers
      if (ledger && isSo({ connection: ledger.connection, delivered: ledger.balance.delivered }))
        return
      await pause(POLL_MS)
    }
  }
  return { quiz, take, until }
}

test('a creator gets one mail each time a connection is blocked', async () => {
  const creator = await t.signUp()
  const { client, email } = creator
  assert.equal((await client.deliveries.summary()).is_told_by_mail, true)
  const { take, until } = await forwardingQuiz(t, creator, 'xkeysib-premiere')
  t.brevo.keys.remove('xkeysib-premiere')
  await take('a@exemple.fr')
  const mail = await catcher.next(email)
  assert.equal(mail.subject, 'Brevo n’accepte plus vos envois')
  assert.match(mail.text, /Brevo n’accepte plus la clé API\u00a0: enregistrez-en une nouvelle\./)
  assert.match(mail.text, /un participant attend/)
  assert.equal(mail.link, 'http://localhost:3000/settings')
  assert.doesNotMatch(mail.text, /xkeysib|a@exemple/)
  await take('b@exemple.fr')
  await until(({ connection }) => connection === 'needs_attention')

  t.brevo.keys.add('xkeysib-seconde')
  await client.integrations.saveBrevo({ body: { api_key: 'xkeysib-seconde' } })
  await until(({ delivered }) => delivered === 2)
  t.brevo.keys.remove('xkeysib-seconde')
  await take('c@exemple.fr')
  await catcher.next(email)
  assert.equal(catcher.mails.filter(({ to }) => to === email).length, 2)
})

test('the mails and the screens describe the same repair for tools and webhooks', async () => {
  const creator = await t.signUp()
  const { client, email } = creator
  const { quiz, take, until } = await forwardingQuiz(t, creator, 'xkeysib-troisieme')
  const { id } = quiz
  const receiver = await startReceiver()
  await client.webhooks.add({ id, body: { url: receiver.urlOf('parti') } })
  t.brevo.fail({ path: '/v3/contacts', mode: 'before', status: 402, times: 100 })
  receiver.fail({ mode: 'before', status: 410, times: 100 })
  await take('a@exemple.fr')
  const texts = [await catcher.next(email), await catcher.next(email)].map(({ text }) => text)
  t.brevo.heal()
  await receiver.close()
  await until(({ connection }) => connection === 'needs_attention')
  const tool = (await client.integrations.brevoStatus()).message
  const [webhook] = (await client.webhooks.list({ id })).webhooks
  for (const [message, expected] of [
    [tool, 'Brevo refuse les envois : vérifiez vos crédits ou votre abonnement.'],
    [webhook?.message, 'Il n’y a plus rien à cette adresse : indiquez la bonne.'],
  ] as const) {
    assert.equal(message, expected)
    assert.ok(texts.some((text) => text.includes(tiePunctuation(expected))))
  }
  assert.ok(texts.every((text) => !text.includes('Reconnectez')))
  assert.ok(texts.some((text) => text.includes('Ouvrir les réglages du quiz')))
})

test('without a mail server only the screens report blocked connections', async () => {
  const creator = await bare.signUp()
  const { client } = creator
  assert.equal((await client.deliveries.summary()).is_told_by_mail, false)
  const { take, until } = await forwardingQuiz(bare, creator, 'xkeysib-premiere')
  bare.brevo.keys.remove('xkeysib-premiere')
  await take('a@exemple.fr')
  await until(({ connection }) => connection === 'needs_attention')
  const { message } = await client.integrations.brevoStatus()
  assert.equal(message, 'Brevo n’accepte plus la clé API : enregistrez-en une nouvelle.')
})
