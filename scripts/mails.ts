/** Writes an example of each mail of the product to dist/mails, as HTML and plain text. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseRichText } from '../src/contract/parse-rich-text.ts'
import { accountLetters } from '../src/server/mails/account-letters.ts'
import { type Letter, renderLetterHtml, renderLetterText } from '../src/server/mails/letter.ts'
import { digestLetter, noticeLetter, resultLetter } from '../src/server/mails/quiz-letters.ts'

const folder = join(import.meta.dirname, '../dist/mails')
const facts = {
  email: 'camille@exemple.fr',
  new_email: 'camille.dupre@exemple.fr',
  url: 'https://quiz.exemple.fr/auth/v1/verify?token=0123456789abcdef&type=signup',
  code: '042137',
}

const public_url = 'https://quiz.exemple.fr'
const quiz_name = 'Quel entrepreneur êtes-vous ?'
const result = 'L’audacieuse'
const quizLetters: Record<string, Letter> = {
  result: resultLetter({
    subject: `Votre résultat : ${result}`,
    quiz: { name: quiz_name },
    body: parseRichText(
      `Bonjour Camille,\n\nVotre résultat : **${result}**. Pour *avancer* :\n\n- [le guide](https://exemple.fr/guide)\n- un premier pas, dès demain`,
    ),
    unsubscribe_url: `${public_url}/desinscription/0123456789abcdef`,
  }),
  notice: noticeLetter({
    quiz: { name: quiz_name, type: 'quiz' },
    result,
    email: facts.email,
    url: `${public_url}/quiz/1`,
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
const letters = [
  ...Object.entries(accountLetters).map(([kind, write]): [string, Letter] => [kind, write(facts)]),
  ...Object.entries(quizLetters),
]

mkdirSync(folder, { recursive: true })
const rows = letters.map(([kind, letter]) => {
  writeFileSync(join(folder, `${kind}.html`), renderLetterHtml(letter))
  writeFileSync(join(folder, `${kind}.txt`), renderLetterText(letter))
  return `<li><a href="${kind}.html">${letter.subject}</a> (<a href="${kind}.txt">texte</a>)</li>`
})
const index = join(folder, 'index.html')
const page = `<!doctype html><html lang="fr"><meta charset="utf-8"><title>Mails</title><ul>${rows.join('')}</ul></html>`
writeFileSync(index, page)
console.log(`Every mail is in ${pathToFileURL(index)}`)
