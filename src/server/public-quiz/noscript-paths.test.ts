import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { publishPathQuiz } from '#server/testing/quizzes/path-quiz.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

/** Runs without scripts whose answers skip pages, and the pages that their visits count. */

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()
const quiz = await publishPathQuiz(client)
const { id, way, on, past, out, several, a, b, c, mail, scale } = quiz

const nbStored = async () => (await client.quizzes.get({ id })).quiz.nb_responses
const storedOf = async (participant_uuid: string) => {
  const { rows } = await app.pool.query<{ choices: (number | null)[]; texts: string[] }>(
    'select choices, texts from responses where quiz_id = $1 and participant_uuid = $2',
    [id, participant_uuid],
  )
  return rows[0]
}

type Fields = [name: string, value: string][]
const post = (url: string, fields: Fields) =>
  app.raw({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
type Answered = Awaited<ReturnType<typeof post>>
const attribute = (text: string): string => text.replaceAll('&amp;', '&')
const hiddenOf = ({ body }: Answered): Fields =>
  Array.from(
    body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]+)"\/>/g),
    ([, name = '', value = '']): [string, string] => [name, value],
  )
const nextOf = ({ body }: Answered): string =>
  attribute(/<form[^>]* action="([^"]*)"/.exec(body)?.[1] ?? '')
const backOf = ({ body }: Answered): string =>
  attribute(/formaction="([^"]*)"/i.exec(body)?.[1] ?? '')
const locationOf = ({ headers }: Answered) => String(headers.location)
const FIRST = `/q/${id}?version=1&page=1`

describe('the path of a run without scripts', () => {
  test('a run without scripts follows its path forward and back, and keeps the replies of all pages', async () => {
    const third = await post(FIRST, [[way, past]])
    assert.match(third.body, /Combien/)
    assert.match(backOf(third), /&page=0$/)
    const first = await post(backOf(third), [...hiddenOf(third), [scale, '4']])
    assert.match(first.body, new RegExp(`checked="" value="${past}"`))

    const second = await post(nextOf(first), [...hiddenOf(first), [way, on]])
    assert.match(second.body, /Lesquels/)
    const given: Fields = [
      [several, a],
      [several, 'other:'],
      [`${several}.other`, 'Un kayak'],
      [mail, 'ada@exemple.fr'],
    ]
    const last = await post(nextOf(second), [...hiddenOf(second), ...given])
    assert.match(last.body, /Combien/)
    assert.match(backOf(last), /&page=1$/)
    const fields: Fields = [...hiddenOf(last), [scale, '5']]
    const sent = await post(nextOf(last), fields)
    assert.equal(sent.statusCode, 303)
    assert.match((await app.raw({ url: locationOf(sent) })).body, /<h1[^>]*>Haut<\/h1>/)
    const participant = fields.find(([name]) => name === 'participant_uuid')?.[1] ?? ''
    const stored = await storedOf(participant)
    assert.deepEqual(stored?.choices, [0, 0, 3, null, 5])
    assert.deepEqual(stored?.texts, ['Un kayak', 'ada@exemple.fr'])
  })

  test('a run without scripts ends after an answer that leads to the end, also on the first page', async () => {
    const before = await nbStored()
    const fields: Fields = [[way, out]]
    const again = await post(FIRST, fields)
    assert.equal(again.statusCode, 307)
    assert.match(locationOf(again), /\/resultat\?/)
    const sent = await post(locationOf(again), fields)
    assert.equal(sent.statusCode, 303)
    assert.match((await app.raw({ url: locationOf(sent) })).body, /<h1[^>]*>Bas<\/h1>/)
    assert.equal(await nbStored(), before + 1)
  })

  test('a run without scripts returns to the page of an invalid reply with an explanation', async () => {
    const wrong: [Fields, RegExp][] = [
      [
        [
          [several, a],
          [several, b],
          [several, c],
          [mail, 'x'],
        ],
        /role="alert">La question (?:&quot;|")Lesquels\s\?(?:&quot;|") accepte au plus 2 réponses\. <a href="#q-/,
      ],
      [[[several, a]], /role="alert">Une question est sans réponse/],
    ]
    for (const [fields, words] of wrong) {
      const turned = await post(`/q/${id}?version=1&page=2`, [[way, on], ...fields])
      assert.equal(turned.statusCode, 422)
      assert.match(turned.body, words)
      assert.match(turned.body, /Lesquels/)
    }
    const scaled = await post(
      `/q/${id}/resultat?version=1&participant=${randomUUID()}&secret=secret-of-a-run-in-a-test`,
      [
        [way, past],
        [scale, '9'],
      ],
    )
    assert.equal(scaled.statusCode, 422)
    assert.match(scaled.body, /Combien.* attend un nombre entier de 1 à 5/s)
    const passed = await post(
      `/q/${id}/resultat?version=1&participant=${randomUUID()}&secret=secret-of-a-run-in-a-test`,
      [
        [way, past],
        [several, 'zut'],
      ],
    )
    assert.equal(passed.statusCode, 303)
  })
})

describe('visits without scripts', () => {
  const stepsOf = async (quiz_id: string) => {
    const { rows } = await app.pool.query<{ step: number; count: string }>(
      'select step, sum(count) as count from visit_counts where quiz_id = $1 group by 1 order by 1',
      [quiz_id],
    )
    return rows.map(({ step, count }) => [step, Number(count)])
  }
  /** Reads the counts after the counts in memory are written. */
  const settled = async (quiz_id: string, expected: number[][]) => {
    for (let tries = 0; tries < 100; tries++) {
      if (JSON.stringify(await stepsOf(quiz_id)) === JSON.stringify(expected)) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    assert.deepEqual(await stepsOf(quiz_id), expected)
  }

  testInAll('visits count each passed page once, also if the visitor goes back', async () => {
    const own = await publishPathQuiz(client)
    const first = `/q/${own.id}?version=1&page=1`
    const third = await post(first, [[own.way, own.past]])
    assert.match(nextOf(third), /&step=4&left_out=3$/)
    await settled(own.id, [
      [1, 1],
      [2, 1],
      [4, 1],
    ])
    const back = await post(backOf(third), hiddenOf(third))
    const second = await post(nextOf(back), [...hiddenOf(back), [own.way, own.on]])
    const whole: Fields = [
      [own.mail, 'x'],
      [own.scale, '1'],
    ]
    await post(nextOf(second), [...hiddenOf(second), ...whole])
    await settled(own.id, [
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
    ])
    const ended = `/q/${own.id}/resultat?version=1&participant=${randomUUID()}&secret=secret-of-a-run-in-a-test`
    assert.equal((await post(ended, [[own.way, own.out]])).statusCode, 303)
    await settled(own.id, [
      [1, 2],
      [2, 2],
      [3, 1],
      [4, 1],
    ])
  })

  test('visits that a page reports do not count skipped pages', async () => {
    const own = await publishPathQuiz(client)
    const reportVisit = async (path: string) =>
      (await app.raw({ method: 'POST', url: `/q/${own.id}/visite/1/${path}` })).statusCode
    assert.equal(await reportVisit('0/4?left_out=3'), 204)
    assert.equal(await reportVisit('2/3'), 204)
    assert.equal(await reportVisit('0/2?left_out=x'), 204)
    await settled(own.id, [
      [1, 2],
      [2, 2],
      [3, 1],
      [4, 1],
    ])
  })
})
