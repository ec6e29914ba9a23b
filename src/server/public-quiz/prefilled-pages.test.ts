import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import pino from 'pino'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import {
  COMPLETE_QUERY,
  publishPrefilledSondage,
} from '#server/testing/quizzes/prefilled-sondage.ts'
import { publishSizedQuiz } from '#server/testing/quizzes/sized-quiz.ts'

const lines: string[] = []
const log = pino(new Writable({ write: (line, _, done) => done(void lines.push(`${line}`)) }))
const app = await createBuiltApp({}, { log })
after(app.close)
const { client } = await app.signUp()
const { id, questions, answers } = await publishPrefilledSondage(client)

const open = (url: string, encoding = 'identity') =>
  app.app.inject({ url, headers: { 'accept-encoding': encoding, accept: 'text/html' } })
const dataOf = (body: string): { replies: object; others: string } =>
  JSON.parse(/id="prefilled">([^<]*)</.exec(body)?.[1] ?? 'null')

const REPLIES = {
  [questions.first]: 'Zoé',
  [questions.mail]: 'zoe+test@exemple.fr',
  [questions.one]: answers.one[0],
  [questions.note]: '9',
  [questions.many]: [answers.many[0], 'other:Le reste'],
  [questions.day]: '2026-12-31',
  [questions.story]: 'Un\nmot',
}

describe('the page of a prefilled link', () => {
  test('a page without values is the same, byte for byte, whatever other parameters it has', async () => {
    const { body, headers } = await open(`/q/${id}`)
    for (const query of [
      '?utm_source=a',
      '?ref=x&q=1',
      '?nombre=2&quiz=3',
      '?noscript=1',
      '?r=1&x',
    ]) {
      const other = await open(`/q/${id}${query}`)
      assert.equal(other.body, body, query)
      assert.equal(other.headers.etag, headers.etag)
    }
    assert.ok(!body.includes('prefilled'))
  })

  test('the page has the values of its address for its script, in every encoding', async () => {
    const { body: plain } = await open(`/q/${id}?utm_source=mail&${COMPLETE_QUERY}`)
    assert.deepEqual(dataOf(plain), { replies: REPLIES, others: '?utm_source=mail' })
    const url = `/q/${id}?utm_source=mail&${COMPLETE_QUERY}`
    const br = await open(url, 'br')
    assert.equal(br.headers['content-encoding'], 'br')
    assert.equal(brotliDecompressSync(br.rawPayload).toString(), plain)
    assert.equal(gunzipSync((await open(url, 'gzip')).rawPayload).toString(), plain)
  })

  test('no cache keeps the values, and the page in memory is one for all links', async () => {
    const metric = async () =>
      /page_cache_pages (\d+)/.exec((await app.app.inject('/metrics')).body)?.[1]
    const { headers } = await open(`/q/${id}?q.1=a`)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['cdn-cache-control'], undefined)
    assert.equal(headers.etag, undefined)
    const before = await metric()
    for (let index = 0; index < 20; index++) await open(`/q/${id}?q.1=${index}&x=${index}&r=1`)
    assert.equal(await metric(), before)
  })

  test('a script or a style of the address is text', async () => {
    const attack = '</script><script>alert(1)</script><!--'
    const { body, headers } = await open(`/q/${id}?q.1=${encodeURIComponent(attack)}&x="><b>'`)
    assert.deepEqual(dataOf(body).replies, { [questions.first]: attack })
    assert.ok(!body.includes('<script>alert'))
    assert.ok(!body.includes('"><b>'))
    assert.match(String(headers['content-security-policy']), /script-src 'sha256-/)
  })

  test('a prefilled link of a slug with capitals, of a damaged address and of a frame keeps its values', async () => {
    await client.quizzes.update({ id, body: { slug: 'apres-la-formation' } })
    const { headers } = await open('/q/Apres-La-Formation.?q.1=Zo%C3%A9')
    assert.equal(headers.location, '/q/apres-la-formation?q.1=Zo%C3%A9')
    for (const damaged of ['&pr%C3%A9nom=Zo%C3%A9', '&amp;q.1=Zo%C3%A9', '%3Fprenom%3DZo%C3%A9']) {
      const { location } = (await open(`/q/apres-la-formation${damaged}`)).headers
      const { body } = await open(String(location))
      assert.deepEqual(dataOf(body).replies, { [questions.first]: 'Zoé' }, damaged)
    }
    const framed = await open(`/q/${id}?embed=1&q.1=Zo%C3%A9`)
    assert.equal(framed.headers['x-frame-options'], undefined)
    assert.deepEqual(dataOf(framed.body), {
      replies: { [questions.first]: 'Zoé' },
      others: '?embed=1',
    })
  })

  test('numbers and short names are those of the version that is shown', async () => {
    const other = await publishPrefilledSondage(client)
    const { questions } = other
    await client.questions.update({ id: questions.note, body: { label: 'avis' } })
    await client.questions.remove({ id: questions.first })
    const replies = async () =>
      dataOf((await open(`/q/${other.id}?q.1=a@b.fr&q.note=9`)).body).replies
    assert.deepEqual(await replies(), { [questions.first]: 'a@b.fr', [questions.note]: '9' })
    await client.questions.update({ id: questions.story, body: { text: 'Un mot ?' } })
    await client.quizzes.publish({ id: other.id })
    assert.deepEqual(await replies(), { [questions.mail]: 'a@b.fr' })
  })

  test('a closed quiz says so, and a trial run is filled in too', async () => {
    const other = await publishPrefilledSondage(client)
    const { url } = await client.trialRuns.link({ id: other.id })
    const { pathname, search } = new URL(url)
    const trial = await open(`${pathname}${search}&q.1=Zo%C3%A9`)
    assert.deepEqual(dataOf(trial.body), {
      replies: { [other.questions.first]: 'Zoé' },
      others: search,
    })
    assert.match(trial.body, /Mode test/)
    const form = await open(`${pathname}${search}&q.1=Zo%C3%A9&noscript=1`)
    assert.match(form.body, /value="Zoé"/)
    assert.match(form.body, /action="\/q\/[^"]*\/test\//)
    await client.quizzes.update({ id: other.id, body: { closes_at: '2020-01-01T00:00:00.000Z' } })
    assert.ok(!(await open(`/q/${other.id}?q.1=Zo%C3%A9`)).body.includes('Zoé'))
  })

  test('a prefilled link costs at most 1 KB more than the page without values', async (t) => {
    const sized = await publishSizedQuiz(client, 10)
    const page = await open(`/q/${sized}`, 'br')
    const filled = await open(
      `/q/${sized}?prenom=Marguerite&email=marguerite.dupuis@exemple.fr`,
      'br',
    )
    const more = filled.rawPayload.length - page.rawPayload.length
    t.diagnostic(`${page.rawPayload.length} bytes, with values ${more} more`)
    assert.ok(more > 0 && more <= 1_024, `${more} bytes`)
  })
})

describe('a prefilled link without scripts', () => {
  const hiddenOf = (body: string): Record<string, string> =>
    Object.fromEntries(
      [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    )

  test('the page leads to the filled form, whose replies of later pages are hidden fields', async () => {
    const { body } = await open(`/q/${id}?utm_source=mail&${COMPLETE_QUERY}`)
    const [, address = ''] = /content="0;url=([^"]*)"/.exec(body) ?? []
    const url = address.replaceAll('&amp;', '&')
    const form = await open(url)
    assert.equal(form.statusCode, 200)
    assert.equal(form.headers['cache-control'], 'private, no-cache')
    assert.match(form.body, /value="Zoé"/)
    assert.match(form.body, /value="zoe\+test@exemple.fr"/)
    assert.match(
      form.body,
      new RegExp(`value="${answers.one[0]}"[^>]*checked|checked[^>]*value="${answers.one[0]}"`),
    )
    const hidden = hiddenOf(form.body)
    assert.equal(hidden[questions.note], '9')
    assert.equal(hidden[questions.day], '2026-12-31')
    const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(form.body) ?? []
    assert.equal(
      new URL(action.replaceAll('&amp;', '&'), 'http://a').searchParams.get('came'),
      '?utm_source=mail',
    )
    assert.ok(!/step=|prenom|Zo/.test(action))
  })

  test('the values of a link that came as a referrer are no parameters of the run', async () => {
    const fields = {
      [questions.first]: 'Zoé',
      [questions.mail]: 'a@b.fr',
      [questions.one]: answers.one[0] ?? '',
    }
    const referer = `${app.config.public_url}/q/${id}?q.1=Secret&utm_source=mail&email=secret@exemple.fr`
    const page = await postForm(app.app, {
      url: `/q/${id}?version=1&page=1`,
      fields,
      headers: { referer },
    })
    assert.equal(page.statusCode, 200)
    assert.match(page.body, /came=%3Futm_source%3Dmail/)
    assert.ok(!/secret/i.test(page.body.replaceAll(RUN_SECRET, '').replaceAll('run_secret', '')))
  })
})

test('values of links are no parameters of a participant, also if the quiz declares their names', async () => {
  const other = await publishPrefilledSondage(client)
  await app.pool.query('update quizzes set parameters = $2 where id = $1', [
    other.id,
    ['email', 'ref'],
  ])
  const declared = client.quizzes.update({ id: other.id, body: { parameters: ['prenom'] } })
  await assert.rejects(declared, /réservé/)
  await client.publicQuiz.submit({
    id: other.id,
    body: {
      answers: {
        [other.questions.first]: 'A',
        [other.questions.mail]: 'a@b.fr',
        [other.questions.one]: other.answers.one[1] ?? '',
      },
      parameters: '?email=x@exemple.fr&prenom=B&q.1=C&ref=ok',
    } as never,
  })
  const { details } = await client.statistics.responses({ id: other.id })
  assert.deepEqual(details[0]?.parameters, { ref: 'ok' })
})

test('the log has no value of a link', async () => {
  await open(`/q/${id}?q.1=Valeur-secrete&email=valeur-secrete@exemple.fr`)
  await open(`/q/${id}?q.1=Valeur-secrete&noscript=1`)
  await open(`/q/absent?q.1=Valeur-secrete`)
  assert.ok(lines.length > 0)
  assert.ok(!lines.join('').toLowerCase().includes('valeur-secrete'))
})
