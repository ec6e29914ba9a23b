import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, newToolKey, test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

const SHOTS = process.env.QUIZAINE_SHOTS
const FORWARDING = /J’accepte que mon adresse email/
const MEASURE = 'On mesure les ouvertures ?'
const EMAIL = 'lea@exemple.fr'
const SIZES = { '390': { width: 390, height: 844 }, '1440': { width: 1440, height: 900 } }

for (const [name, viewport] of Object.entries(SIZES))
  test(`a creator asks for the second consent, a visitor ticks only its box, and withdraws it on « Ma page », at ${name}`, async ({
    page,
    creator: { client },
    visitor,
    browser,
  }) => {
    test.slow()
    const shoot = async (at: typeof page, what: string): Promise<void> => {
      if (SHOTS) await at.screenshot({ path: `${SHOTS}/${what}-${name}.png`, fullPage: true })
    }
    const { id } = await publishedScoreQuiz(client)
    await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
    await client.integrations.setBrevo({ id, body: { enabled: true } })
    await client.quizzes.update({ id, body: { consent_mode: 'box', keeps_page: true } })
    await page.setViewportSize(viewport)
    await visitor.setViewportSize(viewport)

    await test.step('the switch shows the text, and visitors see the change without a publication', async () => {
      await page.goto(`/quiz/${id}/settings?onglet=integrations`)
      await page.getByRole('switch', { name: 'Demander l’accord pour la mesure' }).check()
      await page.getByLabel('Texte de l’accord pour la mesure').fill(MEASURE)
      await expectAccessible(page)
      expect(await measureOverflow(page)).toBe(0)
      await shoot(page, 'settings')
      await expect
        .poll(async () => (await fetch(`${new URL(page.url()).origin}/q/${id}`)).text())
        .toContain(MEASURE)
    })

    await test.step('both boxes are unticked, and the keyboard reaches each', async () => {
      await visitor.goto(`/q/${id}`)
      await choose(visitor, 'Rempli')
      const measure = visitor.getByRole('checkbox', { name: MEASURE })
      const forwarding = visitor.getByRole('checkbox', { name: FORWARDING })
      await expect(measure).not.toBeChecked()
      await expect(forwarding).not.toBeChecked()
      await forwarding.focus()
      await visitor.keyboard.press('Tab')
      await expect(measure).toBeFocused()
      await visitor.keyboard.press('Space')
      await expect(measure).toBeChecked()
      await expect(forwarding).not.toBeChecked()
      await expectAccessible(visitor, ['.q-next'])
      expect(await measureOverflow(visitor)).toBe(0)
      await shoot(visitor, 'boxes')
      await enterEmail(visitor, EMAIL)
      await expectResult(visitor, 'Pas à pas')
    })

    await test.step('both answers are stored apart', async () => {
      const listed = async () => (await client.statistics.responses({ id })).details
      await expect.poll(async () => (await listed()).length).toBe(1)
      const participantId = (await listed())[0]?.participant_uuid ?? ''
      const { participant } = await client.participants.explain({ id, participantId })
      expect(participant.consent?.is_given).toBe(false)
      expect(participant.measure_consent?.wording?.text).toBe(MEASURE)
    })

    await test.step('the page of the participant withdraws this consent alone', async () => {
      await visitor.getByRole('link', { name: 'Ouvrir ma page' }).click()
      await shoot(visitor, 'ma-page')
      await visitor.getByRole('button', { name: 'Retirer mon accord pour la mesure' }).click()
      await expect(visitor.getByText(/Accord pour la mesure retiré le/)).toBeVisible()
      await expectAccessible(visitor)
      expect(await measureOverflow(visitor)).toBe(0)
      await shoot(visitor, 'ma-page-withdrawn')
    })

    await test.step('the page without JavaScript has both boxes', async () => {
      const context = await browser.newContext({ javaScriptEnabled: false, viewport })
      const plain = await context.newPage()
      await plain.goto(`${new URL(page.url()).origin}/q/${id}`)
      await plain.getByText('Rempli', { exact: true }).click()
      await plain.getByRole('button', { name: 'Suivant' }).click()
      await plain.getByLabel('Où vous écrire ?').fill('noe@exemple.fr')
      await plain.getByRole('checkbox', { name: MEASURE }).check()
      await expect(plain.getByRole('checkbox', { name: FORWARDING })).not.toBeChecked()
      await shoot(plain, 'noscript')
      await plain.getByRole('button', { name: /résultat/i }).click()
      await expect(plain.getByText('Pas à pas')).toBeVisible()
      await context.close()
      const { details } = await client.statistics.responses({ id })
      const own = details.find(({ email }) => email === 'noe@exemple.fr')
      const at = { id, participantId: own?.participant_uuid ?? '' }
      const { participant } = await client.participants.explain(at)
      expect([participant.consent?.is_given, participant.measure_consent?.is_given]).toEqual([
        false,
        true,
      ])
    })
  })
