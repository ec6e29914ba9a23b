import { randomUUID } from 'node:crypto'
import { routeUrl } from '#server/http/edge/mount.ts'
import { contractCalls, validBodies } from '#server/testing/app/contract-calls.ts'
import { createInvitation } from '#server/testing/app/link-call-urls.ts'
import type { TestApp } from '#server/testing/app/test-app.ts'
import { fillRoute, type Person, requiredQuery } from '#server/testing/ownership/person.ts'
import { createTextBody } from '#server/testing/quizzes/accepted-bodies.ts'
import { type FillText, generate, querySchemaOf } from '#server/testing/quizzes/largest-input.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createPlainFile } from './every-text-quiz.ts'
import { readRefusal } from './problems.ts'
import { pathsOf, putTexts } from './put-text.ts'
import { type Row, type SentTexts, type StoredRowsGuard, sendTexts } from './send-texts.ts'
import { type TextField, textFieldsOf } from './text-fields.ts'

type Call = (typeof contractCalls)[number]

/** Letters of a text, so that a person could type it. */
const LETTERS = { of_short_field: 60, of_long_field: 120, long_field: 1_000 }
const QUERY_LETTERS = 2_000

/** Returns texts of a shape with lengths that people type. */
export const fillOf =
  (make: (length: number) => string): FillText =>
  (length) => {
    const isLong = length >= LETTERS.long_field
    const letters = isLong ? LETTERS.of_long_field : LETTERS.of_short_field
    return make(Math.min(length, letters)) || 'a'
  }

/** Calls of visitors, which later calls close, and calls that replace rows by new ones. */
const FIRST_CALLS = [
  ...['publicQuiz.submit', 'trialRuns.submit'],
  ...['campaigns.create', 'invitedRuns.submit'],
]
const LAST_CALLS = ['questions.saveAnswers', 'questions.saveDraft', 'results.saveAll']
/** Deletes the account. */
const EXCLUDED_CALLS = ['account.remove']

/** Calls that store each wrong code, because the number of tries is limited. */
const COUNTING_CALLS = ['mailSender.confirmAddress']

const orderOf = ([name]: Call): number =>
  FIRST_CALLS.includes(name) ? -1 : LAST_CALLS.indexOf(name) + 1

/** Calls with a text in their input, in the order in which they are sent. */
export const callsWithTexts: readonly Call[] = contractCalls
  .filter((call) => !EXCLUDED_CALLS.includes(call[0]) && textFieldsOf(call).length > 0)
  .toSorted((a, b) => orderOf(a) - orderOf(b))

const MARKER = 'texte repéré'
const ANY_QUIZ: SampleQuiz = {
  id: randomUUID(),
  question_id: randomUUID(),
  open_id: randomUUID(),
  answer_ids: [randomUUID(), randomUUID()],
  result_ids: [randomUUID(), randomUUID()],
}
/** Picture of one pixel. */
const PICTURE = {
  id: 'picture',
  type: 'image/gif',
  data: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
}

/** Returns a valid body of a call, with rows for all texts of a quiz file. */
const validBodyOf = ([name]: Call, quiz: SampleQuiz): unknown =>
  name === 'quizFiles.read'
    ? { ...createPlainFile(), pictures: [PICTURE] }
    : validBodies(quiz)[name]

const createBody = (call: Call, quiz: SampleQuiz, fill: FillText): Row =>
  createTextBody(call, { quiz, valid: validBodies(quiz)[call[0]], fill }) as Row

/** Returns a query with a text in every field, without other values. */
const createQuery = (call: Call, fill: FillText): Row => {
  const schema = querySchemaOf(call[1])
  if (!schema) return {}
  const values = generate(schema, QUERY_LETTERS, fill).value as Row
  const texts = textFieldsOf(call).filter(({ part }) => part === 'query')
  return Object.fromEntries(texts.map(({ path }) => [path, values[path]]))
}

/**
 * Returns the text fields of a call that no input with a text in every field has: ids, texts with a pattern, and replies.
 * Each of them is sent alone.
 */
const listFieldsSentAlone = (call: Call): TextField[] => {
  const paths = {
    body: pathsOf(
      createBody(call, ANY_QUIZ, () => MARKER),
      MARKER,
    ),
    query: pathsOf(
      createQuery(call, () => MARKER),
      MARKER,
    ),
  }
  return textFieldsOf(call).filter(({ part, path }) => !paths[part].includes(path))
}

const sentAlone = new Map(callsWithTexts.map((call) => [call, listFieldsSentAlone(call)]))
/** Returns the text fields of a call that are sent alone. */
export const fieldsSentAlone = (call: Call): TextField[] => sentAlone.get(call) ?? []

/** Returns a valid body with a text in one field, and whether the body has the field. */
export const createBodyWithOneText = (
  call: Call,
  { quiz, path, text }: { quiz: SampleQuiz; path: string; text: string },
): { body: Row; has_field: boolean } => {
  const body = structuredClone(validBodyOf(call, quiz)) as Row
  return { body, has_field: putTexts(body, path, () => text) > 0 }
}

/** Creates a sender of texts for a creator. The administrator sends the texts of calls for administrators. */
export const createTextCaller = async (
  app: TestApp,
  { person, administrator }: { person: Person; administrator: { access_token: string } },
  guard: StoredRowsGuard,
): Promise<(call: Call, fill: FillText) => Promise<SentTexts[]>> => {
  const { quiz, client } = person
  const { url } = await client.trialRuns.link({ id: quiz.id })
  const test_token = new URL(url).searchParams.get('test') ?? ''
  const invitation = await createInvitation(app, { quiz_id: quiz.id, creator_id: person.user_id })
  const campaign = { id: quiz.id, campaignId: person.campaign_id }
  const guardOf = ([name]: Call): StoredRowsGuard =>
    COUNTING_CALLS.includes(name) ? { ...guard, onRefused: async () => guard.onAccepted() } : guard

  const request = ([, endpoint]: Call, part: 'body' | 'query', input: Row) => {
    const route = `${endpoint.method} ${routeUrl(endpoint)}`
    const address = fillRoute(
      route.replace('/i/:token', `/i/${invitation}`).replace(':token', test_token),
      person,
    )
    const { access_token } = endpoint.access === 'administrator' ? administrator : person
    const search = new URLSearchParams(part === 'query' ? (input as Record<string, string>) : {})
    return app.raw({
      method: endpoint.method as 'GET',
      url: address + (part === 'query' ? `?${search}` : requiredQuery(route, person)),
      headers: {
        authorization: `Bearer ${access_token}`,
        ...(part === 'body' && { 'content-type': endpoint.body_types?.[0] ?? 'application/json' }),
      },
      ...(part === 'body' && { payload: JSON.stringify(input) }),
    })
  }
  const sendBody = (call: Call, fill: FillText): Promise<SentTexts> => {
    const [name, { body, body_json }] = call
    return sendTexts(name, {
      input: createBody(call, quiz, fill),
      valid: validBodies(quiz)[name],
      guard: guardOf(call),
      shape: body_json ?? body,
      send: async (input) => {
        // A save of an older revision would be refused before its texts are read.
        if (input.based_on !== undefined)
          input.based_on = (await client.drafts.get({ id: quiz.id })).revision
        // A change of another text than the stored one is refused, too.
        if (input.former_text !== undefined)
          input.former_text = (await client.evidence.get(campaign)).actions_text
        return request(call, 'body', input)
      },
    })
  }
  const sendQuery = (call: Call, fill: FillText): Promise<SentTexts> => {
    const [name, endpoint] = call
    const required = Object.fromEntries(
      new URLSearchParams(requiredQuery(`${endpoint.method} ${routeUrl(endpoint)}`, person)),
    )
    return sendTexts(`${name} with a query`, {
      guard: guardOf(call),
      input: { ...required, ...createQuery(call, fill) },
      valid: required,
      send: (input) => request(call, 'query', input),
    })
  }
  const sendAlone = async (call: Call, { path }: TextField, fill: FillText): Promise<void> => {
    const text = fill(LETTERS.long_field, 0)
    const { body } = createBodyWithOneText(call, { quiz, path, text })
    const { beforeSend, onRefused, onAccepted } = guardOf(call)
    await beforeSend()
    const what = `${call[0]} ${path}`
    if (readRefusal(await request(call, 'body', body), what)) await onRefused(what)
    else onAccepted()
  }
  return async (call, fill) => {
    for (const field of fieldsSentAlone(call)) await sendAlone(call, field, fill)
    const parts = new Set(textFieldsOf(call).map(({ part }) => part))
    return [
      ...(parts.has('body') ? [await sendBody(call, fill)] : []),
      ...(parts.has('query') ? [await sendQuery(call, fill)] : []),
    ]
  }
}
