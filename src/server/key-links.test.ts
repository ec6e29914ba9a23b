import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Endpoint, keyScopeOf } from '#contract/kit/endpoint.ts'
import type { KeyScope } from '#domain/accounts/api-key.ts'
import { MAPPING_SOURCES } from '#domain/deliveries/field-mappings.ts'
import { createConfirmationLinks } from '#server/confirmations/confirmation-links.ts'
import { createUnsubscribeLinks } from '#server/quiz-mails/unsubscribe.ts'
import { createReportLinks } from '#server/reports/report-links.ts'
import { findRun } from '#server/reports/reports.store.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { callUrl, contractCalls, validBodies } from '#server/testing/app/contract-calls.ts'
import { keepPages } from '#server/testing/app/own-pages.ts'
import {
  publishReportQuiz,
  type ReportQuiz,
  submitToReportQuiz,
} from '#server/testing/quizzes/report-quiz.ts'

// Runs in test:all, because it creates a quiz with documents for each call of the contract.

const app = await createBuiltApp()
after(() => app.close())
const { client, user_id } = await app.signUp()
const secretKey = app.config.secret_key ?? ''
const EMAIL = 'camille@exemple.fr'
/** Id that `callUrl` puts in place of a participant. */
const NO_PARTICIPANT = '33333333-3333-4333-8333-333333333333'

type Scene = { quiz: ReportQuiz; participant_uuid: string; tokens: string[] }

const keys: Partial<Record<KeyScope, string>> = {}
const unsubscribe = createUnsubscribeLinks(secretKey, '', async () => [])
const documents = createReportLinks(secretKey, async () => [])
const confirmations = createConfirmationLinks(secretKey, '', async () => [])

/** Publishes a quiz that gives every kind of link, and returns the tokens of its participant. */
const createScene = async (): Promise<Scene> => {
  const quiz = await publishReportQuiz(client)
  await keepPages(client, quiz)
  const { participant_uuid } = await submitToReportQuiz(app.client, quiz, { email: EMAIL })
  const run = await findRun(app.db, { quiz_id: quiz.id, participant_uuid })
  assert.ok(run)
  const { report, certificate, own_page } = documents.of(run, run, { keeps_page: true }) ?? {}
  const confirmation = confirmations.write({ quiz_id: quiz.id, participant_uuid })
  const unsubscription = unsubscribe.write({ user_id, email: EMAIL })
  const links = [report, certificate, own_page, confirmation, unsubscription]
  const tokens = links.map((link) => link?.split('/').at(-1) ?? '')
  assert.ok(tokens.every((token) => token.length > 40))
  return { quiz, participant_uuid, tokens }
}

const callWithKey = (endpoint: Endpoint, url: string, body?: unknown) =>
  app.raw({
    method: endpoint.method,
    url,
    headers: { authorization: `Bearer ${keys[keyScopeOf(endpoint) ?? 'écriture']}` },
    ...(body === undefined ? {} : { body: body as object }),
  })

/** Pages of a participant that a link opens. */
const LINKED_PAGES = ['rapport', 'attestation', 'ma-page', 'confirmation']
const LINK_PATHS = /\/(rapport|attestation|ma-page|confirmation|desinscription)\/[\w-]{20,}/
const answers: string[] = []
/** Searches an answer for links of participants, and keeps it for `texts found in answers open nothing`. */
const search = (name: string, body: string, { tokens }: Scene): void => {
  assert.doesNotMatch(body, LINK_PATHS, name)
  for (const token of tokens) assert.ok(!body.includes(token), `${name} has a token`)
  answers.push(body)
}

let scene: Scene
before(async () => {
  for (const scope of ['lecture', 'écriture'] as const) {
    const body = { name: scope, scope, expires_in_days: null }
    keys[scope] = (await client.apiKeys.create({ body })).secret
  }
  scene = await createScene()
})

describe('calls with keys', () => {
  const withKeys = contractCalls.filter(([, endpoint]) => keyScopeOf(endpoint))
  const urlsOf = (endpoint: Endpoint, { quiz, participant_uuid }: Scene): string[] => {
    const url = callUrl(endpoint, quiz).replaceAll(NO_PARTICIPANT, participant_uuid)
    if (!url.includes('/dry-run')) return [url]
    const [path] = url.split('?')
    const sources = MAPPING_SOURCES.map(
      (source) => `${path}?source=${source}&question_id=${quiz.question_id}`,
    )
    return [url, ...sources]
  }

  test('no answer to a reading key contains a link of a participant', async () => {
    let nb_answered = 0
    for (const [name, endpoint] of withKeys.filter(([, { method }]) => method === 'GET'))
      for (const url of urlsOf(endpoint, scene)) {
        const { statusCode, body } = await callWithKey(endpoint, url)
        if (statusCode === 200) nb_answered++
        search(name, body, scene)
      }
    assert.ok(nb_answered > 25, `${nb_answered} calls were answered`)
  })

  test('no answer to a writing key contains a link of a participant, and no file that it orders', async () => {
    let nb_answered = 0
    for (const [name, endpoint] of withKeys.filter(([, { method }]) => method !== 'GET')) {
      const own = endpoint.path.includes('{id}') ? await createScene() : scene
      const body = validBodies(own.quiz)[name]
      for (const url of urlsOf(endpoint, own)) {
        const reply = await callWithKey(endpoint, url, body)
        if (reply.statusCode < 300) nb_answered++
        search(name, reply.body, own)
      }
    }
    assert.ok(nb_answered > 25, `${nb_answered} calls were answered`)
    for (const format of ['csv', 'json', 'csv_excel'] as const) {
      const ordered = await app.raw({
        method: 'POST',
        url: `/api/v1/quizzes/${scene.quiz.id}/exports`,
        headers: { authorization: `Bearer ${keys.lecture}` },
        body: { format, choices: 'joined' },
      })
      const { body } = await app.raw({ method: 'GET', url: ordered.json().url })
      assert.ok(body.includes(EMAIL), format)
      search(`a file (${format})`, body, scene)
    }
  })

  test('texts found in answers open nothing of a participant', async () => {
    const { quiz, participant_uuid } = scene
    const texts = new Set(answers.flatMap((body) => body.match(/[\w-]{20,}/g) ?? []))
    assert.ok(texts.has(participant_uuid), 'keys may read the ids of participants')
    const replies = { [quiz.question_id]: quiz.answer_ids[1] ?? '', [quiz.open_id]: 'x@y.fr' }
    const submit = (body: object) => app.client.publicQuiz.submit({ id: quiz.id, body } as never)
    assert.deepEqual(Object.keys(await submit({ answers: replies, participant_uuid })), [
      'participant_uuid',
      'result',
    ])
    for (const text of texts) {
      if (text.length < 128) {
        const claimed = { answers: replies, participant_uuid, run_secret: text.padEnd(22, '-') }
        const repeated = (await submit(claimed)) as { documents?: object }
        assert.equal(repeated.documents, undefined, text)
      }
      for (const path of [...LINKED_PAGES, 'resultat?participant=']) {
        const url = `/q/${quiz.id}/${path}${path.endsWith('=') ? '' : '/'}${text}`
        for (const more of path.endsWith('=') ? ['', `&secret=${text}`] : ['']) {
          const { statusCode } = await app.raw({ method: 'GET', url: url + more })
          assert.notEqual(statusCode, 200, url + more)
        }
      }
      const { body } = await app.raw({ method: 'GET', url: `/desinscription/${text}` })
      assert.doesNotMatch(body, /Ne plus recevoir/, text)
    }
  })
})
