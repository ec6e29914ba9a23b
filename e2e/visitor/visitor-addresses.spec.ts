import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, visitorTest as test } from '../support/fixtures.ts'
import { CAMILLE, choose, expectResult } from '../support/visitor-steps.ts'

test('a wrong address is refused at its field with the reason until it is corrected, and invisible characters around a pasted address are removed', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  const field = visitor.getByLabel('Où vous écrire ?')
  const send = visitor.getByRole('button', { name: 'Voir le résultat' })
  const incomplete = 'Saisissez une adresse email complète, par exemple nom@exemple.fr.'
  const accented = 'Une adresse email n’a pas d’accent avant le @.'
  for (const [typed, reason] of [
    ['jean@exemple', incomplete],
    ['a@127.1', incomplete],
    ['jean dupont@exemple.fr', incomplete],
    ['françois@exemple.fr', accented],
  ] as const) {
    await field.fill(typed)
    await send.click()
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(reason)
  }
  await field.fill(CAMILLE)
  await expect(field).not.toHaveAttribute('aria-invalid')
  await expect(visitor.getByRole('alert')).toHaveCount(0)
  await field.fill('\u200b\u00a0')
  await expect(send).toHaveAttribute('aria-disabled', 'true')
  await field.fill('\u200b\u202aCamille@Exemple.fr\u202c\ufeff')
  await field.press('Enter')
  await expectResult(visitor, 'Grand saut')
  await expect
    .poll(async () => (await creator.client.statistics.responses({ id })).details[0]?.email)
    .toBe('camille@exemple.fr')
})
