import type { Client } from '../../src/contract/client/client.ts'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
  type SampleQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, newToolKey, test } from '../support/fixtures.ts'
import { findSmallTargets, measureOverflow } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

/** Submits participants with the first answer, and as many as asked with the second. */
const submitAll = async (
  client: Client,
  { id, question_id, open_id, answer_ids }: SampleQuiz,
  counts: readonly [first: number, second: number],
): Promise<void> => {
  for (const [rank, count] of counts.entries())
    for (let turn = 0; turn < count; turn++) {
      const email = `choix${rank}-${turn}@exemple.fr`
      const answers = { [question_id]: answer_ids[rank] ?? '', [open_id]: email }
      await client.publicQuiz.submit({ id, body: { answers } })
    }
}

test(
  'a creator reads who would have received a rule before adding it, and beside the stored rule @phone',
  { tag: '@rare' },
  async ({ page, creator: { client } }, { project }) => {
    const quiz = await publishedScoreQuiz(client)
    const { id } = quiz
    await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
    await client.quizzes.update({ id, body: { consent_mode: 'requested' } })
    await submitAll(client, quiz, [23, 2])
    // Brevo is switched on after the participants answered, so that they are earlier participants.
    await client.integrations.setBrevo({ id, body: { enabled: true } })
    await page.goto(`/quiz/${id}/settings?onglet=automatisations`)
    const form = page.getByRole('form', { name: 'Ajouter une règle' })
    const region = page.getByRole('region', { name: 'Participants concernés' })
    const rows = region.getByRole('row')
    const more = region.getByRole('button', { name: 'Afficher plus de participants' })

    await test.step('the form says how many participants a rule would have reached, politely', async () => {
      const status = form.getByRole('status')
      await expect(status.first()).toHaveText('23 de vos 25 participants y auraient été ajoutés.')
      await form.getByLabel('Résultat').selectOption('Grand saut')
      await expect(status.first()).toHaveText('2 de vos 25 participants y auraient été ajoutés.')
      await form.getByLabel('Quand').selectOption('la réponse est')
      await expect(status.first()).toHaveText('23 de vos 25 participants y auraient été ajoutés.')
    })

    await test.step('the list opens and continues by keyboard, and the focus stays in the list', async () => {
      await form.getByText('Voir ces participants').focus()
      await page.keyboard.press('Enter')
      await expect(rows).toHaveCount(21)
      await expect(rows.nth(1)).toContainText('choix0-22@exemple.fr')
      await expect(region.getByText('20 participants affichés sur 23')).toBeVisible()
      await expectAccessible(page)
      expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
      if (project.name === 'phone') expect(await findSmallTargets(region)).toEqual([])
      await more.focus()
      await page.keyboard.press('Enter')
      await expect(rows).toHaveCount(24)
      await expect(region).toBeFocused()
      await expect(region.getByText('23 participants affichés sur 23')).toBeVisible()
    })

    await test.step('an address opens the participant in another tab, so that the form is kept', async () => {
      const link = region.getByRole('link', { name: 'choix0-22@exemple.fr : voir ses réponses' })
      const opening = page.context().waitForEvent('page')
      await link.click()
      const tab = await opening
      await expect(tab.getByRole('dialog')).toContainText('choix0-22@exemple.fr')
      await tab.close()
      await expect(form.getByLabel('Quand')).toHaveValue('answer')
    })

    await test.step('an added rule offers to send earlier participants, and has its own dry run', async () => {
      await form.getByLabel('Liste').fill('Agendas pleins')
      await form.getByRole('button', { name: 'Ajouter la règle' }).click()
      await expect(
        form.getByText('25 participants n’ont pas encore été envoyés à Brevo.'),
      ).toBeVisible()
      await expect(
        form.getByRole('link', { name: 'Envoyer les participants existants' }),
      ).toHaveAttribute('href', `/quiz/${id}/settings?onglet=integrations`)
      const line = page.getByRole('listitem').filter({ hasText: 'Agendas pleins' })
      await line.getByText('Qui y aurait été ajouté ?').click()
      await expect(line.getByRole('status').first()).toHaveText(
        '23 de vos 25 participants y auraient été ajoutés.',
      )
      await expect(line.getByRole('row')).toHaveCount(24)
      await page.locator('h1').scrollIntoViewIfNeeded()
      await expectAccessible(page)
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
    })
  },
)

test('a dry run without participants, with a failure or without network says so', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const quiz = await readyScoreQuiz(client)
  const { id } = quiz
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  const form = page.getByRole('form', { name: 'Ajouter une règle' })

  await test.step('a quiz without participants has an empty dry run and no list', async () => {
    await page.goto(`/quiz/${id}/settings?onglet=automatisations`)
    await expect(form.getByText('Aucun participant jusqu’ici.')).toBeVisible()
    await expect(form.getByText('Voir ces participants')).toHaveCount(0)
    await expectAccessible(page)
  })

  await test.step('a failure shows its reason and can be retried', async () => {
    await client.quizzes.publish({ id })
    await submitAll(client, quiz, [1, 0])
    const calls = `**/quizzes/${id}/dry-run?*`
    await page.route(calls, (route) => route.fulfill({ status: 503, json: { error: 'Panne' } }))
    await page.reload()
    await expect(form.getByRole('alert')).toContainText('Panne')
    await expectAccessible(page)
    await page.unroute(calls)
    await form.getByRole('button', { name: 'Réessayer' }).click()
    await expect(form.getByText('Votre seul participant y aurait été ajouté.')).toBeVisible()
    await expect(form.getByRole('alert')).toHaveCount(0)
  })

  await test.step('without network the count waits, and arrives with the network', async () => {
    await page.context().setOffline(true)
    await form.getByLabel('Résultat').selectOption('Grand saut')
    await expect(form.getByText('hors connexion : la suite arrivera avec le réseau')).toBeVisible()
    await expectAccessible(page)
    await page.context().setOffline(false)
    await expect(form.getByText('Votre seul participant n’y aurait pas été ajouté.')).toBeVisible()
  })

  await test.step('participants of a large quiz are listed while they are still being counted', async () => {
    const calls = `**/quizzes/${id}/dry-run?*`
    await page.route(calls, async (route) => {
      const answer = await route.fetch()
      const counting = { nb_matching: null, as_of: { counted_at: null } }
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ...counting } })
    })
    await page.reload()
    await expect(form.getByText('Comptage parmi vos 1 participant…')).toBeVisible()
    await expect(form.getByText('Voir ces participants')).toBeVisible()
    await page.unroute(calls)
    await expect(form.getByText('Votre seul participant y aurait été ajouté.')).toBeVisible()
  })
})
