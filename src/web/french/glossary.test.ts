import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'vite'
import { PAGE_TU_FORMS } from '#domain/run/wording/page-wording.ts'
import { OTHER_TU_FORMS } from '#domain/run/wording/wording.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Shown texts that keep a word of the last column, because the word is fixed or names another thing there. */
const EXCEPTIONS = [
  'Ce qui est transmis',
  'Hors ligne, nouvel essai…',
  'Non enregistré, nouvel essai…',
  'J’accepte que mon adresse email et mon résultat soient transmis à l’outil d’emailing de l’auteur de ce questionnaire, pour recevoir ses emails. Je pourrai me désinscrire à tout moment.',
  // Part of the sentence above.
  'soient transmis',
  // Words that creators type into the search for templates.
  'QCM, contrôle, bonnes réponses, évaluation',
  'QCM, test final, Qualiopi, évaluation, attestation',
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

type Node = { type: string; value?: unknown; quasis?: { value: { cooked: string } }[] }

const textOf = ({ type, value, quasis }: Node): string | undefined => {
  if (type === 'TemplateLiteral') return quasis?.map((quasi) => quasi.value.cooked).join('…')
  const isText = (type === 'Literal' || type === 'JSXText') && typeof value === 'string'
  return isText ? value : undefined
}

/** Returns all string literals, templates and JSX texts below a node of a syntax tree. */
const collectTexts = (node: unknown): string[] => {
  if (node === null || typeof node !== 'object') return []
  const text = 'type' in node ? textOf(node as Node) : undefined
  const own = text === undefined ? [] : [text.replaceAll(/\s+/g, ' ').trim()]
  return [...own, ...Object.values(node).flatMap(collectTexts)]
}

/** Text of the source, with the path of its file below `src`. */
type SourceText = { file: string; text: string }

const readTexts = (file: string): SourceText[] =>
  collectTexts(parseSync(file, readFileSync(join(ROOT, 'src', file), 'utf8')).program).map(
    (text) => ({ file, text }),
  )

const FILES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })

/** Parts of the help that are no words of ours: labels, words for the search, and names of Kit. */
const OTHER_WORDS = /\*\*[^*]*\*\*|^Mots : .*|formulaires? de Kit/gm

/** Returns the lines of a page of the help without the words of others. */
const readHelpLines = (file: string): SourceText[] =>
  readFileSync(join(ROOT, 'src', file), 'utf8')
    .replaceAll(OTHER_WORDS, '')
    .split('\n')
    .map((text) => ({ file, text }))

/** All texts of the source without tests, and of the help. Each run of white space is one space. */
const TEXTS: SourceText[] = [
  ...FILES.filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.ts$|(?:^|\/)testing\//.test(file),
  ).flatMap(readTexts),
  ...FILES.filter((file) => /^server\/site\/help\/.*\.md$/.test(file)).flatMap(readHelpLines),
]

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

/** Words that address a visitor with « vous ». */
const VOUS = /(?<!\p{L})(?:vous|votre|vos)(?!\p{L})|(?<!\p{L})\p{L}+ez(?!\p{L})/iu

/** Sources whose texts visitors and participants read. */
const FOR_VISITORS =
  /^(?:web\/player\/|web\/embed\/|domain\/run\/|domain\/reports\/|domain\/questionnaire\/(?:pages|access|consent)|domain\/deliveries\/quiz-mail|server\/public-quiz\/|server\/responses\/|server\/participant-pages\/|domain\/participant-pages\/|server\/social-image\/|server\/quiz-mails\/mail-documents)/

/** Texts that keep « vous », because their reader is a creator or their page belongs to no quiz. */
const VOUS_EXCEPTIONS = [
  // Pages that belong to no quiz.
  'Beaucoup de documents sont demandés en ce moment. Réessayez dans quelques instants.',
  'Réessayez dans quelques instants.',
  'Revenez au questionnaire et recommencez.',
  'Pour protéger vos réponses, les liens vers les rapports ont changé. Votre rapport existe toujours : ouvrez « Ma page » si vous en avez reçu l’adresse, ou demandez un nouveau lien à l’auteur du questionnaire. Le lien de votre attestation reste valable.',
  'Cette page est trop grande pour être affichée sans JavaScript. Activez-le, ou revenez en arrière et raccourcissez vos réponses.',
  // Texts for the creator of the quiz.
  '<header class=q-test>Mode test\u00a0: vos réponses ne sont ni comptées ni envoyées.</header>'.replaceAll(
    /\s+/g,
    ' ',
  ),
  'Ce lien a expiré ou n’est pas complet. Dans Quizaine, ouvrez à nouveau le quiz avec « Répondre en test ».',
  'Le texte a trop d’insertions ou de mises en forme : enlevez-en une partie',
]

const isTable = (file: string): boolean => file.startsWith('domain/run/wording/')
const oneSpaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const FORMS = new Set(Object.keys({ ...PAGE_TU_FORMS, ...OTHER_TU_FORMS }).map(oneSpaced))
const OUTSIDE_TABLE = TEXTS.filter(({ file }) => !isTable(file))

test('each text that addresses a visitor with « vous » has a form with « tu »', () => {
  const addressed = OUTSIDE_TABLE.filter(
    ({ file, text }) => FOR_VISITORS.test(file) && VOUS.test(text),
  )
  assert.ok(addressed.length > 25, `${addressed.length}`)
  const forgotten = addressed.filter(
    ({ text }) => !FORMS.has(text) && !VOUS_EXCEPTIONS.includes(text),
  )
  assert.deepEqual(forgotten, [])
})

test('each form and each exception is still a text of the source', () => {
  const known = new Set(OUTSIDE_TABLE.map(({ text }) => text))
  for (const text of [...FORMS, ...VOUS_EXCEPTIONS]) assert.ok(known.has(text), text)
  for (const text of VOUS_EXCEPTIONS) assert.match(text, VOUS)
})

test('« vous » is found in each of its forms, but not within other words', () => {
  for (const text of ['Votre réponse', 'vos', 'Répondez-y', 'appelez-vous'])
    assert.match(text, VOUS)
  for (const text of ['dévots', 'avouer', 'Vosgien']) assert.doesNotMatch(text, VOUS)
})
