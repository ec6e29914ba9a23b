import { readFileSync } from 'node:fs'
import type { Locator } from '@playwright/test'
import {
  askForContact,
  contactReplies,
} from '../../src/server/testing/quizzes/contact-questions.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

const PEOPLE = [
  { email: 'ada@exemple.fr' },
  { email: 'elo@exemple.fr', first_name: 'Éloïse', last_name: 'Durand', phone: '06 12 34 56 78' },
  { email: 'jp@exemple.fr', first_name: '=1+1', last_name: 'Nom'.repeat(60) },
]

const widthOf = (one: Locator) => one.evaluate(({ scrollWidth }) => scrollWidth)

test('a creator finds a participant by name and by phone number with the keyboard, writes to them, and reads the names in a file', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const quiz = await askForContact(client, await publishedScoreQuiz(client))
  for (const person of PEOPLE)
    await client.publicQuiz.submit({
      id: quiz.id,
      body: { answers: contactReplies(quiz, person) },
    })
  const region = page.getByRole('region', { name: 'Tableau des participants' })
  const links = page.getByRole('link', { name: /: voir le détail$/ })
  const search = page.getByLabel('Chercher un participant')
  const widths: number[] = []

  await page.goto(`/quiz/${quiz.id}/statistics`)
  for (const width of [390, 1440])
    await test.step(`names are shown and found at ${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 900 })
      await expect(links).toHaveCount(3)
      await expect(links.nth(1)).toHaveAccessibleName(/, Éloïse Durand, elo@exemple\.fr :/)
      await expect(region.getByRole('row').nth(2)).toContainText('Éloïse Durandelo@exemple.fr')
      await expect(links.nth(2)).toHaveAccessibleName(/\d, ada@exemple\.fr :/)
      expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
      widths.push(await widthOf(region))
      await search.focus()
      for (const words of ['dur ELO', '0612']) {
        await page.keyboard.press('ControlOrMeta+a')
        await page.keyboard.type(words)
        await expect(page.getByText('1 participant trouvé', { exact: true })).toBeVisible()
        await expect(links).toHaveAccessibleName(/Éloïse Durand/)
      }
      await expectAccessible(page)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.press('Delete')
      await expect(links).toHaveCount(3)
      await expect(search).toBeFocused()
    })

  await test.step('the detail begins with the contact data, which can be written to and called', async () => {
    await links.nth(1).press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Éloïse Durand' })
    await expect(drawer.getByRole('term').first()).toHaveText('Nom')
    await expect(drawer.getByRole('link', { name: 'elo@exemple.fr' })).toHaveAttribute(
      'href',
      'mailto:elo%40exemple.fr',
    )
    await expect(drawer.getByRole('link', { name: '06 12 34 56 78' })).toHaveAttribute(
      'href',
      'tel:0612345678',
    )
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(links.nth(1)).toBeFocused()
  })

  await test.step('the file for Excel has the names and the number as texts', async () => {
    await page.getByRole('button', { name: 'Exporter' }).press('Enter')
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: /^CSV pour Excel/ }).press('Enter')
    const file = readFileSync(await (await coming).path(), 'utf8')
    expect(file).toContain(';Email;Prénom;Nom;Téléphone;Résultat;')
    expect(file).toContain(';elo@exemple.fr;Éloïse;Durand;"=""06 12 34 56 78""";Grand saut;')
    expect(file).toContain(';jp@exemple.fr;"=""=1+1""";NomNom')
    expect(file).toContain(';ada@exemple.fr;;;;Grand saut;')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('a name is no wider than an address in the list of a telephone', async () => {
    await page.setViewportSize({ width: 390, height: 900 })
    const named = widths[0] ?? 0
    for (const { participant_uuid, first_name } of (
      await client.statistics.responses({ id: quiz.id })
    ).details)
      if (first_name !== null)
        await client.participants.remove({ id: quiz.id, participantId: participant_uuid })
    await page.reload()
    await expect(links).toHaveCount(1)
    expect(named).toBeLessThanOrEqual(await widthOf(region))
  })
})
