import type { Page } from '@playwright/test'
import {
  COMPLETE_QUERY,
  publishPrefilledSondage,
} from '../../src/server/testing/quizzes/prefilled-sondage.ts'
import { expect, expectAccessible, newToolKey, visitorTest as test } from '../support/fixtures.ts'
import { test as hosted } from '../support/host-site.ts'

const next = (page: Page) => page.getByRole('button', { name: 'Suivant' })
const send = (page: Page) => page.getByRole('button', { name: 'Envoyer' })
const title = (page: Page) => page.getByRole('heading', { level: 1 })

const expectSecondPage = async (page: Page): Promise<void> => {
  await expect(page.getByRole('radio', { name: '9', exact: true })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Vente' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Prix' })).not.toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Autre…' })).toBeChecked()
  await expect(page.getByLabel('Quel jour ?')).toHaveValue('2026-12-31')
  await expect(page.getByLabel('Un mot, Zoé ?')).toHaveValue('Un\nmot')
}

test('a prefilled link fills in every page, sends nothing, ticks no consent and leaves the address bar', async ({
  creator,
  visitor,
}) => {
  const { client } = creator
  const { id } = await publishPrefilledSondage(client)
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await client.integrations.setBrevo({ id, body: { enabled: true } })
  await client.quizzes.update({
    id,
    body: { consent_mode: 'box', consent_text: 'Je veux la lettre' },
  })
  await client.quizzes.publish({ id })
  const requests: string[] = []
  await visitor.goto(`/q/${id}?utm_source=mail&${COMPLETE_QUERY}&consent=1`)
  await expect(visitor.getByLabel('Votre prénom ?')).toHaveValue('Zoé')
  await expect(visitor).toHaveURL(new RegExp(`/q/${id}\\?utm_source=mail&consent=1$`))
  visitor.on('request', (request) =>
    requests.push(`${request.url()} ${request.headers().referer} ${request.postData()}`),
  )
  await expect(visitor.getByLabel('Votre email ?')).toHaveValue('zoe+test@exemple.fr')
  await expect(visitor.getByRole('radio', { name: 'Oui' })).toBeChecked()
  const consent = visitor.getByRole('checkbox', { name: 'Je veux la lettre' })
  await expect(consent).not.toBeChecked()
  await expect(visitor.getByText('1 / 2')).toBeVisible()
  // The colours of the specification for the button.
  await expectAccessible(visitor, ['.q-next'])
  await next(visitor).click()
  await expectSecondPage(visitor)
  expect((await client.quizzes.get({ id })).quiz.nb_responses).toBe(0)
  expect(requests.join()).not.toMatch(/prenom|Zo%C3%A9|zoe/)
  await send(visitor).click()
  await expect.poll(async () => (await client.quizzes.get({ id })).quiz.nb_responses).toBe(1)
  const { details } = await client.statistics.responses({ id })
  expect(details[0]?.parameters).toEqual({ utm_source: 'mail' })
  const texts = details[0]?.answers.map(({ answer_text }) => answer_text)
  expect(texts).toEqual(expect.arrayContaining(['Zoé', 'zoe+test@exemple.fr', '9', 'Un\nmot']))
})

test('a reload continues the filled run after a question, and nothing filled overwrites what was typed', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishPrefilledSondage(creator.client)
  await visitor.goto(`/q/${id}?${COMPLETE_QUERY}`)
  const name = visitor.getByLabel('Votre prénom ?')
  await expect(name).toHaveValue('Zoé')
  await visitor.reload()
  await expect(visitor.getByText('n’est pas terminé')).toBeVisible()
  await visitor.getByRole('button', { name: 'Reprendre' }).click()
  await expect(name).toHaveValue('Zoé')
  await name.fill('Zoé B.')
  await next(visitor).click()
  await expect(visitor.getByLabel('Un mot, Zoé B. ?')).toHaveValue('Un\nmot')
  await visitor.goBack()
  await expect(name).toHaveValue('Zoé B.')
  // The next person begins without the values of the link.
  await visitor.reload()
  await visitor.getByRole('button', { name: 'Recommencer' }).click()
  await expect(name).toHaveValue('')
  await expect(visitor.getByRole('radio', { name: 'Oui' })).not.toBeChecked()
  // The link itself fills in again.
  await visitor.goto(`/q/${id}?prenom=Ada`)
  await expect(name).toHaveValue('Ada')
  await expect(visitor.getByLabel('Votre email ?')).toHaveValue('')
})

test('« Recommencer » at the end begins without the values of the link', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishPrefilledSondage(creator.client)
  await creator.client.quizzes.update({ id, body: { allows_restart: true } })
  await creator.client.quizzes.publish({ id })
  await visitor.goto(`/q/${id}?${COMPLETE_QUERY}`)
  await next(visitor).click()
  await send(visitor).click()
  const again = visitor.getByRole('link', { name: 'Recommencer' })
  await expect(title(visitor)).toBeVisible()
  await again.click()
  await expect(visitor.getByLabel('Votre prénom ?')).toHaveValue('')
})

test('a reply on a page that the run skips is not sent', async ({ creator, visitor }) => {
  const { id } = await publishPrefilledSondage(creator.client)
  await visitor.goto(`/q/${id}?${COMPLETE_QUERY}&q.3=Non`)
  await expect(visitor.getByRole('radio', { name: 'Non' })).toBeChecked()
  await send(visitor).click()
  await expect
    .poll(async () => (await creator.client.quizzes.get({ id })).quiz.nb_responses)
    .toBe(1)
  const { details } = await creator.client.statistics.responses({ id })
  const texts = details[0]?.answers.map(({ question_text }) => question_text)
  expect(texts).not.toContain('Quelle note ?')
})

test('a filled page waits for « Suivant », also if a tap on an answer leads on', async ({
  creator,
  visitor,
}) => {
  const { client } = creator
  const { id, questions } = await publishPrefilledSondage(client)
  await client.quizzes.update({ id, body: { auto_advance: true } })
  for (const question of [questions.first, questions.mail])
    await client.questions.remove({ id: question })
  await client.questions.update({ id: questions.story, body: { text: 'Un mot ?' } })
  await client.quizzes.publish({ id })
  await visitor.goto(`/q/${id}?q.1=Oui&q.note=9`)
  await expect(visitor.getByRole('radio', { name: 'Oui' })).toBeChecked()
  await next(visitor).click()
  await expect(visitor.getByRole('radio', { name: '9', exact: true })).toBeChecked()
  await expect(visitor.getByText('2 / 2')).toBeVisible()
})

test('a browser without storage is filled in too', async ({ creator, visitor }) => {
  const { id } = await publishPrefilledSondage(creator.client)
  await visitor.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('blocked', 'SecurityError')
        },
      })
  })
  await visitor.goto(`/q/${id}?prenom=Ada&q.note=9`)
  await expect(visitor.getByLabel('Votre prénom ?')).toHaveValue('Ada')
  await expect(visitor).toHaveURL(new RegExp(`/q/${id}$`))
})

hosted(
  'a frame takes the values of its own address, in every sandbox with scripts',
  async ({ creator, visitor, site, baseURL }) => {
    const { id } = await publishPrefilledSondage(creator.client)
    for (const sandbox of [
      'allow-scripts allow-forms',
      'allow-scripts allow-forms allow-same-origin',
    ]) {
      const src = `${baseURL}/q/${id}?embed=1&prenom=Ada`
      await site.show(visitor, `<iframe sandbox="${sandbox}" height="900" src="${src}"></iframe>`, {
        query: '?prenom=Host&q.2=host@exemple.fr',
      })
      const frame = visitor.frameLocator('iframe')
      await expect(frame.getByLabel('Votre prénom ?')).toHaveValue('Ada')
      await expect(frame.getByLabel('Votre email ?')).toHaveValue('')
      await frame.getByRole('radio', { name: 'Oui' }).check()
      await expect(frame.getByLabel('Votre prénom ?')).toHaveValue('Ada')
    }
  },
)

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the server fills in every page, and the person sends the form', async ({
    creator,
    page,
  }) => {
    const { client } = creator
    const { id } = await publishPrefilledSondage(client)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/q/${id}?utm_source=mail&${COMPLETE_QUERY}`)
    await expect(page.getByLabel('Votre prénom ?')).toHaveValue('Zoé')
    await expect(page.getByLabel('Votre email ?')).toHaveValue('zoe+test@exemple.fr')
    await expect(page.getByRole('radio', { name: 'Oui' })).toBeChecked()
    await expect(page.getByText('Afficher les réponses préremplies')).toHaveCount(0)
    await next(page).click()
    await expect(page.getByText('2 / 2')).toBeVisible()
    await expectSecondPage(page)
    expect(decodeURIComponent(page.url())).not.toMatch(/prenom|Zoé/)
    expect((await client.quizzes.get({ id })).quiz.nb_responses).toBe(0)
    await send(page).click()
    await expect(page).toHaveURL(/resultat/)
    await expect.poll(async () => (await client.quizzes.get({ id })).quiz.nb_responses).toBe(1)
    const { details } = await client.statistics.responses({ id })
    expect(details[0]?.parameters).toEqual({ utm_source: 'mail' })
  })
})
