import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { refusalOf, refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()

const quizWith = async (parameters: string[]): Promise<SampleQuiz> => {
  const quiz = await publishedScoreQuiz(client)
  await client.quizzes.update({ id: quiz.id, body: { parameters } })
  return quiz
}
const answersOf = ({ question_id, answer_ids, open_id }: SampleQuiz) => ({
  [question_id]: answer_ids[0] ?? '',
  [open_id]: 'ada@exemple.fr',
})
type Given = string | Record<string, string> | null
const come = (quiz: SampleQuiz, parameters: Given) =>
  app.client.publicQuiz.submit({ id: quiz.id, body: { answers: answersOf(quiz), parameters } })
const storedOf = async ({ id }: SampleQuiz): Promise<Record<string, string>[]> => {
  const { details } = await client.statistics.responses({ id })
  return details.map(({ parameters }) => parameters).reverse()
}

describe('the declared parameter names of a quiz', () => {
  test('declared parameter names apply immediately and are not a change of the draft', async () => {
    const quiz = await quizWith(['ref'])
    const { has_unpublished_changes } = await client.quizzes.hasChanges({ id: quiz.id })
    assert.equal(has_unpublished_changes, false)
    await come(quiz, { ref: 'a', parrain: 'b', utm_source: 'lettre' })
    await client.quizzes.update({ id: quiz.id, body: { parameters: ['parrain'] } })
    await come(quiz, { ref: 'a', parrain: 'b' })
    assert.deepEqual(await storedOf(quiz), [{ utm_source: 'lettre', ref: 'a' }, { parrain: 'b' }])
    assert.deepEqual((await client.quizzes.get({ id: quiz.id })).quiz.parameters, ['parrain'])
    const copy = await client.quizzes.duplicate({ id: quiz.id })
    assert.deepEqual(copy.quiz.parameters, [])
  })

  test('declared parameter names are part of the exported text', async () => {
    const quiz = await quizWith(['ref', 'parrain'])
    const text = await client.quizzes.text({ id: quiz.id })
    assert.match(text, /^Paramètres : ref, parrain$/m)
    const copy = await client.quizzes.importText({ body: { text } })
    assert.deepEqual(copy.quiz.parameters, ['ref', 'parrain'])
  })

  const REFUSED: [string[], RegExp][] = [
    [Array.from({ length: 11 }, (_, rank) => `p${rank}`), /10 paramètres au plus/],
    [['ref', 'ref'], /« ref » est déjà dans la liste/],
    [['Réf'], /lettres minuscules/],
    [['x'.repeat(41)], /De 1 à 40 caractères/],
    [['utm_source'], /sans être déclarés/],
    [['__proto__'], /réservé/],
  ]
  for (const [parameters, said] of REFUSED)
    test(`declared parameter names are refused in French: ${parameters.join(', ').slice(0, 30)}`, async () => {
      const quiz = await quizWith(['ref'])
      const refusal = await refusalOf(
        client.quizzes.update({ id: quiz.id, body: { parameters, name: 'Autre' } }),
      )
      assert.equal(refusal.status, 422)
      assert.match(refusal.message, said)
      const { quiz: after } = await client.quizzes.get({ id: quiz.id })
      assert.deepEqual([after.parameters, after.name], [['ref'], 'Quel rythme ?'])
    })

  test('another creator can neither read nor write the declared parameter names', async () => {
    const quiz = await quizWith(['ref'])
    const other = await app.signUp()
    const body = { parameters: ['autre'] }
    await refuses(other.client.quizzes.update({ id: quiz.id, body }), 404, 'not_found')
    assert.deepEqual((await client.quizzes.get({ id: quiz.id })).quiz.parameters, ['ref'])
  })
})

describe('the parameters of a participant', () => {
  const CASES: [Given, Record<string, string>][] = [
    [null, {}],
    ['', {}],
    ['?', {}],
    [
      '?utm_source=lettre&utm_medium=e-mail&ref=a%20b&x=1',
      { utm_source: 'lettre', utm_medium: 'e-mail', ref: 'a b' },
    ],
    ['?ref=un&ref=deux', { ref: 'deux' }],
    [`?ref=${'é'.repeat(201)}`, { ref: 'é'.repeat(200) }],
    ['?ref=%00&utm_term=a%0Ab%1B', { utm_term: 'a b' }],
    ['?ref=%F0%9F&__proto__=x&constructor=y&ref[a]=z', { ref: '%F0%9F' }],
    [`?ref=ok&long=${'x'.repeat(20_000)}`, { ref: 'ok' }],
    [{ ref: '\u0007cloche', utm_source: ' ' }, { ref: 'cloche' }],
    [{ ref: '\'; drop table responses; --"\\{}' }, { ref: '\'; drop table responses; --"\\{}' }],
  ]
  test('the parameters of a participant are stored, whatever their values', async () => {
    const quiz = await quizWith(['ref'])
    for (const [given] of CASES) await come(quiz, given)
    assert.deepEqual(
      await storedOf(quiz),
      CASES.map(([, stored]) => stored),
    )
    const { rows } = await app.pool.query(
      'select 1 from responses where quiz_id = $1 and parameters is null',
      [quiz.id],
    )
    assert.equal(rows.length, 3)
  })

  test('the parameters of a participant are refused only for a wrong JSON type', async () => {
    const quiz = await quizWith(['ref'])
    for (const parameters of [1, ['ref'], { ref: 1 }, { ref: { a: 'b' } }]) {
      const url = `/api/v1/quizzes/${quiz.id}/submit`
      const body = { answers: answersOf(quiz), parameters }
      assert.equal((await app.raw({ method: 'POST', url, body })).statusCode, 422)
    }
    assert.deepEqual(await storedOf(quiz), [])
  })

  test('the parameters of participants are stored in batches of several quizzes, with a limit or without', async () => {
    const quizzes = [await quizWith(['ref']), await quizWith([])]
    const [limited] = quizzes
    await client.quizzes.update({ id: limited?.id ?? '', body: { max_responses: 1_000 } })
    await Promise.all(
      quizzes.flatMap((quiz) =>
        Array.from({ length: 30 }, (_, rank) =>
          come(quiz, rank % 3 === 0 ? null : `?utm_source=s${rank % 5}&ref=r${rank}`),
        ),
      ),
    )
    for (const [index, quiz] of quizzes.entries()) {
      const stored = await storedOf(quiz)
      assert.equal(stored.filter(({ utm_source }) => utm_source).length, 20)
      assert.equal(stored.filter(({ ref }) => ref).length, index === 0 ? 20 : 0)
    }
  })

  test('the parameters of a participant are deleted with the participant, also from the account export', async () => {
    const quiz = await quizWith(['ref'])
    await come(quiz, { ref: 'une-seule-fois' })
    const { responses } = await client.account.exportData()
    assert.ok(JSON.stringify(responses).includes('une-seule-fois'))
    const { responses: own } = await client.participants.ofPerson({
      body: { email: 'ada@exemple.fr' },
    })
    assert.ok(own.some(({ parameters }) => parameters.ref === 'une-seule-fois'))
    await client.participants.removePerson({ body: { email: 'ada@exemple.fr' } })
    for (const table of ['responses', 'parameter_counts']) {
      const { rows } = await app.pool.query(`select t::text as row from ${table} as t`)
      assert.ok(!JSON.stringify(rows).includes('une-seule-fois'), table)
    }
  })
})

describe('parameters without scripts', () => {
  const post = (url: string, fields: Record<string, string>, referer?: string) =>
    postForm(app.app, { url, fields, headers: referer === undefined ? {} : { referer } })
  const page = (path: string) => `http://localhost${path}`
  const hiddenOf = (body: string): Record<string, string> =>
    Object.fromEntries(
      [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    )
  /** Returns the action of a page's form or of its back button. */
  const wayOf = (body: string, attribute: 'action' | 'formAction'): string => {
    const [, address = ''] = new RegExp(` ${attribute}="([^"]*)"`).exec(body) ?? []
    return address.replaceAll('&amp;', '&')
  }

  test('the referrer of the first page gives the parameters, and later addresses contain them', async () => {
    const quiz = await quizWith(['ref', 'page'])
    const choice = { [quiz.question_id]: quiz.answer_ids[0] ?? '' }
    const first = `/q/${quiz.id}?utm_source=lettre%20%22%3C&ref=a&x=1`
    const second = await post(`/q/${quiz.id}?version=1&page=1`, choice, page(first))
    const here = wayOf(second.body, 'action')
    const back = await post(wayOf(second.body, 'formAction'), hiddenOf(second.body), page(here))
    const again = await post(wayOf(back.body, 'action'), choice, page(here))
    const all = { ...hiddenOf(again.body), ...choice, [quiz.open_id]: 'x@y.fr' }
    const end = await post(wayOf(again.body, 'action'), all, page(here))
    assert.equal(end.statusCode, 303)
    assert.deepEqual(await storedOf(quiz), [{ utm_source: 'lettre "<', ref: 'a' }])
  })

  test('a quiz with one page keeps the parameters in the repeated post', async () => {
    const quiz = await quizWith(['ref'])
    const first = await post(
      `/q/${quiz.id}/resultat?version=1`,
      answersOf(quiz),
      page(`/q/mon-quiz?ref=a`),
    )
    assert.equal(first.statusCode, 307)
    const end = await post(String(first.headers.location), answersOf(quiz), 'http://localhost/')
    assert.equal(end.statusCode, 303)
    assert.deepEqual(await storedOf(quiz), [{ ref: 'a' }])
  })

  test('a referrer without parameters, or of another page, gives no parameters', async () => {
    const quiz = await quizWith(['ref', 'page'])
    const all = answersOf(quiz)
    for (const from of [undefined, page('/q/x'), page('/autre?ref=a'), 'non ?ref=a']) {
      const second = await post(`/q/${quiz.id}?version=1&page=1`, all, from)
      const end = wayOf(second.body, 'action')
      await post(end, { ...hiddenOf(second.body), ...all }, page(`/q/${quiz.id}?page=2`))
    }
    assert.deepEqual(await storedOf(quiz), [{}, {}, {}, {}])
  })
})
