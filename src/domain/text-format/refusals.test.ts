import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_TEXT_LENGTH } from './lines.ts'
import { parseText } from './parse-text.ts'

/** Returns the errors of a text as « line: message ». */
const errorsOf = (text: string): string[] => {
  const parsed = parseText(text)
  return 'errors' in parsed ? parsed.errors.map(({ line, message }) => `${line}: ${message}`) : []
}
/** Texts with their errors. */
const refusals: [name: string, text: string, errors: string[]][] = [
  ['nothing', '', ['1: Un questionnaire commence par son nom, comme « # Mon quiz ».']],
  [
    'no name',
    '\nType : quiz\nMode : score\n# Nom',
    ['2: Un questionnaire commence par son nom, comme « # Mon quiz ».'],
  ],
  ['a blank name', '#', ['1: Il manque un texte.']],
  [
    'two names',
    '# A\n# B',
    ['2: Le questionnaire a déjà son nom ligne 1 : « # » ne sert qu’à lui.'],
  ],
  [
    'a missing space',
    '#A',
    [
      '1: Un questionnaire commence par son nom, comme « # Mon quiz ».',
      '1: Il manque un espace après « # », comme dans « # Mon quiz ».',
    ],
  ],
  [
    'a long name',
    `# ${'a'.repeat(101)}`,
    [`1: « ${'a'.repeat(40)}… » a 101 caractères : 100 au plus.`],
  ],
  [
    'tiers written in words',
    '# A\n## Résultats\n### R\nPalier : zéro à cinq\n### S\nPalier : 6\n### T\nPalier : 0 à 9999999',
    [4, 6]
      .map((line) => `${line}: « Palier » attend deux nombres, par exemple « 0 à 5 ».`)
      .concat('8: « 9999999 » : « Palier » attend deux nombres, par exemple « 0 à 5 ».'),
  ],
  [
    'a part of the contact data under another type, and an unknown one',
    `# A\n## Page 1${['texte long', 'téléphone', 'texte court', 'texte court']
      .map(
        (type, index) =>
          `\n### Q\nRéponse : ${type}\nCoordonnée : ${['prénom', 'nom', 'téléphone', 'ville'][index]}`,
      )
      .join('')}`,
    [5, 8, 11]
      .map(
        (line) =>
          `${line}: « Coordonnée » ne s’écrit que sous un texte court (« prénom », « nom ») ou un téléphone (« téléphone »).`,
      )
      .concat('14: « ville » n’est pas prévu : « non », « prénom », « nom », « téléphone ».'),
  ],
  [
    'an unknown key and a repeated key',
    '# A\n## Fin\nBouton : a\nBouton : b\nCouleur : rouge',
    [
      '4: « Bouton » est déjà donné ligne 3.',
      '5: « Couleur » n’est pas prévu ici : « Titre », « Texte », « Bouton », « Adresse du bouton ».',
    ],
  ],
  [
    'an unknown part, reported once',
    '# A\n## Réglages\nCouleur : rouge\n- a\n### b\n## Fin\nTitre : c',
    [
      '2: « Réglages » n’est pas une partie : « Accueil », « Apparence », « Résultats », « Dimensions », « Page 1 », « Textes conditionnels », « Fin ».',
    ],
  ],
  ['a repeated part', '# A\n## Fin\n## Fin', ['3: La partie « Fin » est déjà commencée ligne 2.']],
  [
    'page numbers that decrease',
    '# A\n## Page 2\n## Page 2\n### x\n## Page 0',
    [
      '3: La page 2 ne peut pas venir après la page 2 : elles se suivent.',
      '5: La page 0 ne peut pas venir après la page 2 : elles se suivent.',
    ],
  ],
  [
    'nine thousand pages',
    `# A\n${'## Page\n### q\n'.repeat(9_000)}`,
    ['202: Un questionnaire a 100 pages au plus.'],
  ],
  [
    'a question without a page',
    '# A\n### q\n- a',
    [
      '2: Une question s’écrit sous une page, comme « ## Page 1 », un résultat sous « ## Résultats ».',
    ],
  ],
  [
    'an answer below a text question',
    '# A\n## Page\n### q\n> aide\n- a',
    [
      '5: Cette réponse n’est sous aucune question. L’aide d’une question s’écrit « Aide : … », sans « > ».',
    ],
  ],
  [
    'two questions that settle ties',
    '# A\n## Page\n### q\nDépartage : oui\n### r\nRéponse : nombre\nDépartage : oui\n### s\nDépartage : oui',
    [
      '7: « Départage » ne s’écrit que sous une question à choix.',
      '9: Une seule question départage les égalités.',
    ],
  ],
  [
    'answers of an open question',
    '# A\n## Page\n### q\nRéponse : email\nAutre : oui\n- a',
    [
      '5: « Autre » ne s’écrit que sous une question à choix.',
      '6: Seule une question à choix a des réponses : enlevez-les, ou la ligne « Réponse ».',
    ],
  ],
  [
    'invalid scores and jumps',
    '# A\n## Page\n### q\n- a [+deux]\n- b => page deux\n- c [+1] suite\n- d [+1] [+2]\n- e [+9999999]',
    [
      '4: « +deux » : un score est un nombre entier, comme [+2], [0] ou [-1]. Pour garder ce signe dans un texte, écrivez « \\ » devant.',
      '5: « => » attend une page, comme « => page 3 », ou « => fin ». Pour garder ce signe dans un texte, écrivez « \\ » devant.',
      '6: « suite » vient après le score : le texte s’écrit avant.',
      '7: « [ » ne s’écrit qu’une fois par réponse. Pour garder ce signe dans un texte, écrivez « \\ » devant.',
      '8: « +9999999 » : un score est un nombre entier, comme [+2], [0] ou [-1]. Pour garder ce signe dans un texte, écrivez « \\ » devant.',
    ],
  ],
  [
    'unknown or ambiguous results',
    '# A\n## Résultats\n### R\n### R\n### S\n## Page\n### q\n- a -> T\n- b -> R\n- c -> #4\n- d -> S, S ×2\n- e ->',
    [
      '8: « T » n’est le nom d’aucun résultat : « R », « R », « S ». Une virgule d’un nom s’écrit « \\, ».',
      '9: 2 résultats s’appellent « R » : écrivez #1 ou #2.',
      '10: #4 n’est le rang d’aucun résultat : il y en a 3.',
      '11: Le résultat « S » est nommé deux fois.',
      '12: « -> » attend le nom d’un résultat, comme « -> Profil A ×2 ». Pour garder ce signe dans un texte, écrivez « \\ » devant.',
    ],
  ],
  [
    'values that the editor refuses',
    '# A\nClôture : 31/02/2026 10:00\nAdresse du questionnaire : api\nParticipants au plus : 0\n## Apparence\nFond : rouge\nLogo : chat.png\n## Fin\nAdresse du bouton : http://exemple.fr',
    [
      '2: « 31/02/2026 10:00 » : une date et une heure, par exemple « 31/12/2026 18:00 ».',
      '3: L’adresse « api » est réservée.',
      '4: « 0 » : un nombre de participants, par exemple « 200 ».',
      '6: « rouge » : une couleur est de la forme #rrggbb.',
      '7: « chat.png » : une image se désigne par son identifiant, comme dans un texte exporté.',
      '9: « http://exemple.fr » : l’adresse doit commencer par https://',
    ],
  ],
  [
    'an opening that is not before the closing',
    '# A\nClôture : 31/12/2026 18:00\nOuverture : 31/12/2026 18:00 Europe/Paris\n## Page\n### q\n- a',
    ['3: L’ouverture doit venir avant la clôture.'],
  ],
  [
    'bytes that are not text',
    '# A\n\u0000\u0001PNG\n## Page\n> \ud800\n### \\u{0}',
    [
      '2: Cette ligne a un caractère de contrôle, qui n’est pas du texte : effacez-le.',
      '4: Cette ligne a un caractère incomplet : effacez-le.',
      '5: « \\u{0} » n’est le numéro d’aucun caractère.',
    ],
  ],
  [
    'a text of a million characters',
    `# A\n${'> b\n'.repeat(250_000)}`,
    [`${2 + (MAX_TEXT_LENGTH - 4) / 4}: Le texte est trop long : 300\u202f000 caractères au plus.`],
  ],
  [
    'a text of 73,000 answers',
    `# A\n## Page\n### B ?\n${'- a\n'.repeat(73_000)}`,
    ['20001: Le texte a trop de lignes : 20\u202f000 au plus.'],
  ],
]
for (const [name, text, errors] of refusals)
  test(`the text format refuses a text with its errors: ${name}`, () =>
    assert.deepEqual(errorsOf(text), errors))

test('only the first hundred errors are listed', () => {
  const errors = errorsOf(`# A\n${'?\n'.repeat(5_000)}`)
  assert.equal(errors.length, 101)
  assert.equal(errors.at(-1), '101: Il y a d’autres erreurs : corrigez d’abord les précédentes.')
})

test('the maximum number of parts is read, and one more is refused', () => {
  const page = (answers: number, questions: number, blocks: number, results: number): string =>
    [
      '# A',
      '## Résultats',
      ...Array.from({ length: results }, (_, rank) => `### R${rank}`),
      '## Page',
      ...Array.from({ length: blocks }, () => '> b\n'),
      ...Array.from({ length: questions }, () => '### q'),
      ...Array.from({ length: answers }, () => '- a'),
    ].join('\n')
  const parsed = parseText(page(100, 500, 500, 100))
  assert.ok('draft' in parsed)
  const { questions, results, text_blocks } = parsed.draft
  assert.deepEqual(
    [questions.length, questions.at(-1)?.answers.length, results.length, text_blocks.length],
    [500, 100, 100, 500],
  )
  assert.deepEqual(
    errorsOf(page(101, 501, 501, 101)).map((error) => error.replace(/^\d+: /, '')),
    [
      'Un questionnaire a 100 résultats au plus.',
      'Un questionnaire a 500 blocs de texte au plus.',
      'Un questionnaire a 500 questions au plus.',
    ],
  )
  assert.deepEqual(
    errorsOf(page(102, 1, 0, 0)).map((error) => error.replace(/^\d+: /, '')),
    ['Une question a 100 réponses au plus.'],
  )
})

// A quadratic algorithm would take hours.
test('the longest texts are parsed in time, whatever they repeat', () => {
  const units = [
    '[',
    '[1',
    ' ->',
    ' -> a,',
    '\\',
    '×1 ',
    'x 1',
    ' ',
    ':',
    '> \n',
    '![',
    '(',
    '- a -> b ×2\n',
  ]
  for (const unit of units) {
    const long = unit.repeat(Math.floor((MAX_TEXT_LENGTH - 100) / unit.length))
    const texts = [
      `# A\n## Résultats\n### b\n## Page\n### q\n- ${long}`,
      `# A\n## Page\n### ${long}`,
      `# A\n${long}`,
    ]
    for (const text of texts) {
      const read = parseText(text)
      assert.ok('errors' in read ? read.errors.length > 0 : read.draft.quiz.name === 'A', unit)
    }
  }
})
