import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import {
  answerOf,
  draftOf,
  IMAGE_IDS,
  questionOf,
  quizOf,
  resultOf,
  uncheckAssociations,
} from '#domain/testing/drafts.ts'
import { basicPublishErrors } from './publish-check.ts'
import { publishErrors } from './publish-errors.ts'

const messages = (draft: Draft): string[] => publishErrors(draft).map(({ message }) => message)

const two = [
  resultOf('Lune', { min_score: 0, max_score: 4 }),
  resultOf('Soleil', { min_score: 5, max_score: 9 }),
]
const scored = questionOf('q', {
  text: 'Quand ?',
  answers: [answerOf('a', { text: 'Matin', score: 1 }), answerOf('b', { text: 'Soir', score: 0 })],
})
const SONDAGE = quizOf({ type: 'sondage' })
const long = 'é'.repeat(60)

const PICTURE = { image_id: IMAGE_IDS[0] }
const undescribed = (whose: string): string =>
  `Décrivez l’image ${whose}, ou cochez « Image décorative »`

const cases: [name: string, draft: Draft, expected: string[]][] = [
  [
    'an empty draft',
    draftOf(),
    [
      'Il faut au moins une question pour publier le quiz',
      'Il faut au moins 2 résultats pour publier le quiz',
    ],
  ],
  [
    'a question of spaces does not count',
    draftOf({ results: two, questions: [questionOf('q', { text: '  ', type: 'text' })] }),
    ['Il faut au moins une question pour publier le quiz'],
  ],
  [
    'one result is not enough',
    draftOf({ results: two.slice(1), questions: [scored] }),
    ['Il faut au moins 2 résultats pour publier le quiz'],
  ],
  ['a sondage needs no result', draftOf({ quiz: SONDAGE, questions: [scored] }), []],
  [
    'a sondage in score mode needs neither tiers nor scores',
    draftOf({
      quiz: SONDAGE,
      quiz_mode: 'score',
      results: [resultOf('Lune')],
      questions: [questionOf('q', { answers: [answerOf('a')] })],
    }),
    [],
  ],
  [
    'a choice question without a written answer has its text cut at 50 characters',
    draftOf({
      results: two,
      questions: [questionOf('q', { text: long, answers: [answerOf('a', { text: ' ' })] })],
    }),
    [`La question "${'é'.repeat(50)}..." n'a aucune réponse`],
  ],
  [
    'pictures without a description',
    draftOf({
      quiz: quizOf({ welcome_image_id: IMAGE_IDS[0] }),
      results: [resultOf('Lune', PICTURE), resultOf('Soleil')],
      questions: [
        questionOf('q', {
          ...PICTURE,
          text: 'Quand ?',
          answers: [
            answerOf('a', { text: 'Matin', ...PICTURE, image_alt: ' ' }),
            answerOf('b', { text: ' ', ...PICTURE }),
          ],
        }),
        questionOf('r', { text: ' ', type: 'text', ...PICTURE }),
      ],
    }),
    [
      'L’image de la réponse 2 de la question « Quand ? » n’a pas de texte : écrivez la réponse, ou retirez l’image',
      undescribed('de l’accueil'),
      undescribed('de la question « Quand ? »'),
      undescribed('du résultat « Lune »'),
    ],
  ],
  [
    'described or decorative pictures, and pictures of the results of a sondage',
    draftOf({
      quiz: quizOf({ type: 'sondage', welcome_image_id: IMAGE_IDS[0], welcome_image_alt: '' }),
      results: [resultOf('Lune', PICTURE)],
      questions: [
        questionOf('q', {
          text: 'Quand ?',
          ...PICTURE,
          image_alt: 'Un phare',
          answers: [answerOf('a', { text: 'Matin', ...PICTURE, image_alt: '' })],
        }),
      ],
    }),
    [],
  ],
  [
    'an incomplete button of one result',
    draftOf({
      results: [
        resultOf('Lune', { button_text: 'Écrire', button_url: ' ' }),
        resultOf('Soleil', { button_url: 'https://exemple.fr' }),
        resultOf('Mars', { button_text: 'Écrire', button_url: 'https://exemple.fr' }),
        resultOf('Terre', { button_text: '' }),
      ],
      questions: [questionOf('q', { type: 'email' })],
    }),
    [
      'Le bouton du résultat "Lune" n\'a pas d\'adresse',
      'Le bouton du résultat "Soleil" n\'a pas de texte',
    ],
  ],
  [
    'an incomplete button at the end of a sondage',
    draftOf({
      quiz: quizOf({ type: 'sondage', end_button_url: 'https://exemple.fr' }),
      results: [resultOf('Lune', { button_text: 'Écrire' })],
      questions: [questionOf('q', { type: 'email' })],
    }),
    ["Le bouton de la fin n'a pas de texte"],
  ],
  [
    'open questions need no answer',
    draftOf({ results: two, questions: [questionOf('q', { type: 'email' })] }),
    [],
  ],
  [
    'a missing bound in score mode',
    draftOf({
      quiz_mode: 'score',
      results: [resultOf('Lune', { min_score: 0 }), ...two.slice(1)],
      questions: [scored],
    }),
    [`Le résultat "Lune" n'a pas de palier de score défini`],
  ],
  [
    'an answer without a score in score mode (zero is a score, a blank answer needs none)',
    draftOf({
      quiz_mode: 'score',
      results: two,
      questions: [
        scored,
        questionOf('r', {
          text: long,
          answers: [answerOf('c', { text: long }), answerOf('d', { text: '' })],
        }),
      ],
    }),
    [`La réponse "${'é'.repeat(30)}" de la question "${'é'.repeat(30)}" doit avoir un score`],
  ],
  [
    'an answer without a result in profils mode',
    draftOf({
      quiz_mode: 'profils',
      results: two,
      questions: [
        questionOf('q', {
          text: 'Quand ?',
          answers: [answerOf('Matin', { counts_for: { Lune: 1 } }), answerOf('Soir')],
        }),
      ],
    }),
    ['La réponse "Soir" de la question "Quand ?" doit être associée à au moins un résultat'],
  ],
  [
    'an unticked association in profils mode does not count',
    draftOf({
      quiz_mode: 'profils',
      results: two,
      questions: [
        questionOf('q', {
          text: `${'q'.repeat(30)}+`,
          answers: [
            uncheckAssociations(
              answerOf('a', { text: `${'a'.repeat(30)}+`, counts_for: { Lune: 1 } }),
            ),
          ],
        }),
      ],
    }),
    [
      `La réponse "${'a'.repeat(30)}" de la question "${'q'.repeat(30)}" doit être associée à au moins un résultat`,
    ],
  ],
  [
    'all reasons in their order',
    draftOf({
      quiz_mode: 'score',
      results: [resultOf('Lune')],
      questions: [
        questionOf('q', { text: '', answers: [] }),
        questionOf('r', { text: ' ', answers: [answerOf('Oui')] }),
      ],
    }),
    [
      'Il faut au moins une question pour publier le quiz',
      'Il faut au moins 2 résultats pour publier le quiz',
      `La question "..." n'a aucune réponse`,
      `Le résultat "Lune" n'a pas de palier de score défini`,
      `La réponse "Oui" de la question " " doit avoir un score`,
    ],
  ],
  [
    'without a mode neither scores nor associations are needed',
    draftOf({ results: two, questions: [scored] }),
    [],
  ],
]

describe('publishErrors (product 6.2)', () => {
  for (const [name, draft, expected] of cases)
    test(`the publish check gives the specified reasons: ${name}`, () =>
      assert.deepEqual(messages(draft), expected))

  test('an excerpt in a reason never cuts a character', () => {
    const draft = draftOf({ results: two, questions: [questionOf('q', { text: '😀'.repeat(60) })] })
    assert.deepEqual(messages(draft), [`La question "${'😀'.repeat(50)}..." n'a aucune réponse`])
  })

  test('a text up to the maximum length of an excerpt is shown in full', () => {
    const shown = [49, 50, 51].map((length) => {
      const questions = [questionOf('q', { text: 'x'.repeat(length) })]
      return messages(draftOf({ results: two, questions }))[0]
    })
    assert.deepEqual(shown, [
      `La question "${'x'.repeat(49)}..." n'a aucune réponse`,
      `La question "${'x'.repeat(50)}..." n'a aucune réponse`,
      `La question "${'x'.repeat(50)}..." n'a aucune réponse`,
    ])
  })

  test('each reason of the publish check names its question, answer or result', () => {
    const draft = draftOf({
      quiz_mode: 'score',
      results: [resultOf('Lune'), resultOf('Soleil', { min_score: 0, max_score: 1 })],
      questions: [questionOf('q', { answers: [answerOf('a')] })],
    })
    assert.deepEqual(
      publishErrors(draft).map(({ message: _, ...about }) => about),
      [{ result_id: 'Lune' }, { question_id: 'q', answer_id: 'a' }],
    )
  })
})

test('the results and settings screens make only the first two checks', () => {
  const draft = draftOf({ quiz_mode: 'score', results: two, questions: [questionOf('q')] })
  assert.deepEqual(basicPublishErrors(draft), [])
  assert.equal(publishErrors(draft).length, 1)
})

describe('options of questions', () => {
  const publishable: [string, Parameters<typeof questionOf>[1]][] = [
    ['more choices than answers', { answers: [answerOf('a', { score: 1 })], max_choices: 9 }],
    ['any number of choices', { answers: [answerOf('a', { score: 1 })], max_choices: null }],
    [
      'a scale that is the only score',
      { type: 'scale', counts_in_score: true, scale_max_label: 'Oui' },
    ],
    ['an optional reply', { type: 'date', is_required: false }],
  ]
  for (const [name, more] of publishable)
    test(`a question with ${name} can be published`, () => {
      const questions = [questionOf('q', more)]
      assert.deepEqual(messages(draftOf({ quiz_mode: 'score', results: two, questions })), [])
    })
  test('a question with only « Autre » has no answer', () =>
    assert.deepEqual(
      messages(draftOf({ results: two, questions: [questionOf('q', { has_other: true })] })),
      [`La question "q ?..." n'a aucune réponse`],
    ))
})
