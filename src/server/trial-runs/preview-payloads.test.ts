import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { type ConnectedCreator, createOutboxApp } from '#server/testing/app/outbox-app.ts'
import type { SignedUp } from '#server/testing/app/test-app.ts'
import { askForContact, contactReplies } from '#server/testing/quizzes/contact-questions.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createOutboxApp()
after(() => app.close())

const bodyOf = ({ question_id, answer_ids, open_id }: SampleQuiz, email: string) => ({
  answers: { [question_id]: answer_ids[1] ?? '', [open_id]: email },
  version: 1,
  participant_uuid: randomUUID(),
  elapsed_seconds: 42,
  parameters: { utm_source: 'lettre' },
})
/** Submits a trial run of a quiz. Returns its id. */
const takeAsTest = async (
  { client }: SignedUp,
  quiz: SampleQuiz,
  body: Omit<ReturnType<typeof bodyOf>, 'answers'> & {
    answers: Replies
    consent_version?: number | undefined
  },
) => {
  const { url } = await client.trialRuns.link({ id: quiz.id })
  const token = new URL(url).searchParams.get('test') ?? ''
  const { participant_uuid } = await app.client.trialRuns.submit({ id: quiz.id, token, body })
  return { id: quiz.id, runId: participant_uuid }
}
/** Returns a call as text, without ids of tools and without the time. */
const written = (method: string, path: string, body: unknown): string =>
  `${method} ${path} ${JSON.stringify(body ?? null)}`
    .replaceAll(/(?<=\/)\d+/g, 'N')
    .replaceAll(/"?\\b(?:CONTACT_ID|TAG_ID)\\b"?|(?<=:)\\d{4,}/g, 'N')
    .replaceAll(/(?<="(?:created_at|timestamp)":")[^"]*/g, 'T')
    .replaceAll(/(?<=\/)(?:CONTACT_ID|TAG_ID)/g, 'N')

/** Creates rules with tags and lists of the account, for the selected answer and for another answer. */
const giveLabels = async (
  { client, account }: ConnectedCreator,
  { id, ...quiz }: SampleQuiz,
): Promise<void> => {
  const { convertkit, systemio, brevo } = app.fakes
  const tag = { id: 8_001, name: 'Libres', created_at: '' }
  convertkit.accountOf(account).tags.set(tag.id, tag)
  systemio.accountOf(account).tags.set(tag.id, tag.name)
  brevo.accountOf(account).lists.set(tag.id, tag.name)
  const { question_id } = quiz
  for (const provider of PROVIDERS)
    for (const [at, label_name] of ['Pris', tag.name].entries()) {
      const body = { provider, question_id, answer_id: quiz.answer_ids[at], label_name }
      await client.automations.add({ id, body: { ...body, vendor_id: String(8_000 + at) } })
    }
}

/** Sends the reply, the score and the result into fields of each tool. */
const mapFields = async ({ client }: SignedUp, { id, question_id }: SampleQuiz): Promise<void> => {
  for (const provider of PROVIDERS) {
    const add = (body: {
      source: 'question' | 'score'
      question_id?: string
      field_name: string
    }) => client.fieldMappings.add({ id, body: { provider, ...body } })
    await add({ source: 'question', question_id, field_name: 'AGENDA' })
    await add({ source: 'score', field_name: 'POINTS' })
  }
}

const sendParameters = ({ id }: SampleQuiz) =>
  app.db
    .updateTable('quiz_integrations')
    .set({ sends_parameters: true })
    .where('quiz_id', '=', id)
    .execute()

describe('the preview of a trial run', () => {
  test('the preview of a trial run equals the calls for a participant with the same answers', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator)
    const hook = await app.addWebhook(creator, quiz)
    await giveLabels(creator, quiz)
    await mapFields(creator, quiz)
    await sendParameters(quiz)
    const first = bodyOf(quiz, 'premiere@exemple.fr')
    // The first participant causes the creation of the fields.
    await app.client.publicQuiz.submit({ id: quiz.id, body: first })
    await app.finishDeliveries()

    const body = bodyOf(quiz, 'camille@exemple.fr')
    const at = await takeAsTest(creator, quiz, body)
    for (const fake of [...Object.values(app.fakes), app.receiver]) fake.journal.length = 0
    const { run, places } = await creator.client.trialRuns.get(at)
    const nothing = [...Object.values(app.fakes), app.receiver].flatMap((fake) => fake.journal)
    assert.deepEqual(nothing, [])

    await app.client.publicQuiz.submit({ id: quiz.id, body })
    await app.finishDeliveries()
    assert.deepEqual(run.replies, [
      { question: 'Votre agenda ?', answer: 'Libre' },
      { question: 'Où vous écrire ?', answer: 'camille@exemple.fr' },
    ])
    assert.equal(run.result_name, 'Grand saut')
    const prefixes = { convertkit: '/v4', systemio: '/api', brevo: '/v3' }
    for (const [provider, prefix] of Object.entries(prefixes)) {
      const place = places.find((candidate) => candidate.provider === provider)
      const shown = place?.requests.map(({ method, address, body: sent }) =>
        written(method, prefix + address, sent === null ? null : JSON.parse(sent)),
      )
      const got = app.fakes[provider as 'brevo'].journal.map(
        ({ method, path, query, body: sent }) =>
          written(method, `${path}${query && `?${query}`}`, sent === '' ? null : JSON.parse(sent)),
      )
      assert.ok(shown && shown.length > 0)
      assert.deepEqual(shown, got, provider)
      // The request contains the tag or list of the selected answer only.
      assert.match(JSON.stringify(place?.requests), /8001/)
      assert.doesNotMatch(JSON.stringify(place?.requests), /8000/)
      assert.match(JSON.stringify(place?.requests), /agenda[^}]*Libre/i)
      assert.match(JSON.stringify(place?.requests), /points[^}]*5/i)
      // The source of the participant is sent in a field.
      assert.match(JSON.stringify(place?.requests), /utm_source[^}]*lettre/i)
    }
    const shown = places.find(({ provider }) => provider === 'webhook')?.requests[0]
    const got = app.receiver.receivedAt(hook.name).at(-1)
    assert.equal(
      written('POST', '', JSON.parse(String(shown?.body))),
      written('POST', '', JSON.parse(String(got?.text))),
    )
    assert.equal(shown?.headers['webhook-id'], got?.headers['webhook-id'])
    assert.equal(shown?.headers['webhook-signature'], undefined)
    assert.deepEqual(app.findLeaks(), [])
  })

  test('the preview for a webhook has the contact data of a participant, and none without consent', async () => {
    const creator = await app.connectCreator()
    const quiz = await askForContact(creator.client, await app.createForwardingQuiz(creator))
    const hook = await app.addWebhook(creator, quiz)
    const contact = {
      email: 'camille@exemple.fr',
      first_name: 'Camille',
      last_name: 'Durand',
      phone: '06 12 34 56 78',
    }
    const sentFor = async (consent_version?: number) => {
      const answers = contactReplies(quiz, contact)
      const body = { ...bodyOf(quiz, ''), answers, version: 2, consent_version }
      const run = await takeAsTest(creator, quiz, body)
      const { places } = await creator.client.trialRuns.get(run)
      const shown = places.find(({ provider }) => provider === 'webhook')?.requests[0]?.body
      await app.client.publicQuiz.submit({ id: quiz.id, body })
      await app.finishDeliveries()
      const sent = app.receiver.receivedAt(hook.name).at(-1)?.text ?? ''
      const dataOf = (text: string) =>
        (JSON.parse(text) as { data: { contact: object; replies: { question: string }[] } }).data
      assert.deepEqual(dataOf(`${shown}`).contact, dataOf(sent).contact)
      assert.deepEqual(dataOf(`${shown}`).replies, dataOf(sent).replies)
      return dataOf(sent)
    }
    const given = await sentFor()
    assert.deepEqual(given.contact, contact)
    assert.equal(given.replies.length, 5)
    const declined = await sentFor(0)
    assert.deepEqual(declined.contact, {
      email: null,
      first_name: null,
      last_name: null,
      phone: null,
    })
    assert.deepEqual(
      declined.replies.map(({ question }) => question),
      ['Votre agenda ?'],
    )
  })

  test('the preview of a trial run gives the reason for each destination that would get no call', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['brevo', 'convertkit'])
    await app.addWebhook(creator, quiz)
    await creator.client.quizzes.update({ id: quiz.id, body: { consent_mode: 'box' } })
    const shownOf = async (body: ReturnType<typeof bodyOf>) => {
      const { places } = await creator.client.trialRuns.get(await takeAsTest(creator, quiz, body))
      return Object.fromEntries(
        places.map(({ provider, message, requests }) => [provider, [message, requests.length]]),
      )
    }
    assert.deepEqual(await shownOf(bodyOf(quiz, '')), {
      brevo: ['Rien ne serait envoyé : aucune adresse email complète n’a été donnée.', 0],
      convertkit: ['Rien ne serait envoyé : aucune adresse email complète n’a été donnée.', 0],
      systemio: ['Rien ne serait envoyé : Systeme.io n’est pas activé pour ce questionnaire.', 0],
      webhook: [null, 1],
    })
    const declined = { ...bodyOf(quiz, 'camille@exemple.fr'), consent_version: 0 }
    assert.deepEqual((await shownOf(declined)).brevo, [
      'Rien ne serait envoyé. La case n’a pas été cochée.',
      0,
    ])
    await creator.client.quizzes.update({ id: quiz.id, body: { consent_mode: 'requested' } })
    const agreed = await shownOf(bodyOf(quiz, 'camille@exemple.fr'))
    assert.deepEqual(agreed.brevo, [
      'Le champ « RESULTAT_QUIZ » serait d’abord créé dans Brevo.',
      1,
    ])
    await sendParameters(quiz)
    await mapFields(creator, quiz)
    assert.deepEqual((await shownOf(bodyOf(quiz, 'camille@exemple.fr'))).brevo, [
      'Les champs « RESULTAT_QUIZ », « UTM_SOURCE », « AGENDA », « POINTS » seraient d’abord créés dans Brevo, s’ils n’y sont pas.',
      1,
    ])

    const [webhook] = (await creator.client.webhooks.list({ id: quiz.id })).webhooks
    const at = { id: quiz.id, webhookId: webhook?.id ?? '' }
    await creator.client.webhooks.update({ ...at, body: { is_paused: true } })
    const paused = await shownOf(bodyOf(quiz, 'camille@exemple.fr'))
    assert.deepEqual(paused.webhook, ['L’envoi attendrait : ce webhook est en pause.', 1])
    await app.db
      .updateTable('integration_connections')
      .set({ status: 'needs_attention' })
      .where('user_id', '=', creator.user_id)
      .execute()
    const held = await shownOf(bodyOf(quiz, 'camille@exemple.fr'))
    assert.deepEqual(held.brevo, ['L’envoi attendrait que Brevo soit reconnecté.', 1])
  })

  test('trial runs are listed newest first, only for the creator', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator)
    const ids = []
    for (const email of ['une@exemple.fr', 'deux@exemple.fr'])
      ids.unshift((await takeAsTest(creator, quiz, bodyOf(quiz, email))).runId)
    const { runs } = await creator.client.trialRuns.list({ id: quiz.id })
    assert.deepEqual(
      runs.map(({ id, result_name }) => [id, result_name]),
      ids.map((id) => [id, 'Grand saut']),
    )
    const stranger = await app.signUp()
    const at = { id: quiz.id, runId: ids[0] ?? '' }
    await assert.rejects(stranger.client.trialRuns.list({ id: quiz.id }), { status: 404 })
    await assert.rejects(stranger.client.trialRuns.get(at), { status: 404 })
    await assert.rejects(creator.client.trialRuns.get({ ...at, runId: randomUUID() }), {
      status: 404,
      message: 'Réponse de test introuvable',
    })
  })
})
