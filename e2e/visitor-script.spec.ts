import { publishedScoreQuiz } from '../src/server/testing/sample-quizzes.ts'
import { expect, test } from './fixtures.ts'
import { CAMILLE, choose, expectParticipants, expectResult } from './taking.ts'

test('the script comes late or never: what was typed stays, and the server takes the answers', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const script = '**/player.*.js'
  await visitor.route(script, (route) => route.abort())
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await visitor.getByLabel('Où vous écrire ?').fill(CAMILLE)
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  await expectResult(visitor, 'Grand saut')
  await expect(visitor).toHaveURL(/\/resultat\?/)
  await expectParticipants(creator.client, id, [`${CAMILLE}: Libre → Grand saut`])
  await visitor.unroute(script)

  const { promise: isAnswered, resolve: goOn } = Promise.withResolvers<void>()
  await visitor.route(script, async (route) => {
    await isAnswered
    await route.continue()
  })
  await visitor.goto(`/q/${id}`, { waitUntil: 'commit' })
  await visitor.getByRole('radio', { name: 'Rempli' }).check()
  goOn()
  // Hydrated: the page keeps its own history.
  await visitor.waitForFunction(() => history.scrollRestoration === 'manual')
  await expect(visitor.getByRole('radio', { name: 'Rempli' })).toBeChecked()
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await expect(visitor.getByText('2 / 2')).toBeVisible()
  await expect(visitor).toHaveURL(`/q/${id}`)
})
