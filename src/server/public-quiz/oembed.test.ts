import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const SITE = 'https://quiz.example'
const app = await createBuiltApp({ PUBLIC_URL: SITE, RATE_LIMITS: 'on' })
after(app.close)
const { client } = await app.signUp()

let id: string
before(async () => {
  ;({ id } = await publishedScoreQuiz(client))
})

type Description = { title: string; html: string; width: number; height: number }

const ask = (query: Record<string, string>, remoteAddress = '10.0.0.1') =>
  app.app.inject({ url: `/oembed?${new URLSearchParams(query)}`, remoteAddress })
const describePage = async (url: string, size: Record<string, string> = {}) => {
  const reply = await ask({ url, ...size })
  assert.equal(reply.statusCode, 200, url)
  return reply.json<Description>()
}
const statusOf = async (query: Record<string, string>) => (await ask(query)).statusCode

describe('the oEmbed description of a published quiz', () => {
  test('it has the fields of a rich description, and a frame of its size', async () => {
    const reply = await ask({ url: `${SITE}/q/${id}`, format: 'json' })
    assert.deepEqual(reply.json(), {
      version: '1.0',
      type: 'rich',
      provider_name: 'Quizaine',
      provider_url: SITE,
      title: 'Quel rythme ?',
      html: `<iframe src="${SITE}/q/${id}?embed=1" title="Quel rythme ?" width="704" height="600" frameborder="0" loading="lazy"></iframe>`,
      width: 704,
      height: 600,
    })
    assert.match(String(reply.headers['content-type']), /^application\/json/)
    assert.equal(reply.headers['access-control-allow-origin'], '*')
    assert.equal(reply.headers['cache-control'], 'no-cache')
  })

  test('the frame fits into the largest size that the site allows', async () => {
    const url = `${SITE}/q/${id}`
    const small = await describePage(url, { maxwidth: '320', maxheight: '400' })
    assert.deepEqual([small.width, small.height], [320, 400])
    assert.match(small.html, / width="320" height="400" /)
    const large: Record<string, string>[] = [{ maxwidth: '2000' }, { maxwidth: '', maxheight: '' }]
    for (const size of large) {
      const wide = await describePage(url, size)
      assert.deepEqual([wide.width, wide.height], [704, 600])
    }
  })

  test('a name with markup is text in the frame', async () => {
    const quiz = await publishedScoreQuiz(client)
    const name = '"><script>alert(1)</script>'
    await client.quizzes.update({ id: quiz.id, body: { name } })
    await client.quizzes.publish({ id: quiz.id })
    const { title, html } = await describePage(`${SITE}/q/${quiz.id}`)
    assert.equal(title, name)
    assert.ok(html.includes(' title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;" '), html)
  })

  test('the address may have the id, the slug, a former slug, a query and capitals', async () => {
    const quiz = await publishedScoreQuiz(client)
    const rename = (slug: string) => client.quizzes.update({ id: quiz.id, body: { slug } })
    await rename('premier-nom')
    await rename('second-nom')
    for (const path of [quiz.id, quiz.id.toUpperCase(), 'premier-nom', 'second-nom', 'Second-Nom'])
      for (const rest of ['', '?utm_source=lettre', '#fin']) {
        const { html } = await describePage(`${SITE}/q/${path}${rest}`)
        assert.ok(html.includes(`src="${SITE}/q/second-nom?embed=1"`), html)
      }
  })

  test('the address may be damaged as on its way through a mail', async () => {
    const quiz = await publishedScoreQuiz(client)
    await client.quizzes.update({ id: quiz.id, body: { slug: 'en-chemin' } })
    for (const url of [
      `${SITE}/q/en-chemin/`,
      `${SITE}/q/en-chemin//`,
      `${SITE}//q/en-chemin/`,
      `${SITE}/q/en-chemin).`,
      ` ${SITE}/q/en-chemin `,
      `<${SITE}/q/en-chemin>`,
      `${SITE}/q/en-chemin/&utm_source=lettre`,
      `${SITE}/q/en-chemin%20`,
      `${SITE}/q/en-chemin/?embed=1`,
      `${SITE}/Q/${quiz.id.toUpperCase()}/`,
    ]) {
      const { html } = await describePage(url)
      assert.ok(html.includes(`src="${SITE}/q/en-chemin?embed=1"`), url)
    }
    const unescaped = await app.raw({ url: `/oembed?url=${SITE}/q/en-chemin/` })
    assert.equal(unescaped.statusCode, 200)
    const moved = await app.raw({ url: `/oembed/?url=${SITE}/q/en-chemin/` })
    assert.equal(moved.headers.location, `/oembed?url=${SITE}/q/en-chemin/`)
  })
})

describe('a refused oEmbed request', () => {
  test('an unknown, unpublished or foreign address is a 404', async () => {
    const { quiz } = await client.quizzes.create({ body: { name: 'Brouillon', type: 'quiz' } })
    const withdrawn = await publishedScoreQuiz(client)
    await client.quizzes.update({ id: withdrawn.id, body: { status: 'Brouillon' } })
    for (const url of [
      `${SITE}/q/${quiz.id}`,
      `${SITE}/q/${withdrawn.id}`,
      `${SITE}/q/33333333-3333-4333-8333-333333333333`,
      `${SITE}/q/jamais-vu`,
      `https://autre.example/q/${id}`,
      `http://quiz.example/q/${id}`,
      `${SITE}.autre.example/q/${id}`,
      `${SITE}/q/${id}/resultat`,
      `${SITE}/login`,
      `/q/${id}`,
      `javascript:alert(1)//${id}`,
      '',
    ])
      assert.equal(await statusOf({ url }), 404, url)
  })

  test('another format is a 501', async () => {
    const url = `${SITE}/q/${id}`
    for (const format of ['xml', 'JSON', '']) assert.equal(await statusOf({ url, format }), 501)
  })

  test('missing, repeated, too long and wrong parameters are a 422 in French', async () => {
    const url = `${SITE}/q/${id}`
    for (const query of [
      {},
      { url: `${url}?${'x'.repeat(2_000)}` },
      { url, maxwidth: '0' },
      { url, maxwidth: '-3' },
      { url, maxheight: 'haut' },
      { url, maxheight: '1e9' },
      { url, format: 'x'.repeat(21) },
    ])
      assert.equal(await statusOf(query as Record<string, string>), 422, JSON.stringify(query))
    const twice = await app.app.inject({ url: `/oembed?url=${url}&url=${url}` })
    assert.equal(twice.statusCode, 422)
    assert.match(twice.body, /Champ « url »/)
  })

  test('a site that asks too often has to wait', async () => {
    const url = `${SITE}/q/${id}`
    const statuses = new Set<number>()
    for (let call = 0; call < 130; call++)
      statuses.add((await ask({ url }, '10.0.0.99')).statusCode)
    assert.deepEqual(statuses, new Set([200, 429]))
  })
})

describe('the discovery of the description', () => {
  test('the public page and the pages of its results name it in their head and in a Link header, from memory too', async () => {
    const quiz = await publishedScoreQuiz(client)
    await client.quizzes.update({ id: quiz.id, body: { slug: 'decouverte' } })
    for (const path of [`/q/${quiz.id}`, '/q/decouverte', '/q/decouverte?r=1'])
      for (let time = 0; time < 2; time++) {
        const { headers, statusCode, body } = await app.raw({ url: path })
        assert.equal(statusCode, 200)
        const [, inHead] =
          /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)">/.exec(
            body.split('</head>')[0] ?? '',
          ) ?? []
        const [, address = ''] =
          /^<([^>]+)>; rel="alternate"; type="application\/json\+oembed"$/.exec(
            String(headers.link),
          ) ?? []
        assert.equal(address, `${SITE}/oembed?url=${encodeURIComponent(`${SITE}/q/decouverte`)}`)
        assert.equal(inHead, address)
        const described = await app.raw({ url: address.slice(SITE.length) })
        assert.equal(described.json<Description>().title, 'Quel rythme ?')
      }
  })

  test('a frame, a missing page and a picture name none', async () => {
    for (const path of [`/q/${id}?embed=1`, '/q/jamais-vu', `/q/${id}/image-1.png`]) {
      const { headers, body } = await app.raw({ url: path })
      assert.equal(headers.link, undefined, path)
      assert.ok(!body.includes('oembed'), path)
    }
  })
})
