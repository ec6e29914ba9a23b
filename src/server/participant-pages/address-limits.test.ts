import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { createOwnPages, keepPages, wordsOf } from '#server/testing/app/own-pages.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const EMAIL = 'lea.martin@exemple.fr'

test('a page accepts ten wrong addresses an hour', async () => {
  const limited = await createBuiltApp({ RATE_LIMITS: 'on' })
  try {
    const creator = await limited.signUp()
    const own = await publishedScoreQuiz(creator.client)
    await keepPages(creator.client, own)
    const pages = createOwnPages(limited)
    const one = await pages.submit(own, EMAIL)
    const two = await pages.submit(own, 'autre@exemple.fr')
    assert.equal((await pages.post(one.path, 'reponses', { email: EMAIL })).statusCode, 200)
    for (let count = 0; count < 10; count++)
      assert.equal(
        (await pages.post(one.path, 'reponses', { email: `${count}@b.fr` })).statusCode,
        422,
      )
    for (const email of ['faux@b.fr', EMAIL]) {
      const reply = await pages.post(one.path, 'donnees', { email })
      assert.equal(reply.statusCode, 429)
      assert.ok(Number(reply.headers['retry-after']) > 0)
      assert.match(wordsOf(reply), /Trop d’adresses ont été essayées/)
      assert.doesNotMatch(reply.body, /Rempli/)
    }
    // The page of another participant has its own limit.
    assert.equal(
      (await pages.post(two.path, 'reponses', { email: 'autre@exemple.fr' })).statusCode,
      200,
    )
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await pages.open(one.path)).statusCode),
    )
    assert.ok(statuses.includes(429))
  } finally {
    await limited.close()
  }
})
