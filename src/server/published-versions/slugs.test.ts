import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { isReservedSlug, isSlug } from '#domain/questionnaire/access.ts'
import { applyRetention } from '#server/statistics/participants/retention.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { refusalOf, refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { createQuizSlugs } from './quiz-slugs.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()
const { client: stranger } = await app.signUp()
const setSlug = (id: string, slug: string | null) => client.quizzes.update({ id, body: { slug } })
const get = (url: string) => app.raw({ url })
const TAKEN = (slug: string) => `Champ « slug » : L’adresse « ${slug} » est déjà prise`

describe('a chosen slug', () => {
  test('a chosen slug gives the same answer as the id', async () => {
    const { id } = await publishedScoreQuiz(client)
    await setSlug(id, 'quel-rythme')
    for (const rest of ['', '?embed=1', '/image-1.png']) {
      const [by_slug, by_id] = [await get(`/q/quel-rythme${rest}`), await get(`/q/${id}${rest}`)]
      assert.equal(by_slug.statusCode, 200, rest)
      assert.deepEqual(by_slug.rawPayload, by_id.rawPayload, rest)
      assert.equal(by_slug.headers.etag, by_id.headers.etag, rest)
    }
    const capitals = await get('/q/Quel-Rythme')
    assert.deepEqual([capitals.statusCode, capitals.headers.location], [308, '/q/quel-rythme'])
  })

  test('a chosen slug is the canonical address of the page immediately after the change', async () => {
    const { id } = await publishedScoreQuiz(client)
    const addressesOf = async () =>
      [
        ...(await get(`/q/${id}`)).body.matchAll(/(?:canonical" href|og:url" content)="([^"]*)/g),
      ].map(([, address = '']) => new URL(address).pathname)
    assert.deepEqual(await addressesOf(), [`/q/${id}`, `/q/${id}`])
    await setSlug(id, 'canonique')
    assert.deepEqual(await addressesOf(), ['/q/canonique', '/q/canonique'])
    await setSlug(id, null)
    assert.deepEqual(await addressesOf(), [`/q/${id}`, `/q/${id}`])
  })

  test('the editor’s save stores an address, and names the field if the address is taken', async () => {
    const { id } = await publishedScoreQuiz(client)
    const { revision } = await client.drafts.get({ id })
    const save = (based_on: number, slug: string | null) =>
      client.drafts.save({ id, body: { based_on, quiz: { slug } } })
    assert.equal((await get('/q/par-l-editeur')).statusCode, 404)
    const saved = await save(revision, 'par-l-editeur')
    assert.equal((await get('/q/par-l-editeur')).statusCode, 200)
    await setSlug((await publishedScoreQuiz(client)).id, 'deja-prise')
    const { status, message } = await refusalOf(save(saved.revision, 'deja-prise'))
    assert.deepEqual(
      [status, message],
      [422, 'Champ « quiz.slug » : L’adresse « deja-prise » est déjà prise'],
    )
    assert.equal((await client.quizzes.get({ id })).quiz.slug, 'par-l-editeur')
  })

  test('a former slug continues to work after a change, and may be chosen again', async () => {
    const { id } = await publishedScoreQuiz(client)
    for (const slug of ['ancienne', 'nouvelle', 'ancienne', null]) await setSlug(id, slug)
    for (const slug of ['ancienne', 'nouvelle'])
      assert.equal((await get(`/q/${slug}`)).statusCode, 200, slug)
  })

  test('a slug works for runs without scripts and for visit reports', async () => {
    const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
    await setSlug(id, 'sans-script')
    const submitted = await postForm(app.app, {
      url: `/q/sans-script/resultat?version=1&participant=${id}&secret=secret-of-a-run-in-a-test`,
      fields: {
        participant_uuid: id,
        [question_id]: answer_ids[0] ?? '',
        [open_id]: 'lea@exemple.fr',
      },
    })
    assert.equal(submitted.statusCode, 303, submitted.body)
    const end = await get(String(submitted.headers.location).replace(id, 'sans-script'))
    assert.match(end.body, /Pas à pas/)
    const visit = await app.raw({ method: 'POST', url: '/q/sans-script/visite/1/0/1' })
    assert.equal(visit.statusCode, 204)
  })

  test('an unknown slug is queried once and leads to no quiz', async () => {
    const missing = await get('/q/nulle-part')
    assert.equal(missing.statusCode, 404)
    assert.match(missing.body, /Quiz introuvable/)
    const slugs = createQuizSlugs(app.db, { trusted_ms: 500, now: () => 0 })
    assert.equal(await slugs.find('pas-encore'), undefined)
    const { id } = await publishedScoreQuiz(client)
    await setSlug(id, 'pas-encore')
    assert.equal(await slugs.find('pas-encore'), undefined, 'from memory')
    slugs.forget('pas-encore')
    assert.equal(await slugs.find('pas-encore'), id)
  })

  test('a slug is not an unpublished change and is not copied', async () => {
    const { id } = await publishedScoreQuiz(client)
    await client.quizzes.update({
      id,
      body: { slug: 'une-fois', closes_at: '2999-01-01T00:00:00.000Z', max_responses: 5 },
    })
    assert.equal((await client.quizzes.hasChanges({ id })).has_unpublished_changes, false)
    const { quiz } = await client.quizzes.duplicate({ id })
    assert.deepEqual([quiz.slug, quiz.closes_at, quiz.max_responses], [null, null, null])
  })
})

describe('the refusals of a slug', () => {
  test('a slug is refused with its field if another quiz has it or had it', async () => {
    const [mine, theirs] = [await publishedScoreQuiz(client), await publishedScoreQuiz(stranger)]
    await setSlug(mine.id, 'premiere')
    await setSlug(mine.id, 'seconde')
    for (const slug of ['premiere', 'seconde']) {
      const call = stranger.quizzes.update({ id: theirs.id, body: { slug, name: 'Autre nom' } })
      const refusal = await refusalOf(call)
      assert.deepEqual([refusal.status, refusal.message], [422, TAKEN(slug)])
    }
    const { quiz } = await stranger.quizzes.get({ id: theirs.id })
    assert.deepEqual([quiz.slug, quiz.name], [null, 'Quel rythme ?'])
  })

  testInAll(
    'a slug is refused if another creator deleted its quiz within 90 days, and that creator may reuse it',
    async () => {
      const mine = await publishedScoreQuiz(client)
      const theirs = await publishedScoreQuiz(stranger)
      const KEPT =
        'Champ « slug » : L’adresse « apres-nous » était celle d’un questionnaire supprimé : elle reste réservée à son auteur pendant 90 jours'
      await setSlug(mine.id, 'apres-nous')
      await setSlug(mine.id, 'autre-adresse')
      await client.quizzes.remove({ id: mine.id, permanently: '1' })
      const take = () => stranger.quizzes.update({ id: theirs.id, body: { slug: 'apres-nous' } })
      assert.equal((await refusalOf(take())).message, KEPT)
      const checked = stranger.quizzes.checkSlug({ id: theirs.id, slug: 'apres-nous' })
      assert.equal((await refusalOf(checked)).message, KEPT)
      const text = '# Un sondage\nType : sondage\nAdresse du questionnaire : apres-nous\n'
      const imported = await refusalOf(stranger.quizzes.importText({ body: { text } }))
      assert.match(imported.validation_errors?.join() ?? '', /reste réservée à son auteur/)
      assert.equal((await get('/q/apres-nous')).statusCode, 404)

      const again = await publishedScoreQuiz(client)
      await setSlug(again.id, 'apres-nous')
      assert.equal((await get('/q/apres-nous')).statusCode, 200)
      await client.quizzes.remove({ id: again.id, permanently: '1' })
      await app.pool.query("update former_slugs set reserved_until = now() - interval '1 second'")
      await take()
      await applyRetention(app.db)
      assert.deepEqual(await app.db.selectFrom('former_slugs').select('slug').execute(), [])
    },
  )

  testInAll(
    'a slug is refused if an account with its quiz was deleted within 90 days',
    async () => {
      const leaving = await app.signUp()
      const { id } = await publishedScoreQuiz(leaving.client)
      await leaving.client.quizzes.update({ id, body: { slug: 'partie' } })
      await leaving.client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
      const theirs = await publishedScoreQuiz(stranger)
      const refusal = await refusalOf(
        stranger.quizzes.update({ id: theirs.id, body: { slug: 'partie' } }),
      )
      assert.match(refusal.message, /reste réservée à son auteur/)
    },
  )

  test('a slug is refused if a route uses the word', () => {
    /** Returns a line per route: its depth and its last segment. */
    const lines = app.app.printRoutes({ commonPrefix: false, includeMeta: false }).split('\n')
    const words: string[] = []
    let isBelowQuiz = false
    for (const line of lines) {
      const [, indent = '', part = ''] = /^([│ ]*)[├└]── (\S*)/.exec(line) ?? []
      const segments = part.split('/').filter(Boolean)
      if (indent === '') isBelowQuiz = segments[0] === 'q'
      const own = indent === '' && !isBelowQuiz ? segments.slice(0, 1) : segments
      if (indent === '' || isBelowQuiz)
        words.push(...own.map((text) => text.split(/[^a-z0-9-]/)[0] ?? ''))
    }
    assert.ok(words.includes('desinscription') && words.includes('visite'), words.join())
    assert.deepEqual(
      words.filter((word) => isSlug(word) && !isReservedSlug(word)),
      [],
    )
  })

  test('a check refuses a slug before it is chosen, and only for the creator', async () => {
    const [mine, theirs] = [await publishedScoreQuiz(client), await publishedScoreQuiz(stranger)]
    await setSlug(mine.id, 'verifiee')
    const check = (slug: string, id = theirs.id) => stranger.quizzes.checkSlug({ id, slug })
    assert.deepEqual(await check('encore-libre'), { slug: 'encore-libre' })
    assert.equal((await refusalOf(check('verifiee'))).message, TAKEN('verifiee'))
    assert.match((await refusalOf(check('admin'))).message, /est réservée/)
    await refuses(check('ab'), 422, 'invalid')
    await refuses(check('encore-libre', mine.id), 404, 'not_found')
    assert.deepEqual(await client.quizzes.checkSlug({ id: mine.id, slug: 'verifiee' }), {
      slug: 'verifiee',
    })
    await setSlug(mine.id, 'encore-libre')
  })

  test('a check refuses a new slug after thirty slugs of a quiz', async () => {
    const { id } = await publishedScoreQuiz(client)
    const had = (ranks: number[]) =>
      ranks.map((rank) => ({ slug: `controle-${rank}`, quiz_id: id }))
    const ranks = Array.from({ length: 29 }, (_, rank) => rank + 1)
    await app.db.insertInto('quiz_slugs').values(had(ranks)).execute()
    const check = (slug: string) => client.quizzes.checkSlug({ id, slug })
    assert.deepEqual(await check('controle-30'), { slug: 'controle-30' })
    await app.db
      .insertInto('quiz_slugs')
      .values(had([30]))
      .execute()
    assert.match((await refusalOf(check('controle-31'))).message, /déjà eu 30 adresses/)
    assert.deepEqual(await check('controle-1'), { slug: 'controle-1' })
  })

  testInAll('only one of several concurrent requests gets a slug', async () => {
    const quizzes = await Promise.all([1, 2, 3, 4].map(() => publishedScoreQuiz(client)))
    const asked = await Promise.allSettled(quizzes.map(({ id }) => setSlug(id, 'la-meme')))
    const refused = asked.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.message] : [],
    )
    assert.deepEqual(refused, [TAKEN('la-meme'), TAKEN('la-meme'), TAKEN('la-meme')])
  })

  test('a slug is refused if it is reserved or not valid', async () => {
    const { id } = await publishedScoreQuiz(client)
    const reserved = await refusalOf(setSlug(id, 'login'))
    assert.equal(reserved.message, 'Champ « slug » : L’adresse « login » est réservée')
    for (const slug of ['ab', 'À-propos', 'a b c', '-abc', id])
      await refuses(setSlug(id, slug), 422, 'invalid')
    assert.equal((await client.quizzes.get({ id })).quiz.slug, null)
  })

  testInAll('a new slug is refused after thirty slugs of a quiz', async () => {
    const { id } = await publishedScoreQuiz(client)
    const had = Array.from({ length: 29 }, (_, rank) => ({ slug: `adresse-${rank}`, quiz_id: id }))
    await app.db.insertInto('quiz_slugs').values(had).execute()
    await setSlug(id, 'adresse-30')
    const refusal = await refusalOf(setSlug(id, 'adresse-31'))
    assert.match(refusal.message, /déjà eu 30 adresses/)
    await setSlug(id, 'adresse-1')
  })
})
