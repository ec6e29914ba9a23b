import { readFile } from 'node:fs/promises'
import { clientOf } from '../../scripts/http-client.ts'
import { readPdf } from '../../src/server/testing/pdf/read-pdf.ts'
import { createNoisePicture } from '../../src/server/testing/quizzes/pictures.ts'
import { publishReportQuiz } from '../../src/server/testing/quizzes/report-quiz.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { openScreen } from '../support/editor-steps.ts'
import {
  expect,
  expectAccessible,
  PASSWORD,
  storeSession,
  uniqueEmail,
} from '../support/fixtures.ts'
import { testWithMails } from '../support/mail-server.ts'
import { publishWheel } from '../support/published-quizzes.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

const test = testWithMails({ AUTH_AUTOCONFIRM: 'true' })
// The journeys run one after the other, so that they share a server.
test.describe.configure({ mode: 'default' })

const SHOTS = process.env.SHOTS
const SWITCH = 'À chaque participant qui laisse son adresse, envoyer son résultat par email'

test('a creator writes the mail and tests it, a visitor gets it, and the creator disables the mails @phone', async ({
  page,
  browser,
  origin,
  catcher,
}, { project }) => {
  const email = uniqueEmail()
  const data = { email, password: PASSWORD }
  const signedUp = await page.request.post(`${origin}/auth/v1/signup`, { data })
  const client = clientOf(origin, (await signedUp.json()).access_token)
  const { id } = await publishedScoreQuiz(client)
  const card = page.getByRole('region', { name: 'Emails', exact: true })
  const visitors = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const shoot = async (name: string): Promise<void> => {
    if (!SHOTS) return
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await card.scrollIntoViewIfNeeded()
      await page.screenshot({
        path: `${SHOTS}/mails-${name}-${project.name}-${colorScheme}.png`,
        fullPage: true,
      })
    }
    await page.emulateMedia({ colorScheme: 'light' })
  }

  await test.step('the mail is off, and one switch enables it', async () => {
    await storeSession(page, await signedUp.text())
    await page.goto(`${origin}/quiz/${id}/settings?onglet=automatisations`)
    await expect(card.getByRole('switch', { name: SWITCH })).not.toBeChecked()
    await card.getByRole('switch', { name: SWITCH }).click()
    await expect(card.getByRole('switch', { name: SWITCH })).toBeChecked()
    await expectAccessible(page)
  })

  await test.step('a switch that is pressed several times during a save is stored in its last state', async () => {
    const held = Promise.withResolvers<void>()
    const mails = `**/quizzes/${id}/mails`
    const stored: unknown[] = []
    page.on('requestfinished', (request) => {
      if (request.method() === 'PUT' && request.url().endsWith('/mails'))
        stored.push(request.postDataJSON())
    })
    await page.route(mails, async (route) => {
      await held.promise
      await route.continue()
    })
    for (const isOn of [false, true, false, true]) {
      await card.getByRole('switch', { name: SWITCH }).click()
      await expect(card.getByRole('switch', { name: SWITCH })).toBeChecked({ checked: isOn })
    }
    held.resolve()
    // The first and the last state are stored.
    await expect.poll(() => stored).toEqual([{ sends_result: false }, { sends_result: true }])
    expect((await client.quizMails.get({ id })).mails.sends_result).toBe(true)
    await page.unroute(mails)
    await expect(card.getByRole('switch', { name: SWITCH })).toBeChecked()
  })

  await test.step('if the second of two changes is refused, the screen shows the stored first one', async () => {
    const held = Promise.withResolvers<void>()
    const mails = `**/quizzes/${id}/mails`
    let nb_asked = 0
    await page.route(mails, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      nb_asked++
      if (nb_asked > 1) return route.fulfill({ status: 503, json: { error: 'Réessayez.' } })
      await held.promise
      await route.continue()
    })
    await card.getByRole('switch', { name: SWITCH }).click()
    await expect(card.getByRole('switch', { name: SWITCH })).not.toBeChecked()
    await card.getByLabel('À chaque participant, m’écrire').check()
    held.resolve()
    const alert = page.getByRole('alertdialog', { name: 'Erreur' })
    await alert.getByRole('button', { name: 'OK' }).click()
    await expect(card.getByLabel('Ne pas m’écrire')).toBeChecked()
    await expect(card.getByRole('switch', { name: SWITCH })).not.toBeChecked()
    await page.unroute(mails)
    await card.getByRole('switch', { name: SWITCH }).click()
    await expect
      .poll(async () => (await client.quizMails.get({ id })).mails.sends_result)
      .toBe(true)
  })

  await test.step('an unknown insertion is refused at its field', async () => {
    await card.getByRole('button', { name: 'Modifier l’email' }).click()
    await card.getByLabel('Objet').fill('Bravo : {{résultat}}')
    await card.getByLabel('Texte').fill('Bonjour {{prenom}},\n\n**{{résultat}}** !')
    await card.getByRole('button', { name: 'Enregistrer' }).click()
    await expect(card.getByText('{{prenom}} n’est le nom court d’aucune question')).toBeVisible()
    await expect(card.getByRole('textbox', { name: 'Texte' })).toBeFocused()
    await shoot('refused')
    await expectAccessible(page)
    await card.getByRole('button', { name: 'Fermer l’email' }).click()
    await expect(card.getByLabel('Objet')).toBeHidden()
    await card.getByRole('button', { name: 'Modifier l’email' }).click()
    await expect(card.getByLabel('Objet')).toHaveValue('Bravo : {{résultat}}')
  })

  await test.step('the preview shows the mail, and a test mail is sent', async () => {
    await card
      .getByLabel('Texte')
      .fill('Bonjour,\n\n**{{résultat}}** !\n\n- [La suite](https://exemple.fr)')
    const preview = card.getByRole('region', { name: 'Aperçu de l’email' })
    await expect(preview).toContainText('Bravo : Pas à pas')
    await expect(preview.locator('strong', { hasText: 'Pas à pas' }).last()).toBeVisible()
    const trying = `**/quizzes/${id}/mails/test`
    await page.route(trying, (route) => route.abort())
    await card.getByRole('button', { name: 'M’envoyer un test' }).click()
    await expect(card.getByRole('alert')).toHaveText('Le test n’a pas pu partir. Réessayez.')
    await page.unroute(trying)
    await card.getByRole('button', { name: 'M’envoyer un test' }).click()
    await expect(card.getByText(`Le test est parti à ${email}.`)).toBeVisible()
    expect((await catcher.next(email)).subject).toBe('Bravo : Pas à pas')
    await card.getByRole('button', { name: 'Enregistrer' }).click()
    await expect(card.getByText('L’email est enregistré.')).toBeVisible()
    await card.getByRole('textbox', { name: 'Objet' }).press('Space')
    await expect(card.getByText('L’email est enregistré.')).toHaveCount(0)
    // Spaces around the subject are not stored, so there is nothing to save.
    await expect(card.getByRole('button', { name: 'Enregistrer' })).toBeDisabled()
    await shoot('words')
    await expectAccessible(page)
  })

  const address = uniqueEmail()
  await test.step('a visitor reads that a mail will come, answers, and receives the mail', async () => {
    await card.getByLabel('À chaque participant, m’écrire').check()
    const visitor = await visitors.newPage()
    await visitor.goto(`${origin}/q/${id}`)
    await choose(visitor, 'Libre')
    await expect(visitor.getByText('Vous recevrez votre résultat par email.')).toBeVisible()
    await expectAccessible(visitor)
    await enterEmail(visitor, address)
    await expectResult(visitor, 'Grand saut')
    const mail = await catcher.next(address)
    expect(mail.subject).toBe('Bravo : Grand saut')
    expect(mail.html).toContain('<strong>Grand saut</strong>')
    const notice = await catcher.next(email)
    expect(notice.text).toContain(address)
    expect(notice.link).toContain(`/quiz/${id}/statistics?participant=`)
    const way_out = /https?:\/\/\S+\/desinscription\/\S+/.exec(mail.text)?.[0] ?? ''
    await visitor.goto(way_out)
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Ne plus recevoir d’emails')
    await expectAccessible(visitor)
    await visitor.getByRole('button', { name: 'Confirmer' }).click()
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('C’est fait')
    await expectAccessible(visitor)
  })

  await test.step('the delivery screen lists both mails', async () => {
    await openScreen(page, `/quiz/${id}/envois`)
    for (const name of ['Email au participant', 'Email à vous'])
      await expect(page.getByRole('region', { name })).toContainText('1 participant = 1 envoyé')
    await expectAccessible(page)
  })
  await visitors.close()
})

/** Returns the lines of a text without list marks and empty lines. Every kind of space becomes a plain space. */
const linesOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => line.replace(/^- /, '').replaceAll(/\s+/g, ' ').trim() || [])

test('the result mail has the percents and texts of the result page in the order of the page', {
  tag: '@rare',
}, async ({ page, origin, catcher }) => {
  const [data, address] = [{ email: uniqueEmail(), password: PASSWORD }, uniqueEmail()]
  const signedUp = await page.request.post(`${origin}/auth/v1/signup`, { data })
  const client = clientOf(origin, (await signedUp.json()).access_token)
  const { id } = await publishWheel(client)
  await client.quizMails.set({ id, body: { sends_result: true } })
  await page.goto(`${origin}/q/${id}`)
  await page.getByRole('radio', { name: '3', exact: true }).check()
  await choose(page, 'Rempli')
  await enterEmail(page, address)
  await expect(page.getByRole('region', { name: 'Résultat par dimension' })).toBeVisible()
  const ending = page.locator('.q-ending')
  const figures = await ending.locator('.q-dimensions > ol > li').allInnerTexts()
  const shown = linesOf(
    [
      ...(await ending.locator('.q-title, .q-title + *, .q-variant').allInnerTexts()),
      ...figures.map((line) => line.replace(/\s(\d+\s%)\s+(.+)/, ' : $1 ($2)')),
      ...(await ending.locator('.q-dimension').allInnerTexts()),
    ].join('\n'),
  )
  // The page repeats the percent of a dimension above the texts of the dimension; the mail does not.
  const expected = shown.filter((line) => !/^\d+ % : /.test(line))
  expect(expected).toHaveLength(13)
  const mail = await catcher.next(address)
  const letter = await page.context().newPage()
  await letter.setContent(mail.html)
  const html = (await letter.locator('body').allInnerTexts()).join('\n')
  const button = ' (https://exemple.fr/rdv)'
  expect(mail.text).toContain(`Prendre rendez-vous${button}`)
  await expect(letter.getByRole('link', { name: 'Prendre rendez-vous' })).toBeVisible()
  for (const lines of [linesOf(mail.text.replace(button, '')), linesOf(html)]) {
    const from = lines.indexOf('À bientôt !') + 1
    expect(lines.slice(from, from + expected.length)).toEqual(expected)
  }
})

/** Number of random pictures that make a report too large for an attachment. */
const NB_PICTURES = 6

test('a visitor gets the certificate with the result mail, and opens the link to a report that is too large to attach', {
  tag: '@rare',
}, async ({ page, origin, catcher }) => {
  const data = { email: uniqueEmail(), password: PASSWORD }
  const signedUp = await page.request.post(`${origin}/auth/v1/signup`, { data })
  const client = clientOf(origin, (await signedUp.json()).access_token)
  const quiz = await publishReportQuiz(client)
  const { id } = quiz
  for (let rank = 0; rank < NB_PICTURES; rank++) {
    const picture = await createNoisePicture(800, 600).png().toBuffer()
    const { image } = await client.images.add({ body: new Uint8Array(picture) })
    const options = { type: 'text' as const, page_number: 2, is_required: false }
    const { question } = await client.questions.create({
      id,
      body: { ...options, text: `Photo ${rank} ?`, image_id: image.id, image_alt: '' },
    })
    expect(question.image_id).toBe(image.id)
  }
  await client.quizMails.set({ id, body: { sends_result: true } })
  await client.quizzes.publish({ id })

  const email = uniqueEmail()
  await page.goto(`${origin}/q/${id}`)
  await choose(page, 'Libre')
  await page.getByLabel('Votre prénom ?').fill('Zoé')
  await enterEmail(page, email)
  await expectResult(page, 'Grand saut')

  const { attachments, html } = await catcher.next(email)
  expect(attachments).toHaveLength(1)
  expect(await readPdf(attachments[0] ?? Buffer.alloc(0))).toMatch(/Zoé .*Numéro : /)
  const letter = await page.context().newPage()
  await letter.setContent(html)
  const coming = letter.waitForEvent('download')
  await letter.getByRole('link', { name: 'Télécharger votre rapport (PDF)' }).click()
  const download = await coming
  expect(download.suggestedFilename()).toBe('Rapport - Gestes qui sauvent - Zoé.pdf')
  const pdf = await readFile(await download.path())
  expect(pdf.length).toBeGreaterThan(1_048_576)
  expect(await readPdf(pdf)).toContain('Photo 5 ?')
})
