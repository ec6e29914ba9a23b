import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { parseText } from './parse-text.ts'
import { printText } from './print-text.ts'

const TEXT = `# Bilan
Type : quiz
Mode : score

## Résultats

### Bien

## Dimensions
Graphique : radar

### Santé
> Le **corps**.
- 0 à 49 % : Faible
> Reposez-vous.
- 50 à 100 % : Fort

### Travail

## Page 1

### Vous dormez bien ?
Dimension : Santé
- Non [0]
- Oui [+3]

### Votre humeur ?
Réponse : échelle de 0 à 10
Compte dans le score : oui
Dimension : Travail

## Textes conditionnels

### Tous les résultats
- question 1 : réponse 2
- question 2 : au moins 7
- total de ? à 12
Conditions : au moins une
> Continuez.

### Résultat Bien
- dimension Santé : palier Faible
- question 1 : pas la réponse 1
- résultat Bien
> Pensez à {{dimension Santé}}.
Bouton : Réserver
Adresse du bouton : https://exemple.fr/

### Email
- question 2 : au plus 3
> Écrivez-moi.
`

const read = (text: string): Draft => {
  const parsed = parseText(text)
  if ('errors' in parsed) assert.fail(JSON.stringify(parsed.errors))
  return parsed.draft
}

test('dimensions, their tiers, assigned questions and conditional texts are read and printed as they are written', () => {
  const { quiz, dimensions, questions, text_variants, results } = read(TEXT)
  const [health, work] = dimensions
  const [sleep, mood] = questions
  assert.equal(quiz.dimension_chart, 'radar')
  assert.deepEqual([health?.name, health?.description, work?.tiers], ['Santé', 'Le **corps**.', []])
  assert.deepEqual(
    health?.tiers.map(({ from_percent, to_percent, title, text }) => [
      ...[from_percent, to_percent, title, text],
    ]),
    [
      [0, 49, 'Faible', 'Reposez-vous.'],
      [50, 100, 'Fort', null],
    ],
  )
  assert.deepEqual([sleep?.dimension_id, mood?.dimension_id], [health?.id, work?.id])
  const [all, one, mail] = text_variants
  assert.deepEqual([all?.place, all?.joined_by, all?.text], ['every_result', 'or', 'Continuez.'])
  assert.deepEqual(all?.conditions, [
    { kind: 'answer_chosen', question_id: sleep?.id, answer_id: sleep?.answers[1]?.id },
    { kind: 'scale_at_least', question_id: mood?.id, number: 7 },
    { kind: 'total_between', from: null, to: 12 },
  ])
  assert.deepEqual([one?.place, one?.result_id], ['result', results[0]?.id])
  assert.deepEqual(one?.conditions[0], {
    kind: 'dimension_tier',
    dimension_id: health?.id,
    tier_id: health?.tiers[0]?.id,
  })
  assert.deepEqual([mail?.place, mail?.conditions[0]?.kind], ['mail', 'scale_at_most'])
  assert.equal(printText(read(TEXT)), TEXT)
})

test('case, accents and signs of dimensions and conditions do not count', () => {
  const lines: [string, string][] = [
    ['- 0 à 49 % : Faible', '* 0-49: Faible'],
    ['- question 2 : au moins 7', '- QUESTION 2: Au moins 7'],
    ['- question 1 : pas la réponse 1', '• question 1 : pas la reponse 1'],
    ['- dimension Santé : palier Faible', '- Dimension #1 : palier #1'],
    ['- total de ? à 12', '- Total de ? a +12'],
    ['### Email', '### E-mail'],
    ['## Textes conditionnels', '## TEXTES CONDITIONNELS'],
  ]
  const varied = lines.reduce((text, [from, to]) => text.replace(from, to), TEXT)
  assert.deepEqual(read(varied), read(TEXT))
})

test('the parts may come in any order', () => {
  const [before = '', pages = ''] = TEXT.split('## Dimensions')
  const [dimensions = '', rest = ''] = pages.split('## Page 1')
  const moved = `${before}## Page 1${rest}\n## Dimensions${dimensions}`
  assert.equal(printText(read(moved)), TEXT)
})

const REFUSED: [name: string, from: string, to: string, error: string][] = [
  [
    'an unknown dimension of a question',
    'Dimension : Travail',
    'Dimension : Amis',
    '30: « Amis » ne désigne aucune dimension.',
  ],
  [
    'a dimension of an email question',
    'Réponse : échelle de 0 à 10\nCompte dans le score : oui',
    'Réponse : email',
    '29: « Dimension » ne s’écrit que sous une question à choix ou une échelle.',
  ],
  [
    'a tier without bounds',
    '- 0 à 49 % : Faible',
    '- Faible',
    '14: Un palier s’écrit « - 0 à 49 % : Faible », de 0 à 100.',
  ],
  [
    'a tier above 100',
    '- 50 à 100 %',
    '- 50 à 101 %',
    '16: « 101 » : Un palier s’écrit « - 0 à 49 % : Faible », de 0 à 100.',
  ],
  [
    'an unknown chart',
    'Graphique : radar',
    'Graphique : camembert',
    '10: « camembert » n’est pas prévu : « aucun », « barres », « radar ».',
  ],
  [
    'an unknown tier in a condition',
    'palier Faible',
    'palier Moyen',
    '42: « Moyen » ne désigne aucun palier.',
  ],
  [
    'an answer that the question does not have',
    'question 1 : réponse 2',
    'question 1 : réponse 9',
    '35: Il n’y a pas de réponse 9 à la question 1.',
  ],
  [
    'a question that does not exist',
    'question 2 : au moins 7',
    'question 8 : au moins 7',
    '36: Il n’y a pas de question 8.',
  ],
  [
    'an unknown result',
    '### Résultat Bien',
    '### Résultat Mal',
    '41: « Mal » ne désigne aucun résultat.',
  ],
  [
    'an unknown place',
    '### Email',
    '### Accueil',
    '49: « Accueil » n’est pas la place d’un texte : « Tous les résultats », « Résultat … », « Fin » ou « Email ».',
  ],
  [
    'an unclear condition',
    '- résultat Bien',
    '- souvent',
    '44: Une condition s’écrit « question 2 : réponse 1 », « question 2 : pas la réponse 1 », « question 3 : au moins 7 », « question 3 : au plus 4 », « total de 3 à 12 », « dimension Santé : palier Faible », « toutes les dimensions sont égales » ou « résultat Lève-tôt ».',
  ],
]

describe('the text format refuses', () => {
  for (const [name, from, to, error] of REFUSED)
    test(`${name}, with its line`, () => {
      const parsed = parseText(TEXT.replace(from, to))
      assert.ok('errors' in parsed)
      assert.deepEqual(
        parsed.errors.map(({ line, message }) => `${line}: ${message}`),
        [error],
      )
    })

  test('more than three conditions', () =>
    assert.deepEqual(
      parseText(TEXT.replace('- résultat Bien', '- résultat Bien\n- résultat Bien')),
      { errors: [{ line: 45, message: 'Un texte conditionnel a 3 conditions au plus.' }] },
    ))

  test('more than twelve dimensions and more than five tiers', () => {
    const dimensions = Array.from({ length: 13 }, (_, rank) => `### D${rank}`)
    assert.deepEqual(parseText(['# A', '## Dimensions', ...dimensions].join('\n')), {
      errors: [{ line: 15, message: 'Un questionnaire a 12 dimensions au plus.' }],
    })
    const tiers = Array.from({ length: 6 }, () => '- 0 à 10 %')
    assert.deepEqual(parseText(['# A', '## Dimensions', '### D', ...tiers].join('\n')), {
      errors: [{ line: 9, message: 'Une dimension a 5 paliers au plus.' }],
    })
  })
})

test('a reference to a deleted row is printed as « ? » and read as a row that does not exist', () => {
  const draft = read(TEXT)
  const [, second] = draft.text_variants
  assert.ok(second)
  const lost = '00000000-0000-0000-0000-000000000000'
  second.conditions = [
    { kind: 'answer_chosen', question_id: 'gone', answer_id: 'gone' },
    { kind: 'dimension_tier', dimension_id: 'gone', tier_id: 'gone' },
  ]
  const printed = printText(draft)
  assert.match(printed, /^- question \? : réponse \?\n- dimension \? : palier \?$/m)
  assert.deepEqual(read(printed).text_variants[1]?.conditions, [
    { kind: 'answer_chosen', question_id: lost, answer_id: lost },
    { kind: 'dimension_tier', dimension_id: lost, tier_id: lost },
  ])
})
