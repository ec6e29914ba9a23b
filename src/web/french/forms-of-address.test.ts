import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TU_FORMS } from '#domain/run/wording/wording.ts'
import { readSourceTexts } from './testing/source-texts.ts'

/** Words that address a visitor with « vous ». */
const VOUS = /(?<!\p{L})(?:vous|votre|vos)(?!\p{L})|(?<!\p{L})\p{L}+ez(?!\p{L})/iu

/** Sources whose texts visitors and participants read. */
const FOR_VISITORS =
  /^(?:web\/player\/|web\/embed\/|domain\/run\/|domain\/reports\/|domain\/questionnaire\/(?:pages|access|consent)|domain\/deliveries\/quiz-mail|server\/public-quiz\/|server\/responses\/|server\/social-image\/|server\/quiz-mails\/mail-documents)/

/** Texts that keep « vous », because they address a creator or know no quiz. */
const EXCEPTIONS = [
  // Pages that know no quiz.
  'Beaucoup de documents sont demandés en ce moment. Réessayez dans quelques instants.',
  'Réessayez dans quelques instants.',
  'Revenez au questionnaire et recommencez.',
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
const FORMS = new Set(Object.keys(TU_FORMS).map(oneSpaced))
const TEXTS = readSourceTexts().filter(({ file }) => !isTable(file))

test('each text that addresses a visitor with « vous » has a form with « tu »', () => {
  const addressed = TEXTS.filter(({ file, text }) => FOR_VISITORS.test(file) && VOUS.test(text))
  assert.ok(addressed.length > 25, `${addressed.length}`)
  const forgotten = addressed.filter(({ text }) => !FORMS.has(text) && !EXCEPTIONS.includes(text))
  assert.deepEqual(forgotten, [])
})

test('each form and each exception is still a text of the source', () => {
  const known = new Set(TEXTS.map(({ text }) => text))
  for (const text of [...FORMS, ...EXCEPTIONS]) assert.ok(known.has(text), text)
  for (const text of EXCEPTIONS) assert.match(text, VOUS)
})

test('« vous » is found in each of its forms, but not within other words', () => {
  for (const text of ['Votre réponse', 'vos', 'Répondez-y', 'appelez-vous'])
    assert.match(text, VOUS)
  for (const text of ['dévots', 'avouer', 'Vosgien']) assert.doesNotMatch(text, VOUS)
})
