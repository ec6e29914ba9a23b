import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { publishedScoreQuiz } from '../src/server/testing/sample-quizzes.ts'
import { answerPage } from './editor.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { choose, expectResult, writeTo } from './taking.ts'

const port = Number(process.env.E2E_FAKES_PORT)
/** What the three tools hold: Kit, Systeme.io, Brevo. */
const stateOf = async (step: number): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port + step}/__fake/state`)).text()
/** Tests share one account at Systeme.io, which allows few calls. */
const allowMany = () =>
  fetch(`http://127.0.0.1:${port + 1}/__fake/switches`, {
    method: 'POST',
    body: JSON.stringify({ calls: 1_000 }),
  })
const TOOLS = ['Kit', 'Systeme.io', 'Brevo']
const BOX = /J’accepte que mon adresse email/
const someone = (name: string): string => `${name}-${randomUUID()}@exemple.fr`

const withoutScripts = async (browser: Browser): Promise<Page> => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  return context.newPage()
}

test('participants who agree arrive at each tool with their result, and the ledger balances', async ({
  page,
  creator,
  visitor,
  browser,
}) => {
  // Three visitors, three tools, and every screen between them.
  test.slow()
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  await allowMany()
  const [agrees, declines, plain] = [someone('oui'), someone('non'), someone('sans-script')]

  await test.step('three tools are connected and switched on', async () => {
    await client.integrations.saveSystemio({ body: { api_key: 'systemeio-demo' } })
    await client.integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Connecter Kit' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
    await visitor.goto(`/q/${id}`)
    await page.goto(`/quiz/${id}/settings`)
    await page.getByRole('tab', { name: 'Intégrations' }).click()
    for (const name of TOOLS) {
      const card = page.getByRole('region', { name, exact: true })
      await card.getByRole('switch').click()
      await expect(card.getByRole('switch')).toBeChecked()
    }
    await expectAccessible(page)
  })

  await test.step('a visitor ticks the box, which is unticked and kept over a reload', async () => {
    await expect
      .poll(async () => (await fetch(`${new URL(page.url()).origin}/q/${id}`)).text())
      .toContain('J’accepte que mon adresse email')
    await visitor.goto(`/q/${id}`)
    await choose(visitor, 'Rempli')
    const box = visitor.getByRole('checkbox', { name: BOX })
    await expect(box).not.toBeChecked()
    await box.check()
    await visitor.getByLabel('Où vous écrire ?').fill(agrees)
    await visitor.reload()
    await expect(box).toBeChecked()
    await expectAccessible(visitor, ['.q-next'])
    await writeTo(visitor, agrees)
    await expectResult(visitor, 'Pas à pas')
  })

  await test.step('another leaves it, and has the result all the same', async () => {
    const other = await (await browser.newContext()).newPage()
    await other.goto(`/q/${id}`)
    await choose(other, 'Libre')
    await writeTo(other, declines)
    await expectResult(other, 'Grand saut')
    await other.context().close()
  })

  await test.step('a third agrees where no script runs', async () => {
    const other = await withoutScripts(browser)
    await other.goto(`/q/${id}`)
    await answerPage(other, { choose: ['Libre'] })
    await other.getByRole('checkbox', { name: BOX }).check()
    await other.getByLabel('Où vous écrire ?').fill(plain)
    await other.getByRole('button', { name: 'Voir le résultat' }).last().click()
    await expectResult(other, 'Grand saut')
    await other.context().close()
  })

  await test.step('each tool has the two with their results, and not the other', async () => {
    for (const step of [0, 1, 2]) {
      await expect.poll(() => stateOf(step), { timeout: 30_000 }).toContain(agrees)
      await expect.poll(() => stateOf(step), { timeout: 30_000 }).toContain(plain)
      expect(await stateOf(step)).not.toContain(declines)
    }
    for (const step of [0, 1, 2]) {
      const state = await stateOf(step)
      for (const [email, result] of [
        [agrees, 'Pas à pas'],
        [plain, 'Grand saut'],
      ] as const) {
        const [, about = '', ...more] = state.split(email)
        expect(about.slice(0, 300)).toContain(result)
        expect(more).toEqual([])
      }
    }
  })

  await test.step('the ledger says so', async () => {
    await page.goto(`/quiz/${id}/envois`)
    for (const name of TOOLS)
      await expect(page.getByRole('region', { name, exact: true })).toContainText(
        '3 participants = 2 envoyés + 1 sans consentement',
      )
    await page.getByLabel('Rechercher une adresse').fill(declines)
    await expect(page.getByRole('row')).toHaveCount(4)
    await expect(page.getByRole('row').nth(1)).toContainText('Sans consentement')
    await expectAccessible(page)
  })

  await test.step('one’s own address tries a tool out', async () => {
    const card = page.getByRole('region', { name: 'Brevo', exact: true })
    await card.getByText('Tester l’envoi').click()
    await card.getByRole('button', { name: 'Envoyer' }).click()
    await expect(card.getByText('Le contact est arrivé.')).toBeVisible()
    await expect(card.getByText(`"email": "${creator.email}"`)).toBeVisible()
  })

  await test.step('the statistics say how many agreed', async () => {
    await page.goto(`/quiz/${id}/statistics`)
    await expect(page.getByText('2 sur 3 participants ont accepté · 66,7 %')).toBeVisible()
  })
})

test('the box is in the creator’s words, or not at all when visitors ask for it', async ({
  page,
  creator,
  visitor,
}) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  await client.integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
  await client.integrations.setBrevo({ id, body: { enabled: true } })
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Intégrations' }).click()
  await page.getByLabel('Texte de la case').fill('Oui, écrivez-moi')
  await expect
    .poll(async () => (await client.quizzes.get({ id })).quiz.consent_text)
    .toBe('Oui, écrivez-moi')
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await expect(visitor.getByRole('checkbox', { name: 'Oui, écrivez-moi' })).not.toBeChecked()
  await page.getByLabel('Service demandé : transmettre sans case à cocher').click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Vous devez pouvoir prouver')
  await dialog.getByRole('button').last().click()
  await expect
    .poll(async () => (await client.quizzes.get({ id })).quiz.consent_mode)
    .toBe('requested')
  await page.goto(`/quiz/${id}/preview`)
  await choose(page, 'Libre')
  await expect(page.getByLabel('Où vous écrire ?')).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
})
