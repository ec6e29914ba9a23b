import { readFile } from 'node:fs/promises'
import { clientOf } from '../../scripts/http-client.ts'
import { readPdf } from '../../src/server/testing/pdf/read-pdf.ts'
import { createNoisePicture } from '../../src/server/testing/quizzes/pictures.ts'
import { publishReportQuiz } from '../../src/server/testing/quizzes/report-quiz.ts'
import { expect, PASSWORD, uniqueEmail } from '../support/fixtures.ts'
import { testWithMails } from '../support/mail-server.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

const test = testWithMails({ AUTH_AUTOCONFIRM: 'true' })

/** Number of random pictures that make a report too large for an attachment. */
const NB_PICTURES = 6

test('a visitor gets the certificate with the result mail, and opens the link to a report that is too large to attach', async ({
  page,
  origin,
  catcher,
}) => {
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
      ...{ id, body: { ...options, text: `Photo ${rank} ?`, image_id: image.id, image_alt: '' } },
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
