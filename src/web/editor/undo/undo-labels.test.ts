import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Draft, QuizOpening, QuizPage, QuizTies } from '#domain/questionnaire/quiz.ts'
import { answer, block, draft, question, result } from './testing/undo-draft.ts'
import { describeRevertedChange } from './undo-labels.ts'

const cases: {
  name: string
  before: Partial<Draft>
  after?: Partial<Draft>
  says: string | null
}[] = [
  { name: 'nothing', before: {}, says: null },
  {
    name: 'the name',
    before: { quiz: { ...draft.quiz, name: 'Autre' } },
    says: 'Rétabli : nom du quiz',
  },
  {
    name: 'a description together with the short name that it inserts',
    before: {
      questions: [{ ...question, label: 'agenda' }],
      results: [{ ...result, description: '{{agenda}}' }],
    },
    says: 'Rétabli : description de « Pas à pas »',
  },
  {
    name: 'the name of a sondage',
    before: { quiz: { ...draft.quiz, type: 'sondage' } },
    after: { quiz: { ...draft.quiz, type: 'sondage', name: 'Autre' } },
    says: 'Rétabli : nom du sondage',
  },
  {
    name: 'a colour',
    before: { quiz: { ...draft.quiz, bg_color: '#000000' } },
    says: 'Rétabli : fond',
  },
  {
    name: 'a question that comes back',
    before: { questions: [] },
    says: 'Rétabli : question « Votre agenda ? »',
  },
  {
    name: 'a question that goes',
    before: {},
    after: { questions: [] },
    says: 'Retiré : question « Votre agenda ? »',
  },
  {
    name: 'a grid that comes back',
    before: { questions: [] },
    after: { questions: [{ ...question, grid_title: 'Avis' }] },
    says: 'Rétabli : grille « Avis »',
  },
  {
    name: 'the title of a grid',
    before: { questions: [{ ...question, grid_title: 'Avis' }] },
    says: 'Rétabli : titre de la grille, question « Votre agenda ? »',
  },
  {
    name: 'the settings of several questions',
    before: {
      questions: [
        { ...question, dimension_id: 'd1' },
        { ...question, id: 'q2', is_required: false },
        { ...question, id: 'q3' },
      ],
    },
    after: { questions: [question, { ...question, id: 'q2' }, { ...question, id: 'q3' }] },
    says: 'Rétabli : réglages de 2 questions',
  },
  {
    name: 'the text of a question',
    before: { questions: [{ ...question, text: 'Autre' }] },
    says: 'Rétabli : question « Votre agenda ? »',
  },
  {
    name: 'an answer that comes back',
    before: { questions: [{ ...question, answers: question.answers.slice(0, 1) }] },
    says: 'Rétabli : réponse « Libre »',
  },
  {
    name: 'a score',
    before: {
      questions: [
        { ...question, answers: [answer('a1', 'Rempli', 0, 9), answer('a2', 'Libre', 1, 3)] },
      ],
    },
    says: 'Rétabli : score de « Rempli »',
  },
  {
    name: 'an option',
    before: { questions: [{ ...question, is_required: false }] },
    says: 'Rétabli : réponse obligatoire, question « Votre agenda ? »',
  },
  {
    name: 'the role of a question',
    before: { questions: [{ ...question, contact_role: 'first_name' }] },
    says: 'Rétabli : coordonnée, question « Votre agenda ? »',
  },
  {
    name: 'where an answer leads',
    before: {
      questions: [
        {
          ...question,
          answers: [{ ...answer('a1', 'Rempli', 0, 1), jump_to: 2 }, answer('a2', 'Libre', 1, 3)],
        },
      ],
    },
    says: 'Rétabli : où mène « Rempli »',
  },
  {
    name: 'the place of a page to which an answer leads',
    before: {
      questions: [
        {
          ...question,
          answers: [{ ...answer('a1', 'Rempli', 0, 1), jump_to: 3 }, answer('a2', 'Libre', 1, 3)],
        },
        { ...question, id: 'q2', text: 'Et demain ?', answers: [], page_number: 3 },
      ],
    },
    after: {
      questions: [
        {
          ...question,
          answers: [{ ...answer('a1', 'Rempli', 0, 1), jump_to: 2 }, answer('a2', 'Libre', 1, 3)],
        },
        { ...question, id: 'q2', text: 'Et demain ?', answers: [], page_number: 2 },
      ],
    },
    says: 'Rétabli : ordre des questions',
  },
  {
    name: 'an order',
    before: { questions: [{ ...question, global_position: 1, page_number: 2 }] },
    says: 'Rétabli : ordre des questions',
  },
  {
    name: 'a text block',
    before: { text_blocks: [{ ...block, content: '' }] },
    says: 'Rétabli : bloc de texte « Bonjour »',
  },
  {
    name: 'a result',
    before: { results: [{ ...result, name: 'Autre' }] },
    says: 'Rétabli : résultat « Pas à pas »',
  },
  {
    name: 'a bound',
    before: { results: [{ ...result, max_score: null }] },
    says: 'Rétabli : palier de « Pas à pas »',
  },
  { name: 'the mode alone', before: { quiz_mode: null }, says: 'Rétabli : mode de calcul' },
]

for (const { name, before, after = {}, says } of cases)
  test(`an undo describes its change: ${name}`, () => {
    const undone = describeRevertedChange({ ...draft, ...before }, { ...draft, ...after })
    assert.equal(undone?.text ?? null, says)
  })

test('an undone option leads to the line of options, and a scale label to its field', () => {
  const shownAt = (options: Partial<typeof question>): readonly string[] | undefined =>
    describeRevertedChange({ ...draft, questions: [{ ...question, ...options }] }, draft)?.field_ids
  assert.deepEqual(shownAt({ has_other: true }), ['options-q1', 'field-q1'])
  assert.deepEqual(shownAt({ scale_min_label: 'Non' }), ['scale_min_label-q1', 'field-q1'])
})

test('a long text is cut, and a blank text is described', () => {
  const long = { ...question, text: 'x'.repeat(60) }
  const said = (text: string): string | undefined =>
    describeRevertedChange(
      { ...draft, questions: [] },
      { ...draft, questions: [{ ...long, text }] },
    )?.text
  assert.equal(said(long.text), `Rétabli : question « ${'x'.repeat(40)}… »`)
  assert.equal(said(' '), 'Rétabli : question sans texte')
})

/** Text, step and field ids of a change of each page field. */
const PAGE_CASES: { [name in keyof QuizPage]: [says: string, step: string, ...ids: string[]] } = {
  welcome_title: ['titre de l’accueil', 'questions', 'page-welcome_title'],
  welcome_text: ['texte de l’accueil', 'questions', 'page-welcome_text'],
  welcome_button: ['bouton de l’accueil', 'questions', 'page-welcome_button'],
  welcome_image_id: ['image de l’accueil', 'questions', 'page-welcome_image_id'],
  welcome_image_alt: [
    'description de l’image de l’accueil',
    'questions',
    'page-welcome_image_alt',
    'page-welcome_image_id',
  ],
  end_title: ['titre de la fin', 'questions', 'page-end_title'],
  end_text: ['texte de la fin', 'questions', 'page-end_text'],
  end_button_text: ['bouton de la fin', 'questions', 'page-end_button_text'],
  end_button_url: ['adresse du bouton de la fin', 'questions', 'page-end_button_url'],
  shows_detail: ['détail du résultat', 'results', 'page-shows_detail'],
  dimension_chart: ['graphique des dimensions', 'results', 'page-dimension_chart'],
  allows_restart: ['recommencer', 'results', 'page-allows_restart'],
  font: ['police', 'settings', 'page-font'],
  corners: ['coins', 'settings', 'page-corners'],
  logo_image_id: ['logo', 'settings', 'page-logo_image_id'],
  background_image_id: ['image de fond', 'settings', 'page-background_image_id'],
  shows_corrections: ['corrections', 'results', 'page-shows_corrections'],
  report: ['rapport', 'results', 'page-report'],
  certificate_percent: ['pourcentage de l’attestation', 'results', 'page-certificate_percent'],
  certificate_title: ['titre de l’attestation', 'results', 'page-certificate_title'],
  certificate_text: ['texte de l’attestation', 'results', 'page-certificate_text'],
  certificate_issuer: [
    'organisme ou personne qui délivre l’attestation',
    'results',
    'page-certificate_issuer',
  ],
  auto_advance: ['avance automatique', 'settings', 'page-auto_advance'],
  address_form: ['vouvoiement ou tutoiement', 'settings', 'page-address_form'],
  next_label: ['bouton « suivant »', 'settings', 'page-next_label'],
  back_label: ['bouton « précédent »', 'settings', 'page-back_label'],
  finish_label: ['bouton de la dernière page', 'settings', 'page-finish_label'],
  continue_label: ['bouton « continuer »', 'settings', 'page-continue_label'],
  restart_label: ['bouton « recommencer »', 'settings', 'page-restart_label'],
  share_label: ['bouton « partager mon résultat »', 'settings', 'page-share_label'],
  report_label: ['lien du rapport', 'settings', 'page-report_label'],
  certificate_label: ['lien de l’attestation', 'settings', 'page-certificate_label'],
}

for (const [name, [says, step, ...field_ids]] of Object.entries(PAGE_CASES))
  test(`an undo leads to the changed page field: ${name}`, () => {
    const changed = { ...draft, quiz: { ...draft.quiz, [name]: 'autre' } }
    assert.deepEqual(describeRevertedChange(draft, changed), {
      text: `Rétabli : ${says}`,
      step,
      field_ids,
    })
    const [part = ''] = name.split('_')
    const isEdge = part === 'welcome' || part === 'end'
    // An empty card shows only its button, which is a second target.
    assert.deepEqual(describeRevertedChange(changed, draft)?.field_ids, [
      ...field_ids,
      ...(isEdge ? [`page-${part}`] : []),
    ])
  })

const OPENING_CASES: { [name in keyof QuizOpening]: string } = {
  slug: 'adresse du questionnaire',
  opens_at: 'date et heure d’ouverture',
  closes_at: 'date et heure de clôture',
  max_responses: 'nombre maximum de participants',
  closed_text: 'texte du questionnaire clos',
}

for (const [name, says] of Object.entries(OPENING_CASES))
  test(`an undo leads to the changed address or closing condition: ${name}`, () => {
    const changed = { ...draft, quiz: { ...draft.quiz, [name]: 'autre' } }
    const expected = { text: `Rétabli : ${says}`, step: 'settings', field_ids: [`page-${name}`] }
    assert.deepEqual(describeRevertedChange(draft, changed), expected)
    assert.deepEqual(describeRevertedChange(changed, draft), expected)
  })

test('an undo leads to the changed tie rule, or to the restored tie question', () => {
  const tied = (ties: Partial<QuizTies>) => ({ ...draft, quiz: { ...draft.quiz, ...ties } })
  const chosen = tied({ tie_rule: 'question', tie_question_id: 'q1' })
  assert.deepEqual(describeRevertedChange(tied({ tie_rule: 'both' }), chosen), {
    text: 'Rétabli : en cas d’égalité',
    step: 'results',
    field_ids: ['page-tie_rule-question'],
  })
  assert.deepEqual(describeRevertedChange(tied({ tie_rule: 'question' }), chosen), {
    text: 'Rétabli : question qui départage',
    step: 'results',
    field_ids: ['page-tie_question_id', 'page-tie_rule-question'],
  })
  const without = { ...tied({ tie_rule: 'question' }), questions: [] }
  assert.equal(
    describeRevertedChange(without, chosen)?.text,
    'Rétabli : question « Votre agenda ? »',
  )
})

test('an undo of a copied button names the number of results and leads to the first change', () => {
  const withButtons = (...texts: (string | null)[]): Draft => ({
    ...draft,
    results: texts.map((button_text, rank) => ({ ...result, id: `r${rank + 1}`, button_text })),
  })
  const copied = withButtons('Nous écrire', 'Nous écrire', 'Nous écrire')
  const before = withButtons('Nous écrire', null, null)
  assert.deepEqual(describeRevertedChange(copied, before), {
    text: 'Rétabli : bouton et redirection de 2 résultats',
    step: 'results',
    field_ids: ['button_text-r2'],
  })
})
