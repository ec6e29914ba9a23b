import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { createAuthClients, getAuthError } from '#server/testing/people/auth-clients.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
const { signUpInTab, signInInTab } = createAuthClients(origin)

const call = async (token: string, method: 'GET' | 'POST', path: string, body?: object) => {
  const headers = { authorization: `Bearer ${token}` }
  return app.raw({ method, url: `/api/v1${path}`, headers, ...(body && { body }) })
}

test('a creator sees all their own sessions and which one is current', async () => {
  const { account, session } = await signUpInTab()
  const other = await signInInTab(account)
  const listed = await call(session.access_token, 'GET', '/account/sessions')
  const { sessions } = listed.json<{ sessions: { is_current: boolean; user_agent: string }[] }>()
  assert.deepEqual(sessions.map(({ is_current }) => is_current).sort(), [false, true])
  assert.ok(sessions.every(({ user_agent }) => user_agent === 'node'))

  assert.equal((await other.client.signOut({ scope: 'others' })).error, null)
  const left = await call(other.session.access_token, 'GET', '/account/sessions')
  assert.equal(left.json<{ sessions: unknown[] }>().sessions.length, 1)
  assert.equal((await call(session.access_token, 'GET', '/account/sessions')).statusCode, 401)
})

test('the export contains everything of the creator and nothing of other creators', async () => {
  const creator = await app.signUp()
  const stranger = await app.signUp()
  const quiz = await publishedScoreQuiz(creator.client, 'Le mien')
  const foreign = await publishedScoreQuiz(stranger.client, 'Le sien')
  const submit = (of: typeof quiz, email: string) =>
    app.client.publicQuiz.submit({
      id: of.id,
      body: { answers: { [of.question_id]: of.answer_ids[1] ?? '', [of.open_id]: email }, email },
    })
  await submit(quiz, 'participante@exemple.fr')
  await submit(foreign, 'etrangere@exemple.fr')

  const { link } = await creator.client.statisticsLinks.create({ id: quiz.id })
  const { url } = await creator.client.trialRuns.link({ id: quiz.id })
  const { participant_uuid: trial_run_id } = await app.client.trialRuns.submit({
    id: quiz.id,
    token: new URL(url).searchParams.get('test') ?? '',
    body: {
      answers: { [quiz.question_id]: quiz.answer_ids[1] ?? '', [quiz.open_id]: 'essai@y.fr' },
    },
  })

  const exported = await creator.client.account.exportData()
  assert.deepEqual(exported.statistics_links, [
    { quiz_id: quiz.id, created_at: link.created_at, opened_on: null },
  ])
  assert.deepEqual(
    exported.trial_responses.map(({ id }) => id),
    [trial_run_id],
  )
  assert.equal(exported.account?.email, creator.email)
  assert.deepEqual(
    exported.quizzes.map(({ name }) => name),
    ['Le mien'],
  )
  assert.deepEqual(
    exported.responses.map(({ email, final_result_name, answers }) => ({
      email,
      final_result_name,
      answers,
    })),
    [
      {
        email: 'participante@exemple.fr',
        final_result_name: 'Grand saut',
        answers: [
          { question_text: 'Votre agenda ?', answer_text: 'Libre', choices: ['Libre'] },
          {
            question_text: 'Où vous écrire ?',
            answer_text: 'participante@exemple.fr',
            choices: [],
          },
        ],
      },
    ],
  )
  const counts = [exported.questions, exported.answers, exported.results, exported.versions]
  assert.deepEqual(
    counts.map(({ length }) => length),
    [2, 2, 2, 1],
  )
  assert.deepEqual([exported.sessions.length, exported.identities.length], [1, 1])
  const text = JSON.stringify(exported)
  for (const secret of [
    'argon2',
    'encrypted_password',
    link.token,
    stranger.email,
    'etrangere',
    foreign.id,
  ])
    assert.ok(!text.includes(secret), secret)
})

test('the export lists second factors without their secrets, and the days of known networks', async () => {
  const { client, session, user } = await signUpInTab()
  const { data, error } = await client.mfa.enroll({
    factorType: 'totp',
    friendlyName: 'Mon téléphone',
  })
  assert.equal(error, null)
  await app.db
    .insertInto('known_networks')
    .values({ user_id: user.id, network_hash: Buffer.from('network') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

  const reply = await call(session.access_token, 'GET', '/account/export')
  const { factors, known_networks } = reply.json<Record<string, Record<string, unknown>[]>>()
  assert.deepEqual(
    factors?.map(({ factor_type, status, friendly_name, phone }) => [
      ...[factor_type, status, friendly_name, phone],
    ]),
    [['totp', 'unverified', 'Mon téléphone', null]],
  )
  for (const network of known_networks ?? []) assert.deepEqual(Object.keys(network), ['seen_at'])
  assert.ok((known_networks?.length ?? 0) > 0)
  const secret = data?.type === 'totp' ? data.totp.secret : undefined
  assert.ok(secret)
  for (const text of [secret, 'sealed_secret', 'network_hash'])
    assert.ok(!reply.body.includes(text), text)
})

test('every page of responses is exported once', async () => {
  const { client } = await app.signUp()
  const { id } = await publishedScoreQuiz(client)
  await app.pool.query(
    `insert into responses (quiz_id, participant_uuid, version, result_position, choices, texts)
     select $1, gen_random_uuid(), 1, 0, '{0}', '{x}' from generate_series(1, 2500)`,
    [id],
  )
  const { responses } = await client.account.exportData()
  assert.equal(new Set(responses.map(({ participant_uuid }) => participant_uuid)).size, 2500)
})

test('deleting an account deletes all its content and no content of other accounts', async () => {
  const { client, account, session, user } = await signUpInTab()
  const owner = await signInInTab(account)
  const { client: mine } = await app.signUp()
  const page = await publishedScoreQuiz(mine)
  assert.equal((await app.client.publicQuiz.snapshot({ id: page.id })).snapshot.version, 1)
  await mine.account.remove({ body: { confirmation: 'SUPPRIMER' } })
  await refuses(app.client.publicQuiz.snapshot({ id: page.id }), 404, 'not_found')

  const kept = await app.signUp()
  const keptQuiz = await publishedScoreQuiz(kept.client)

  const refused = await call(session.access_token, 'POST', '/account/delete', {
    confirmation: 'supprimer',
  })
  assert.equal(refused.statusCode, 422)
  const done = await call(session.access_token, 'POST', '/account/delete', {
    confirmation: 'SUPPRIMER',
  })
  assert.equal(done.statusCode, 204, done.body)

  for (const table of ['identities', 'sessions', 'one_time_tokens'] as const) {
    const rows = await app.db
      .selectFrom(table)
      .select('user_id')
      .where('user_id', '=', user.id)
      .execute()
    assert.deepEqual(rows, [], table)
  }
  const quizzes = await app.db.selectFrom('quizzes').select(['id', 'creator_id']).execute()
  assert.ok(quizzes.every(({ creator_id }) => creator_id !== user.id))
  assert.ok(quizzes.some(({ id }) => id === keptQuiz.id))
  for (const token of [session.access_token, owner.session.access_token])
    assert.equal((await call(token, 'GET', '/quizzes')).statusCode, 401)
  assert.deepEqual(await getAuthError(client.signInWithPassword(account)), [
    400,
    'invalid_credentials',
  ])
})
