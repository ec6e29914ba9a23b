import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { clientOf } from '../../scripts/http-client.ts'
import { unzipBytes } from '../../src/server/testing/network/bodies/unzip.ts'
import { readPdf, withoutSpace } from '../../src/server/testing/pdf/read-pdf.ts'
import { publishSkillsQuiz } from '../../src/server/testing/quizzes/skills-quiz.ts'
import {
  expect,
  expectAccessible,
  PASSWORD,
  storeSession,
  uniqueEmail,
} from '../support/fixtures.ts'
import { findSmallTargets } from '../support/layout-checks.ts'
import { testWithMails } from '../support/mail-server.ts'

const test = testWithMails({ AUTH_AUTOCONFIRM: 'true' })

const DAY_MS = 86_400_000
const LINK = /\/q\/[\w-]+\/i\/([\w-]{22})/

test('a creator compares two campaigns, shows them to their participants and downloads the file for an audit @phone', async ({
  page,
  origin,
  catcher,
  isMobile,
}) => {
  const data = { email: uniqueEmail(), password: PASSWORD }
  const signedUp = await page.request.post(`${origin}/auth/v1/signup`, { data })
  const client = clientOf(origin, (await signedUp.json()).access_token)
  const quiz = await publishSkillsQuiz(client)
  const people = Array.from({ length: 6 }, (_, rank) => ({
    email: uniqueEmail(),
    first_name: `Prénom${rank}`,
    group_name: rank < 5 ? 'Nord' : 'Sud',
  }))
  const linksTo = (email: string): string[] =>
    catcher.mails.filter(({ to }) => to === email).map(({ text }) => LINK.exec(text)?.[1] ?? '')

  /** Invites all people, and lets each reply with these numbers of the scales. */
  const runCampaign = async (name: string, numbers: readonly number[]): Promise<string> => {
    const nb_before = linksTo(people[0]?.email ?? '').length
    const { campaign } = await client.campaigns.create({
      id: quiz.id,
      body: {
        name,
        invitation_subject: 'Votre avis',
        invitation_text: 'Bonjour {{prénom}}',
        reminder_subject: 'Rappel',
        reminder_text: 'Bonjour',
        ends_at: new Date(Date.now() + DAY_MS).toISOString(),
        people,
        may_write: true,
      },
    })
    for (const [rank, { email }] of people.entries()) {
      await expect.poll(() => linksTo(email).length, { timeout: 120_000 }).toBe(nb_before + 1)
      const answers = quiz.repliesOf(
        numbers.map((number, index) => number + (index ? 0 : rank % 2)),
      )
      const sent = await page.request.post(
        `${origin}/api/v1/quizzes/${quiz.id}/i/${linksTo(email).at(-1)}/submit`,
        { data: { answers, participant_uuid: randomUUID(), run_secret: randomUUID() } },
      )
      expect(sent.status()).toBe(201)
    }
    return campaign.id
  }
  await runCampaign('Avant la formation', [2, 5, 8])
  const campaignId = await runCampaign('Après la formation', [7, 5, 9])
  await storeSession(page, await signedUp.text())

  /** Expects controls that are large enough for a finger, on a phone. */
  const expectLargeTargets = async (): Promise<void> => {
    if (isMobile) expect(await findSmallTargets(page.locator('body'))).toEqual([])
  }

  await test.step('the screen asks for the earlier campaign, then shows each change with its interval', async () => {
    await page.goto(`${origin}/quiz/${quiz.id}/campagnes/${campaignId}`)
    await expect(page.getByRole('heading', { name: 'Personnes' })).toBeVisible()
    await expectLargeTargets()
    await page.getByRole('link', { name: 'Avant et après' }).click()
    await expect(page.getByText('Choisissez la campagne d’avant')).toBeVisible()
    const select = page.getByLabel('Campagne d’avant')
    await select.selectOption({ index: 1 })
    const chart = page.getByRole('figure', { name: 'Évolution de toutes les personnes' })
    await expect(chart.getByRole('listitem')).toHaveCount(4)
    await expect(chart.getByRole('listitem').nth(1)).toContainText('+50,0 points')
    await expect(chart.getByRole('listitem').nth(2)).toContainText('0,0 points')
    await expect(page.getByText('6 personnes ont répondu aux deux campagnes')).toBeVisible()
    await expectLargeTargets()
    await expectAccessible(page)
  })

  await test.step('the table and the groups have the same figures in words, and few people have none', async () => {
    const chart = page.getByRole('figure', { name: 'Évolution de toutes les personnes' })
    await chart.getByText('Voir en tableau').click()
    await expect(
      chart.getByRole('row', { name: /Écoute 25,0 % 75,0 % \+50,0 points/ }),
    ).toBeVisible()
    await page.getByLabel('Chiffre comparé').selectOption({ label: 'Gestion' })
    const groups = page.getByRole('figure', { name: 'Évolution par groupe : Gestion' })
    await expect(groups.getByRole('listitem').first()).toContainText('+10,0 points')
    await expect(groups.getByRole('listitem').nth(1)).toContainText('Trop peu de personnes')
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBeLessThanOrEqual(0)
  })

  await test.step('the changes of people are a file, and the participants see theirs on demand', async () => {
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV standard' }).click()
    const file = await readFile(await (await downloading).path(), 'utf8')
    for (const { email } of people) expect(file).toContain(email)
    await page.getByRole('button', { name: 'La montrer aux participants' }).click()
    await expect(page.getByRole('button', { name: 'Ne plus la montrer' })).toBeVisible()
  })

  await test.step('the file for the audit is prepared in the background and downloaded', async () => {
    await page.getByRole('link', { name: 'Retour à la campagne' }).click()
    await page.getByRole('link', { name: 'Dossier de preuves' }).click()
    await page.getByLabel('Actions menées').fill('Formation de rappel en mars')
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await expect(page.getByRole('button', { name: 'Enregistrer' })).toBeDisabled()
    await page.getByRole('button', { name: 'Préparer le dossier' }).click()
    const button = page.getByRole('button', { name: 'Télécharger le dossier' })
    await expect(button).toBeVisible({ timeout: 120_000 })
    await expectLargeTargets()
    await expectAccessible(page)
    const downloading = page.waitForEvent('download')
    await button.click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^Dossier de preuves - Après la formation/)
    const files = unzipBytes(await readFile(await download.path()))
    const words = await readPdf(files['Dossier de preuves.pdf'] ?? Buffer.alloc(0))
    expect(withoutSpace(words)).toContain(withoutSpace('Formation de rappel en mars'))
    expect(withoutSpace(words)).toContain(withoutSpace('+50,0 points'))
    await page.getByRole('button', { name: 'Supprimer' }).click()
    await expect(page.getByRole('button', { name: 'Préparer le dossier' })).toBeVisible()
  })
})
