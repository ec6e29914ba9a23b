import { randomUUID } from 'node:crypto'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { switchFirstToolOn } from '../support/editor-steps.ts'
import { expect, newToolKey, test } from '../support/fixtures.ts'
import { cardOf } from '../support/regions.ts'

test.use({ creatorIs: 'signed in' })

test('if the consent mode cannot be stored, the tool stays disabled', { tag: '@dom' }, async ({
  page,
  creator: { client },
}) => {
  const { id } = await publishedScoreQuiz(client)
  await client.integrations.saveSystemio({ body: { api_key: newToolKey('systemio') } })
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Intégrations' }).click()
  const answer = Promise.withResolvers<void>()
  await page.route('**/draft', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await answer.promise
    const json = { error: 'Refusé', code: 'validation_failed' }
    return route.fulfill({ status: 422, json })
  })
  const card = cardOf(page, 'Systeme.io')
  await switchFirstToolOn(page, card, { hasBox: true })
  await card.getByLabel('Ajouter aussi un tag au nom du résultat').check()
  answer.resolve()
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
  await expect(card.getByRole('switch')).not.toBeChecked()
  await expect(card.getByRole('switch')).not.toHaveAttribute('aria-busy')
  expect((await client.integrations.ofQuiz({ id })).systemio.enabled).toBe(false)
})

test('participants from before the tool was enabled are counted separately by the reason why nothing was sent', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
  await client.questions.update({ id: open_id, body: { is_required: false } })
  await client.quizzes.publish({ id })
  const take = (contact: Record<string, string>) =>
    client.publicQuiz.submit({
      id,
      body: {
        answers: { [question_id]: answer_ids[0] ?? '', ...contact },
        participant_uuid: randomUUID(),
      },
    })
  await take({ [open_id]: `avant-${randomUUID()}@exemple.fr` })
  await take({})
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await client.integrations.setBrevo({ id, body: { enabled: true, tag_by_result: false } })
  await page.goto(`/quiz/${id}/envois`)
  await expect(cardOf(page, 'Brevo')).toContainText(
    '2 participants = 0 envoyé + 2 hors envoi (outil alors non activé)',
  )
  await client.quizzes.update({ id, body: { consent_mode: 'box' } })
  await page.reload()
  await expect(cardOf(page, 'Brevo')).toContainText(
    '2 participants = 0 envoyé + 1 hors envoi (outil alors non activé) + 1 hors envoi (accord non demandé)',
  )
})

test('switches stay after a failed reload, and switches that never loaded can be requested again', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator: { client } }) => {
  const { id } = await publishedScoreQuiz(client)
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await client.integrations.setBrevo({ id, body: { enabled: true } })
  const switches = `**/quiz/${id}/integrations`
  const refuse = () =>
    page.route(switches, (route) => route.fulfill({ status: 503, json: { error: 'Panne' } }))
  await refuse()
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Intégrations' }).click()
  await expect(page.getByRole('alert')).toContainText('Panne')
  await page.unroute(switches)
  await page.getByRole('button', { name: 'Réessayer' }).click()
  const brevo = cardOf(page, 'Brevo').getByRole('switch')
  await expect(brevo).toBeChecked()

  await page.getByRole('tab', { name: 'Accès' }).click()
  await expect(brevo).toHaveCount(0)
  await refuse()
  let nb_refused = 0
  page.on('requestfinished', (request) => {
    if (request.url().endsWith(`/quiz/${id}/integrations`)) nb_refused++
  })
  await page.getByRole('tab', { name: 'Intégrations' }).click()
  // The screen repeats the call once by itself.
  await expect.poll(() => nb_refused).toBe(2)
  await expect(brevo).toBeChecked()
})
