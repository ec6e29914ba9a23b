import type { Page } from '@playwright/test'
import { expectSaved, readPages } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const TEXT = `# Rythme
Type : sondage

## Page 1
> Prenez votre temps.
### Votre agenda ?
- Rempli => page 2
- Libre
### Votre équipe ?
- Petite
- Grande

> Merci.

## Page 2
### La salle
Grille : Votre avis
- Oui
- Non
### Le repas
Suite de la grille : oui
- Oui
- Non
### Un mot ?
Réponse : texte long
`

const ENTRY = 'Une question par page'
const openMenu = async (page: Page, number: number): Promise<void> =>
  page.getByRole('button', { name: `Actions – Page ${number}`, exact: true }).press('Enter')

test('each question gets its own page in one step that can be undone, in windows of all widths', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { quiz } = await client.quizzes.importText({ body: { text: TEXT } })
  const { id } = quiz
  const readStored = async () => {
    const { questions, text_blocks } = await client.drafts.get({ id })
    return [...questions, ...text_blocks]
      .toSorted((a, b) => a.global_position - b.global_position)
      .map(({ page_number }) => page_number)
  }
  const readJump = async () => (await client.drafts.get({ id })).questions[0]?.answers[0]?.jump_to
  await page.goto(`/quiz/${id}/questions`)
  const announcement = page.getByText('Une question par page : 4 pages')
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(page.getByRole('heading', { name: 'Page 2' })).toBeVisible()
    await openMenu(page, 1)
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: ENTRY, exact: true }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Page 4' })).toBeVisible()
    await expect(announcement.first()).toBeVisible()
    await expectSaved(page)
    // The grid keeps its page, and each text block stays with its question.
    expect(await readStored()).toEqual([1, 1, 2, 2, 3, 3, 4])
    expect(await readJump()).toBe(3)
    expect((await readPages(page)).map((texts) => texts.length)).toEqual([2, 2, 1, 1])

    await openMenu(page, 4)
    const entry = page.getByRole('menuitem', { name: /^Une question par page/ })
    await expect(entry).toHaveText(/déjà le cas/)
    await expect(entry).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
    await expect(page.getByRole('heading', { name: 'Page 3' })).toHaveCount(0)
    await expect.poll(readStored).toEqual([1, 1, 1, 1, 2, 2, 2])
    expect(await readJump()).toBe(2)
    await expect(announcement).toHaveCount(0)
  }
})
