/** Writes every mail of the product, with invented facts, as pages to look at: HTML and plain text. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { accountLetters } from '../src/server/mails/account-letters.ts'
import { htmlOf, textOf } from '../src/server/mails/frame.ts'

const folder = join(import.meta.dirname, '../dist/mails')
const facts = {
  email: 'camille@exemple.fr',
  new_email: 'camille.dupre@exemple.fr',
  url: 'https://quiz.exemple.fr/auth/v1/verify?token=0123456789abcdef&type=signup',
  code: '042137',
}

mkdirSync(folder, { recursive: true })
const rows = Object.entries(accountLetters).map(([kind, write]) => {
  const letter = write(facts)
  writeFileSync(join(folder, `${kind}.html`), htmlOf(letter))
  writeFileSync(join(folder, `${kind}.txt`), textOf(letter))
  return `<li><a href="${kind}.html">${letter.subject}</a> (<a href="${kind}.txt">texte</a>)</li>`
})
const index = join(folder, 'index.html')
const page = `<!doctype html><html lang="fr"><meta charset="utf-8"><title>Mails</title><ul>${rows.join('')}</ul></html>`
writeFileSync(index, page)
console.log(`Every mail is in ${pathToFileURL(index)}`)
