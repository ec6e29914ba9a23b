import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convert } from '#domain/testing/foreign-files.ts'
import { inferChoices } from './infer-choices.ts'

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`
/** Returns a CSV file of Google Forms; each column has its title first. */
const answersFile = (...columns: string[][]): string =>
  Array.from({ length: Math.max(...columns.map(({ length }) => length)) }, (_, row) =>
    [
      row === 0 ? 'Horodateur' : `2026/01/05 9:0${row}`,
      ...columns.map((column) => column[row] ?? ''),
    ]
      .map(cell)
      .join(','),
  ).join('\n')
const questionsOf = (...columns: string[][]) =>
  convert(answersFile(...columns)).draft.questions.map(({ text, type, max_choices, answers }) => [
    ...[text, type, max_choices],
    answers.map((answer) => answer.text).join('|'),
  ])
const times = (count: number, ...values: string[]): string[] =>
  Array.from({ length: count }, () => values).flat()

describe('boxes that are joined in one cell', () => {
  const cases: [
    rule: string,
    values: string[],
    options: string[] | undefined,
    isMultiple?: boolean,
  ][] = [
    [
      'boxes joined with a semicolon are options, also in few replies',
      ['Vélo;Bus', 'Bus', 'Vélo;Train', 'Train'],
      ['Vélo', 'Bus', 'Train'],
      true,
    ],
    [
      'boxes joined with a comma are options',
      ['Pain, Lait', 'Lait', 'Pain', 'Pain, Œufs', 'Œufs', 'Lait, Œufs'],
      ['Pain', 'Lait', 'Œufs'],
      true,
    ],
    [
      'exactly two boxes of four are options',
      ['A, B', 'A, C', 'B, C', 'B, D', 'C, D', 'A, D'],
      ['A', 'B', 'C', 'D'],
      true,
    ],
    [
      'an option with a comma that is repeated whole is not split',
      times(4, 'Femme, 18-30', 'Homme, 31-50'),
      ['Femme, 18-30', 'Homme, 31-50'],
      false,
    ],
    [
      'options that combine two words with commas are not split into their words',
      times(3, 'Femme, 18-30', 'Femme, 31-50', 'Homme, 18-30', 'Homme, 31-50', 'Autre'),
      ['Femme, 18-30', 'Femme, 31-50', 'Homme, 18-30', 'Homme, 31-50', 'Autre'],
      false,
    ],
    [
      'an option that continues another one with a comma is not split',
      times(3, 'Oui', 'Oui, mais pas tout de suite', 'Non'),
      ['Oui', 'Oui, mais pas tout de suite', 'Non'],
      false,
    ],
    [
      'an option with a comma stays whole among boxes joined with commas',
      [
        'Le lieu',
        'Le lieu, Vite, bien',
        'Vite, bien',
        'Le prix, Vite, bien',
        'Le lieu, Le prix',
        'Le prix',
      ],
      ['Le lieu', 'Vite, bien', 'Le prix'],
      true,
    ],
    [
      'an option with a comma stays whole among boxes joined with semicolons',
      [
        'Femme, 18-30;Étudiante',
        'Étudiante',
        'Femme, 18-30',
        'Étudiante;Salariée, CDI',
        'Salariée, CDI',
      ],
      ['Femme, 18-30', 'Étudiante', 'Salariée, CDI'],
      true,
    ],
    [
      'commas within brackets do not separate options',
      ['Sport (foot, tennis), Musique', 'Musique', 'Sport (foot, tennis)', 'Musique'],
      ['Sport (foot, tennis)', 'Musique'],
      true,
    ],
    [
      'free texts with commas are no options',
      ['Très bien, merci', 'Rien, tout va', 'Long, trop'],
      undefined,
    ],
    [
      'free texts with semicolons are no options',
      ['bien; merci', 'le lieu;le prix', 'rien'],
      undefined,
    ],
  ]
  for (const [rule, values, options, isMultiple] of cases)
    test(rule, () => {
      const expected = options && { options, isMultiple }
      assert.deepEqual(inferChoices(values), expected)
    })

  test('each column has its own separator', () => {
    assert.deepEqual(
      questionsOf(
        ['Transport', 'Vélo;Bus', 'Bus', 'Vélo;Train', 'Train'],
        ['Qui', ...times(2, 'Femme, 18-30', 'Homme, 31-50')],
      ),
      [
        ['Transport', 'multiple_choice', null, 'Vélo|Bus|Train'],
        ['Qui', 'multiple_choice', 1, 'Femme, 18-30|Homme, 31-50'],
      ],
    )
  })
})

describe('grids', () => {
  test('columns with a common title and brackets become one grid', () => {
    const { draft } = convert(
      answersFile(
        ['Avant', 'un texte', 'un autre'],
        ['Notez [Accueil]', 'Bien', 'Mal'],
        ['Notez [Chambre [vue mer]]', 'Bien', ''],
        ['Sur dix [Prix]', '4', '6'],
        ['Sur dix [Lieu]', '2', '10'],
        ['Votre âge [facultatif]', '31', '45'],
      ),
    )
    assert.deepEqual(
      draft.questions.map((question) => [
        ...[question.text, question.type, question.grid_title, question.continues_grid],
        question.type === 'scale'
          ? question.scale_max
          : question.answers.map(({ text }) => text).join('|'),
      ]),
      [
        ['Avant', 'text', null, false, ''],
        ['Accueil', 'multiple_choice', 'Notez', false, 'Bien|Mal'],
        ['Chambre [vue mer]', 'multiple_choice', null, true, 'Bien|Mal'],
        ['Prix', 'scale', 'Sur dix', false, 10],
        ['Lieu', 'scale', null, true, 10],
        ['Votre âge [facultatif]', 'text', null, false, ''],
      ],
    )
  })

  test('a grid of boxes becomes a question with several choices for each row, below the title', () => {
    const { draft, remarks } = convert(
      answersFile(
        ['Quand [Lundi]', 'Matin;Soir', 'Soir', 'Matin'],
        ['Quand [Mardi]', 'Midi', 'Matin;Midi', 'Soir'],
      ),
    )
    assert.deepEqual(
      draft.questions.map(({ text, max_choices, answers }) => [text, max_choices, answers.length]),
      [
        ['Lundi', null, 3],
        ['Mardi', null, 3],
      ],
    )
    assert.equal(draft.text_blocks[0]?.content, '**Quand**')
    assert.match(remarks, /Une grille de cases devient une question à choix par ligne\./)
  })
})

test('columns of points and feedback are left out and named', () => {
  const { draft, remarks } = convert(
    answersFile(
      ['Score total', '1.00 / 2', '2.00 / 2'],
      ['Capitale ?', 'Paris', 'Lyon'],
      ['Capitale ? [Score]', '1.00 / 1', '0.00 / 1'],
      ['Capitale ? [Commentaires]', '', 'Non'],
      ['Notez [Accueil]', '4', '5'],
      ['Notez [Accueil] [Score]', '-- / 1', '-- / 1'],
      ['Notez [Prix]', '4', '5'],
    ),
  )
  assert.deepEqual(
    draft.questions.map(({ text }) => text),
    ['Capitale ?', 'Accueil', 'Prix'],
  )
  assert.match(
    remarks,
    /^-: Les colonnes de points ne sont pas reprises : « Score total », « Capitale \? \[Score\] », « Capitale \? \[Commentaires\] », « Notez \[Accueil\] \[Score\] »\.$/m,
  )
})

test('separators at the ends of lines are no questions, and a column without a title is one if it has replies', () => {
  const { draft, remarks } = convert('Horodateur;Nom;Ville;;;\n1;Léa;Lyon;;Oui;\n2;Noé;;;;\n')
  assert.deepEqual(
    draft.questions.map(({ text }) => text),
    ['Nom', 'Ville', ''],
  )
  assert.match(remarks, /Cette question n’a pas de texte : à écrire\./)
})
