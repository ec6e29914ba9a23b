import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import {
  dimensionOf,
  draftOf,
  questionOf,
  quizOf,
  resultOf,
  textBlockOf,
} from '#domain/testing/drafts.ts'
import type { PublishError } from './publish-error.ts'
import { publishErrors } from './publish-errors.ts'
import { textErrors } from './text-check.ts'

const ask = (id: string, global_position: number, more: Parameters<typeof questionOf>[1] = {}) =>
  questionOf(id, { type: 'text', text: `Question ${id}`, global_position, ...more })
const say = (content: string, global_position: number) =>
  textBlockOf(`b${global_position}`, { content, global_position })
const SONDAGE = quizOf({ type: 'sondage' })
const errorIn = (place: Omit<PublishError, 'message'>, message: string): PublishError => ({
  message,
  ...place,
})

const cases: [name: string, draft: Partial<Draft>, expected: PublishError[]][] = [
  [
    'a help text may contain only earlier replies and accepted links',
    {
      questions: [
        ask('q', 0, { label: 'Prénom', help: '**Le vôtre**, pas {{prénom}}' }),
        ask('r', 1, { help: 'Bonjour {{prénom}}, [ici](ftp://exemple.fr)' }),
      ],
    },
    [
      errorIn(
        { question_id: 'q', field: 'help' },
        'L’aide de la question « Question q » : {{prénom}} est la réponse à une question qui ne vient pas avant',
      ),
      errorIn(
        { question_id: 'r', field: 'help' },
        'L’aide de la question « Question r » : le lien vers « ftp://exemple.fr » n’est pas accepté (https, http, mailto ou tel)',
      ),
    ],
  ],
  [
    'a title of a grid may contain only earlier replies',
    { questions: [ask('q', 0, { label: 'Prénom', grid_title: 'Pour {{prénom}}' })] },
    [
      errorIn(
        { question_id: 'q', field: 'grid_title' },
        'Le titre de la grille de la question « Question q » : {{prénom}} est la réponse à une question qui ne vient pas avant',
      ),
    ],
  ],
  [
    'an earlier reply may be inserted in any spelling of its name, also on the same page',
    {
      questions: [
        ask('q', 0, { label: 'Prénom' }),
        ask('r', 1, { text: 'Bonjour {{ PRÉNOM }} ?' }),
      ],
      text_blocks: [say('{{prénom}}', 2)],
    },
    [],
  ],
  [
    'neither a later reply nor the question’s own reply may be inserted',
    {
      questions: [
        ask('q', 0, { text: 'Vous, {{nom}} ?', label: 'Nom' }),
        ask('r', 2, { label: 'Ville' }),
      ],
      text_blocks: [say('À {{ Ville }}', 1)],
    },
    [
      {
        message:
          'La question « Vous, {{nom}} ? » : {{nom}} est la réponse à une question qui ne vient pas avant',
        question_id: 'q',
      },
      {
        message:
          'Le bloc de texte « À {{ Ville }} » : {{Ville}} est la réponse à une question qui ne vient pas avant',
        text_block_id: 'b1',
      },
    ],
  ],
  [
    'an unknown name is reported once',
    {
      text_blocks: [say('{{prenom}} {{prenom}}', 1)],
      questions: [ask('q', 0, { label: 'Prénom' })],
    },
    [
      {
        message:
          'Le bloc de texte « {{prenom}} {{prenom}} » : {{prenom}} n’est le nom court d’aucune question',
        text_block_id: 'b1',
      },
    ],
  ],
  [
    'dimensions may be inserted only at the end of a quiz by score that has them',
    {
      quiz_mode: 'score',
      dimensions: [dimensionOf('d', { name: 'Santé' })],
      text_blocks: [say('{{dimension Santé}}', 0)],
      results: [
        resultOf('r', { description: '{{Dimension SANTÉ}} {{point fort}} {{dimension X}}' }),
      ],
    },
    [
      {
        message:
          'Le bloc de texte « {{dimension Santé}} » : {{dimension Santé}} n’est connu qu’à la page de résultat',
        text_block_id: 'b0',
      },
      errorIn(
        { result_id: 'r', field: 'description' },
        'La description du résultat « r » : {{dimension X}} ne correspond à aucune dimension',
      ),
    ],
  ],
  [
    'a quiz by profiles has no dimension to insert',
    { quiz_mode: 'profils', results: [resultOf('r', { description: '{{point fort}}' })] },
    [
      errorIn(
        { result_id: 'r', field: 'description' },
        'La description du résultat « r » : {{point fort}} n’existe que dans un quiz par score',
      ),
    ],
  ],
  [
    'a question that is left out cannot be inserted',
    { questions: [ask('q', 0, { text: ' ', label: 'Nom' })], text_blocks: [say('{{nom}}', 1)] },
    [
      {
        message: 'Le bloc de texte « {{nom}} » : {{nom}} n’est le nom court d’aucune question',
        text_block_id: 'b1',
      },
    ],
  ],
  [
    'score and result may be inserted only on the result page',
    {
      quiz_mode: 'score',
      text_blocks: [say('{{score}} {{résultat}}', 0)],
      results: [resultOf('Lune', { description: '{{score}} : {{résultat}}' })],
    },
    [
      {
        message:
          'Le bloc de texte « {{score}} {{résultat}} » : {{score}} n’est connu qu’à la page de résultat',
        text_block_id: 'b0',
      },
      {
        message:
          'Le bloc de texte « {{score}} {{résultat}} » : {{résultat}} n’est connu qu’à la page de résultat',
        text_block_id: 'b0',
      },
    ],
  ],
  [
    'without the score mode no text of a result may insert the score',
    {
      quiz_mode: 'profils',
      results: [
        resultOf('Lune', {
          description: '{{score}}',
          button_url: 'https://a.fr/?s={{score}}&r={{résultat}}',
          redirect_url: 'https://a.fr/?s={{Score}}',
        }),
      ],
    },
    [
      errorIn(
        { result_id: 'Lune', field: 'description' },
        'La description du résultat « Lune » : {{score}} n’existe que dans un quiz par score',
      ),
      errorIn(
        { result_id: 'Lune', field: 'button_url' },
        'L’adresse du bouton du résultat « Lune » : {{score}} n’existe que dans un quiz par score',
      ),
      errorIn(
        { result_id: 'Lune', field: 'redirect_url' },
        'L’adresse de redirection du résultat « Lune » : {{Score}} n’existe que dans un quiz par score',
      ),
    ],
  ],
  [
    'a sondage may insert neither score nor result, but its end may insert replies',
    {
      quiz: quizOf({
        type: 'sondage',
        end_text: 'Merci {{nom}}, {{résultat}}',
        end_button_url: 'https://a.fr/?n={{autre}}',
      }),
      questions: [ask('q', 0, { label: 'nom' })],
      results: [resultOf('Lune', { description: '{{inconnu}}' })],
    },
    [
      {
        message: 'Le texte de la fin : {{résultat}} n’existe pas dans un sondage',
        field: 'end_text',
      },
      {
        message: 'L’adresse du bouton de la fin : {{autre}} n’est le nom court d’aucune question',
        field: 'end_button_url',
      },
    ],
  ],
  [
    'the welcome cannot insert replies',
    {
      quiz: quizOf({ welcome_text: 'Bonjour {{nom}}' }),
      questions: [ask('q', 0, { label: 'nom' })],
    },
    [
      {
        message:
          'Le texte de l’accueil : {{nom}} est la réponse à une question qui ne vient pas avant',
        field: 'welcome_text',
      },
    ],
  ],
  [
    'names are unique, not reserved, and have no braces',
    {
      quiz: SONDAGE,
      questions: [
        ask('q', 0, { label: 'Ville' }),
        ask('r', 1, { label: ' ville ' }),
        ask('s', 2, { label: 'Score' }),
        ask('t', 3, { label: 'a}b' }),
        ask('u', 4, { label: '  ' }),
        ask('v', 5, { label: '' }),
      ],
    },
    [
      errorIn(
        { question_id: 'r', field: 'label' },
        'Le nom court « ville » est donné à plusieurs questions',
      ),
      errorIn(
        { question_id: 's', field: 'label' },
        'Le nom court « Score » est réservé : donnez-en un autre à la question',
      ),
      errorIn(
        { question_id: 't', field: 'label' },
        'Le nom court « a}b » ne peut pas contenir d’accolades',
      ),
    ],
  ],
  [
    'a link that stays text is reported where it was typed',
    {
      text_blocks: [say('[x](javascript:alert(1))', 0)],
      results: [resultOf('Lune', { description: '[y](https://a.fr) [z](data:x)' })],
    },
    [
      {
        message:
          'Le bloc de texte « [x](javascript:alert(1)) » : le lien vers « javascript:alert » n’est pas accepté (https, http, mailto ou tel)',
        text_block_id: 'b0',
      },
      errorIn(
        { result_id: 'Lune', field: 'description' },
        'La description du résultat « Lune » : le lien vers « data:x » n’est pas accepté (https, http, mailto ou tel)',
      ),
    ],
  ],
]

describe('textErrors', () => {
  for (const [name, draft, expected] of cases)
    test(`textErrors finds the errors of texts: ${name}`, () =>
      assert.deepEqual(textErrors(draftOf(draft)), expected))

  test('text errors are reasons not to publish and come after the other reasons', () => {
    const draft = draftOf({ text_blocks: [say('{{x}}', 0)] })
    assert.deepEqual(publishErrors(draft).slice(-1), textErrors(draft))
    assert.ok(publishErrors(draft).length > 1)
  })
})
