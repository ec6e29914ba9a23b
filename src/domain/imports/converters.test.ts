import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { convert, typeformFile } from '#domain/testing/foreign-files.ts'

const readForeignFile = (name: string): string =>
  readFileSync(new URL(`../testing/foreign-files/${name}`, import.meta.url), 'utf8')

describe('Typeform', () => {
  test('welcome, choices, points, jumps, groups, results and tiers are converted', () => {
    const { draft, lines, remarks } = convert(readForeignFile('typeform-score.json'))
    assert.deepEqual(
      [draft.quiz.name, draft.quiz.type, draft.quiz_mode],
      ['Êtes-vous prêt à vous lancer ?', 'quiz', 'score'],
    )
    assert.equal(draft.quiz.welcome_title, 'Faites le point en deux minutes')
    assert.deepEqual(
      draft.results.map(({ name, min_score, max_score, button_url }) => [
        name,
        min_score,
        max_score,
        button_url,
      ]),
      [
        ['Prêt à démarrer', 3, null, 'https://exemple.fr/appel'],
        ['À mûrir', null, 2, null],
      ],
    )
    const [, idea, time] = draft.questions
    assert.equal(idea?.text, '{{réponse 1}}, avez-vous une idée précise ?')
    assert.deepEqual(
      idea?.answers.map(({ text, score, jump_to }) => [text, score, jump_to]),
      [
        ['Oui & je l’ai testée', 3, null],
        ['Pas encore', null, 5],
      ],
    )
    assert.deepEqual(
      time?.answers.map(({ text, score }) => [text, score]),
      [
        ['Oui', 2],
        ['Non', null],
      ],
    )
    const note = /^(\d+): Le retour en arrière après la réponse « Non »/m.exec(remarks)
    assert.equal(lines[Number(note?.[1]) - 1], '### Combien d’heures par semaine ?')
    assert.match(
      remarks,
      /^-: La question « Votre dossier » n’est pas reprise : le genre « file_upload »/m,
    )
    assert.match(remarks, /^-: La valeur « \{\{var:score\}\} » n’est pas reprise\.$/m)
  })

  test('outcomes become results, and their counters become weights of answers', () => {
    const add = (choice: string, counter: string) => ({
      action: 'add',
      condition: {
        op: 'is',
        vars: [
          { type: 'field', value: 'f' },
          { type: 'choice', value: choice },
        ],
      },
      details: {
        target: { type: 'variable', value: counter },
        value: { type: 'constant', value: 2 },
      },
    })
    const { draft } = convert(
      typeformFile(
        [
          {
            ref: 'f',
            type: 'multiple_choice',
            title: 'q',
            properties: {
              choices: [
                { ref: 'a', label: 'A' },
                { ref: 'b', label: 'B' },
              ],
            },
          },
        ],
        {
          thankyou_screens: [
            { ref: 't1', title: 'Calme' },
            { ref: 't2', title: 'Vif' },
          ],
          outcome: {
            choices: [
              { counter_variable: 'k1', thankyou_screen_ref: 't1' },
              { counter_variable: 'k2', thankyou_screen_ref: 't2' },
            ],
          },
          logic: [{ type: 'field', ref: 'f', actions: [add('a', 'k1'), add('b', 'k2')] }],
        },
      ),
    )
    assert.equal(draft.quiz_mode, 'profils')
    const names = new Map(draft.results.map(({ id, name }) => [id, name]))
    const links = draft.questions[0]?.answers.map(({ associations }) =>
      associations.map((link) => [names.get(link.result_id), link.weight]),
    )
    assert.deepEqual(links, [[['Calme', 2]], [['Vif', 2]]])
  })

  test('a result by score without a tier gets a remark', () => {
    const action = {
      action: 'add',
      condition: {
        op: 'is',
        vars: [
          { type: 'field', value: 'f' },
          { type: 'constant', value: true },
        ],
      },
      details: {
        target: { type: 'variable', value: 'score' },
        value: { type: 'constant', value: 4 },
      },
    }
    const { draft, remarks } = convert(
      typeformFile([{ ref: 'f', type: 'yes_no', title: 'q' }], {
        logic: [{ type: 'field', ref: 'f', actions: [action] }],
      }),
    )
    assert.deepEqual([draft.quiz_mode, draft.questions[0]?.answers[0]?.score], ['score', 4])
    assert.match(remarks, /^-: Le palier du résultat « Votre score » est à écrire\.$/m)
  })

  test('nested groups, unknown kinds and loops get a remark, and HTML is removed', () => {
    let field: object = { type: 'short_text', title: 'au fond' }
    for (let depth = 0; depth < 500; depth++)
      field = { type: 'group', title: `g${depth}`, properties: { fields: [field] } }
    const script = '<script>alert(1)</script><img src=x onerror="a()"><b>Titre</b>'
    const { remarks, draft } = convert(
      typeformFile([field, { type: 'hologram', title: script }, { type: 'email', title: script }]),
    )
    assert.match(remarks, /est dans trop d’autres groupes/)
    assert.match(
      remarks,
      /La question « alert\(1\)Titre » n’est pas reprise : le genre « hologram »/,
    )
    assert.equal(draft.questions.at(-1)?.text, 'alert(1)Titre')
  })

  test('a matrix becomes a grid, and a screen of contact fields one page', () => {
    const row = (title: string) => ({
      ref: title,
      type: 'multiple_choice',
      title,
      properties: { choices: [{ label: 'Oui' }, { label: 'Non' }] },
    })
    const { draft } = convert(
      typeformFile([
        { type: 'matrix', title: 'Grille', properties: { fields: [row('un'), row('deux')] } },
        {
          type: 'contact_info',
          title: 'Vous',
          properties: {
            fields: [
              { type: 'short_text', title: 'Prénom' },
              { type: 'email', title: 'Mail' },
            ],
          },
        },
      ]),
    )
    assert.deepEqual(
      draft.questions.map(({ text, grid_title, continues_grid, page_number }) => [
        text,
        grid_title,
        continues_grid,
        page_number,
      ]),
      [
        ['un', 'Grille', false, 1],
        ['deux', null, true, 1],
        ['Prénom', null, false, 2],
        ['Mail', null, false, 2],
      ],
    )
  })
})

describe('Google Forms', () => {
  test('sections, right answers, points, grids and jumps are converted', () => {
    const { draft, remarks } = convert(readForeignFile('google-forms-quiz.json'))
    assert.deepEqual(
      [draft.quiz.type, draft.quiz_mode, draft.results[0]?.max_score],
      ['quiz', 'score', 5],
    )
    const [call, gestures, pace, content] = draft.questions
    assert.deepEqual(
      call?.answers.map(({ text, score, is_correct, jump_to }) => [
        text,
        score,
        is_correct,
        jump_to,
      ]),
      [
        ['Le 18', 2, true, null],
        ['Le 36 30', 0, false, 3],
        ['Personne', 0, false, 0],
      ],
    )
    assert.deepEqual(
      [gestures?.all_or_nothing, gestures?.has_other, gestures?.max_choices],
      [true, true, null],
    )
    assert.equal(
      gestures?.answers.reduce((sum, { score }) => sum + (score ?? 0), 0),
      3,
    )
    assert.deepEqual([pace?.grid_title, content?.continues_grid], ['Votre avis', true])
    for (const part of [
      'L’image « Un plan »',
      'l’envoi d’un fichier',
      'L’échelle de 1 à 6',
      'La question d’heure',
    ])
      assert.ok(remarks.includes(part), part)
  })

  test('the columns of answers become questions, and repeated answers choices', () => {
    const { draft } = convert(readForeignFile('google-forms-answers.csv'), 'Atelier d’été.csv')
    assert.equal(draft.quiz.name, 'Atelier d’été')
    assert.deepEqual(
      draft.questions.map(({ text, type, max_choices, answers }) => [
        text,
        type,
        max_choices,
        answers.map((answer) => answer.text).join('|'),
      ]),
      [
        ['Adresse e-mail', 'email', 1, ''],
        ['Quelle formule ?', 'multiple_choice', 1, 'Groupe|Seul'],
        ['Vos attentes', 'multiple_choice', null, 'Le contenu|Les échanges'],
        ['Une note', 'scale', 1, ''],
        ['Un mot, libre', 'textarea', 1, ''],
      ],
    )
    const { draft: other } = convert('Horodateur;Ville\r\n1;Lyon, Rhône\r\n')
    assert.deepEqual(
      other.questions.map(({ text, type }) => [text, type]),
      [['Ville', 'text']],
    )
  })
})
