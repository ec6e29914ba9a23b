/**
 * Writes an example of each mail of the product, as HTML and plain text. With `--pictures`, also pictures of each at 600
 * and 360 pixels: light, dark, without maximum widths, and without images. Usage: `npm run mails -- [--pictures] [folder]`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { parseRichText } from '../src/contract/parse-rich-text.ts'
import type { Letter, MailSender } from '../src/domain/mail-letters/letter.ts'
import { renderLetterHtml } from '../src/domain/mail-letters/letter-html.ts'
import { renderLetterText } from '../src/domain/mail-letters/letter-plain.ts'
import { resultLetter } from '../src/domain/mail-letters/result-letter.ts'
import { DEFAULT_CONSENT_TEXTS } from '../src/domain/questionnaire/consent/consent.ts'
import { imageIdOf } from '../src/domain/questionnaire/images.ts'
import { confirmationLetter } from '../src/server/confirmations/confirmation-letter.ts'
import { accountLetters } from '../src/server/mails/account-letters.ts'
import { digestLetter, noticeLetter } from '../src/server/mails/quiz-letters.ts'
import { prepareChromium } from './test/chromium.ts'

const parameters = process.argv.slice(2)
const hasPictures = parameters.includes('--pictures')
const named = parameters.find((parameter) => !parameter.startsWith('-'))
const folder = named ? resolve(named) : join(import.meta.dirname, '../dist/mails')
const facts = {
  email: 'camille@exemple.fr',
  new_email: 'camille.dupre@exemple.fr',
  url: 'https://quiz.exemple.fr/auth/v1/verify?token=0123456789abcdef&type=signup',
  code: '042137',
}

const public_url = 'https://quiz.exemple.fr'
const quiz_name = 'Quel entrepreneur êtes-vous ?'
const result = 'L’audacieuse'
const image_id = imageIdOf(
  { width: 1200, height: 600, color: '#c4d7e6', is_opaque: true },
  '11111111-1111-4111-8111-111111111111',
)
const words = {
  subject: `Votre résultat : ${result}`,
  quiz: { name: quiz_name },
  body: parseRichText(
    `Bonjour Camille,\n\nVotre résultat : **${result}**. Pour *avancer* :\n\n- [le guide](https://exemple.fr/guide)\n- un premier pas, dès demain`,
  ),
  unsubscribe_url: `${public_url}/desinscription/0123456789abcdef`,
}
const quizLetters: Record<string, Letter> = {
  result: resultLetter({
    ...words,
    public_url,
    parts: [
      { kind: 'heading', text: result },
      { kind: 'picture', image_id, alt: 'Une femme saute d’un rocher à l’autre' },
      {
        kind: 'text',
        text: parseRichText(
          'Vous décidez **vite**, et vous aimez commencer.\n\n- Votre force : l’élan\n- Votre chantier : [finir](https://exemple.fr/finir)',
        ),
      },
      {
        kind: 'text',
        text: [{ list: [[['Élan : 82 % (Fort)']], [['Méthode : 35 % (À cultiver)']]] }],
      },
      { kind: 'button', label: 'Réserver un appel', url: 'https://exemple.fr/appel' },
    ],
    links: [
      [{ a: ['Télécharger votre rapport (PDF)'], href: `${public_url}/q/1/rapport/abc` }],
      [{ a: ['Ouvrir ma page'], href: `${public_url}/q/1/ma-page/abc` }],
    ],
  }),
  result_words_only: resultLetter(words),
  notice: noticeLetter({
    quiz: { name: quiz_name, type: 'quiz' },
    result,
    email: facts.email,
    url: `${public_url}/quiz/1`,
  }),
  confirmation: confirmationLetter({
    quiz: { name: quiz_name },
    email: facts.email,
    sender_name: 'Atelier des possibles',
    consent_text: DEFAULT_CONSENT_TEXTS.quiz,
    is_mailed: true,
    is_reminder: false,
    url: `${public_url}/q/1/confirmation/abc`,
    unsubscribe_url: words.unsubscribe_url,
  }),
  daily_digest: digestLetter({
    public_url,
    quizzes: [
      {
        quiz_id: '1',
        name: quiz_name,
        nb_participants: 12,
        results: [
          { name: result, nb_participants: 8 },
          { name: 'La stratège', nb_participants: 4 },
        ],
      },
      { quiz_id: '2', name: 'Satisfaction à chaud', nb_participants: 1, results: [] },
    ],
  }),
}
/** Mails with an address for replies. */
const SENDERS: Record<string, MailSender> = {
  result: { reply_to: facts.email },
  confirmation: { reply_to: facts.email },
}
const letters = [
  ...Object.entries(accountLetters).map(([kind, write]): [string, Letter] => [kind, write(facts)]),
  ...Object.entries(quizLetters),
]

mkdirSync(folder, { recursive: true })
const rows = letters.map(([kind, letter]) => {
  writeFileSync(join(folder, `${kind}.html`), renderLetterHtml(letter, SENDERS[kind]))
  writeFileSync(join(folder, `${kind}.txt`), renderLetterText(letter, SENDERS[kind]))
  return `<li><a href="${kind}.html">${letter.subject}</a> (<a href="${kind}.txt">texte</a>)</li>`
})
const index = join(folder, 'index.html')
const page = `<!doctype html><html lang="fr"><meta charset="utf-8"><title>Mails</title><ul>${rows.join('')}</ul></html>`
writeFileSync(index, page)
console.log(`Every mail is in ${pathToFileURL(index)}`)

/** Kinds of pictures: the colours of the device, and whether the mail program knows maximum widths and shows images. */
const LOOKS = [
  { name: 'light', colorScheme: 'light', has_max_width: true, has_images: true },
  { name: 'dark', colorScheme: 'dark', has_max_width: true, has_images: true },
  { name: 'no-max-width', colorScheme: 'light', has_max_width: false, has_images: true },
  { name: 'no-images', colorScheme: 'light', has_max_width: true, has_images: false },
] as const
/** Image in place of those of the product. */
const SAMPLE_IMAGE = join(import.meta.dirname, '../src/server/site/help/pictures/statistiques.webp')

/** Writes the pictures of all mails. No request leaves the machine. */
const writePictures = async (): Promise<void> => {
  const packaged = await prepareChromium()
  const browser = await chromium.launch({
    executablePath: packaged?.CHROMIUM_PATH,
    env: { ...process.env, ...packaged },
    args: ['--no-sandbox', '--disable-gpu'],
  })
  for (const { name, colorScheme, has_max_width, has_images } of LOOKS)
    for (const width of [600, 360]) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
      const screen = await context.newPage()
      await screen.route('**', (route) =>
        has_images ? route.fulfill({ path: SAMPLE_IMAGE }) : route.abort(),
      )
      for (const [kind, letter] of letters) {
        const html = renderLetterHtml(letter, SENDERS[kind])
        await screen.setContent(has_max_width ? html : html.replaceAll(/max-width:[^;"]*;?/g, ''), {
          waitUntil: 'load',
        })
        await screen.screenshot({
          path: join(folder, `${kind}-${width}-${name}.png`),
          fullPage: true,
        })
      }
      await context.close()
    }
  await browser.close()
}
if (hasPictures) await writePictures()
