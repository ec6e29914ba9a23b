import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT, readSourceTexts } from './testing/source-texts.ts'

/** Shown texts that keep a word of the last column, because the word is fixed or names another thing there. */
const EXCEPTIONS = [
  'Ce qui est transmis',
  'Hors ligne, nouvel essai…',
  'Non enregistré, nouvel essai…',
  'J’accepte que mon adresse email et mon résultat soient transmis à l’outil d’emailing de l’auteur de ce questionnaire, pour recevoir ses emails. Je pourrai me désinscrire à tout moment.',
  // Forms of Kit.
  'formulaire',
  'Demander à Kit quels tags, séquences ou formulaires a le compte connecté',
  'Le service est momentanément indisponible, réessayez dans un instant',
  'Vos quiz et sondages, leurs pages publiques et toutes leurs réponses sont effacés aussitôt. Votre compte de connexion reste chez le service qui le garde.',
]

/** Returns the words of the last column of the glossary. */
const readForbiddenWords = (): string[] =>
  readFileSync(join(ROOT, 'docs/glossaire.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .flatMap((line) => line.split('|')[4]?.split(',') ?? [])
    .map((word) => word.trim())

const FORBIDDEN = readForbiddenWords()

/** Parts of addresses, such as `/essais` and `formulaire.example.fr`, are no words. */
const PATTERN = new RegExp(`(?<![\\p{L}/])(?:${FORBIDDEN.join('|')})s?(?!\\.?\\p{L})`, 'iu')

const TEXTS = readSourceTexts()

test('no text of the source has a word that the glossary replaces', () => {
  assert.ok(FORBIDDEN.length > 25 && TEXTS.length > 10_000)
  const found = TEXTS.filter(({ text }) => PATTERN.test(text) && !EXCEPTIONS.includes(text))
  assert.deepEqual(found, [])
})

test('each exception is still a text of the source, and still needed', () => {
  const known = new Set(TEXTS.map(({ text }) => text))
  for (const text of EXCEPTIONS) assert.ok(known.has(text) && PATTERN.test(text), text)
})

test('words are found in any case and number, but not within addresses or longer words', () => {
  for (const text of ['Répondants', 'Une Enquête.', 'par choix']) assert.match(text, PATTERN)
  for (const text of ['/quiz/a/essais', 'formulaire.exemple.fr', 'Réessayez', 'essayer'])
    assert.doesNotMatch(text, PATTERN)
})
