import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { plainText } from '#domain/run/rich-text.ts'
import { mailInsertionNames, type ResultMailInput } from './mail-insertions.ts'
import { composeMail, defaultMail, mailErrors, sampleRun } from './quiz-mail.ts'

const question = { page_number: 1, global_position: 0, is_required: true, answers: [] }
const answers = [
  { id: 'a1', text: 'Oui.fr', score: 2, associations: [] },
  { id: 'a2', text: 'Non', score: 0, associations: [] },
]
const snapshot = {
  quiz: { name: 'Quel rythme ?', type: 'quiz' },
  quiz_mode: 'score',
  questions: [
    { ...question, id: 'q1', type: 'text', text: 'Prénom ?', label: 'Prénom' },
    { ...question, id: 'q2', type: 'multiple_choice', text: 'Site ?', label: 'site', answers },
    { ...question, id: 'q3', type: 'email', text: 'Où ?', label: 'adresse' },
    { ...question, id: 'q4', type: 'textarea', text: 'Quoi ?', label: 'avis' },
  ],
  text_blocks: [],
  results: [{ id: 'r1', name: 'Élan', description: null, min_score: 0, max_score: 9 }],
} as unknown as Snapshot

const email = 'lea@exemple.fr'
const runOf = (typed: Replies): ResultMailInput => ({
  snapshot,
  email,
  result: { id: 'r', name: 'Élan' },
  replies: { q1: 'Léa', q2: 'a1', q3: email, q4: '', ...typed },
})
const asTyped = (text: string) => text
const composed = (text: string, typed: Replies = {}): string =>
  plainText(composeMail({ subject: 'x', text }, runOf(typed), asTyped).body)

const FILLED: [text: string, typed: Replies, expected: string][] = [
  ['Bonjour {{prénom}} !', {}, 'Bonjour Léa !'],
  ['Bonjour {{Prénom}} !', { q1: '' }, 'Bonjour !'],
  ['{{résultat}} : {{score}}', {}, 'Élan : 2'],
  ['{{site}}, {{adresse}}', {}, `Oui.fr, ${email}`],
  ['{{adresse}}', { q3: 'LEA+x@exemple.fr' }, 'LEA+x@exemple.fr'],
  ['{{adresse}}', { q3: 'ada@exemple.fr' }, 'ada exemple fr'],
  [
    '{{prénom}}',
    { q1: 'lea+ Votre compte est bloqué : https://mal.exemple/payer @exemple.fr' },
    'lea+ Votre compte est bloqué : https mal exemple payer  exemple fr',
  ],
  ['{{prénom}}', { q1: email }, 'lea exemple fr'],
  [
    '{{adresse}}',
    { q3: 'lea+ voyez mal.exemple @exemple.fr' },
    'lea+ voyez mal exemple  exemple fr',
  ],
  ['{{disparu}} reste lisible', {}, 'reste lisible'],
  ['{{prénom}}', { q1: 'Gagnez sur https://mal.exemple/x' }, 'Gagnez sur https mal exemple x'],
  ['{{prénom}}', { q1: 'www.mal.exemple' }, 'www mal exemple'],
  ['{{prénom}}', { q1: 'mal。exemple' }, 'mal exemple'],
  [
    '{{prénom}}',
    { q1: 'M. Dupont, à 14:30 le 3/4, 1.5 km.' },
    'M. Dupont, à 14:30 le 3/4, 1.5 km.',
  ],
  [
    '{{prénom}}',
    { q1: 'J.-P. Martin, A/B, et/ou, S.A.R.L.' },
    'J.-P. Martin, A/B, et/ou, S.A.R.L.',
  ],
  ['{{avis}}', { q4: `${'a'.repeat(99)}👩‍👩‍👧` }, `${'a'.repeat(99)}…`],
  ['{{avis}}', { q4: 'une\n\nligne' }, 'une ligne'],
  ['{{avis}}', { q4: 'a'.repeat(200) }, `${'a'.repeat(100)}…`],
]
for (const [text, typed, expected] of FILLED)
  test(`the mail text ${text} with ${JSON.stringify(typed)} becomes ${JSON.stringify(expected.slice(0, 40))}`, () =>
    assert.equal(composed(text, typed), expected))

test('a subject is filled like its text', () => {
  const mail = { subject: '{{prénom}} : {{résultat}}', text: 'x' }
  assert.equal(composeMail(mail, runOf({ q1: 'a.fr' }), asTyped).subject, 'a fr : Élan')
})

test('the sample run has the first answers and the creator’s address', () => {
  const run = sampleRun(snapshot, email)
  assert.equal(
    plainText(composeMail({ subject: '', text: '{{adresse}} {{résultat}}' }, run, asTyped).body),
    `${email} Élan`,
  )
})

describe('contact data in a mail', () => {
  const contact = {
    ...snapshot,
    questions: [
      { ...question, id: 'q1', type: 'text', text: 'Prénom ?', contact_role: 'first_name' },
      { ...question, id: 'q2', type: 'text', text: 'Nom ?', contact_role: 'last_name' },
      { ...question, id: 'q3', type: 'phone', text: 'Numéro ?', contact_role: 'phone' },
      { ...question, id: 'q4', type: 'text', text: 'Nom du chat ?' },
    ],
  } as unknown as Snapshot
  const mailOf = (text: string, replies: Replies, of = contact): string => {
    const run = { snapshot: of, email, result: { id: 'r', name: 'Élan' }, replies }
    return plainText(composeMail({ subject: 'x', text }, run, asTyped).body)
  }
  /** The questionnaire with a short name on the question about the cat. */
  const named = (label: string): Snapshot => ({
    ...contact,
    questions: contact.questions.map((entry) => (entry.id === 'q4' ? { ...entry, label } : entry)),
  })
  const all = { q1: 'Léa', q2: 'Roy', q3: '06.12.34.56.78', q4: 'Plume' }
  const greeting = 'Bonjour {{Prénom}}, {{nom}} : {{téléphone}}'

  const filled: [title: string, text: string, replies: Replies, of: Snapshot, expected: string][] =
    [
      ['inserts each role', greeting, all, contact, 'Bonjour Léa, Roy : 06.12.34.56.78'],
      [
        'leaves a good sentence if the first name is blank',
        'Bonjour {{prénom}},\n\nMerci {{prénom}} !',
        { q1: ' ' },
        contact,
        'Bonjour,\n\nMerci !',
      ],
      [
        'inserts no role that the quiz does not ask for',
        'Ah {{nom}} !',
        { q1: 'Léa' },
        snapshot,
        'Ah !',
      ],
      ['prefers a question with that short name', 'Ah {{nom}} !', all, named('Nom'), 'Ah Plume !'],
      [
        'leaves blank what a question with that short name leaves blank',
        'Ah {{nom}} !',
        { ...all, q4: '' },
        named('Nom'),
        'Ah !',
      ],
      ['makes no link of a name', '{{prénom}}', { q1: 'www.a.fr' }, contact, 'www a fr'],
      [
        'shortens a long name',
        '{{prénom}}',
        { q1: 'é'.repeat(300) },
        contact,
        `${'é'.repeat(100)}…`,
      ],
      [
        'keeps emoji and formulas',
        '{{prénom}} {{nom}}',
        { q1: '👩‍👩‍👧', q2: '=1+1' },
        contact,
        '👩‍👩‍👧 =1+1',
      ],
    ]
  for (const [title, text, replies, of, expected] of filled)
    test(`a mail ${title}`, () => assert.equal(mailOf(text, replies, of), expected))

  test('the preview and the test mail show a sample person', () => {
    const { body } = composeMail(
      { subject: '', text: greeting },
      sampleRun(contact, email),
      asTyped,
    )
    assert.equal(plainText(body), 'Bonjour Camille, Durand : 06 12 34 56 78')
  })

  test('the menu offers each name once, and the check of a mail accepts exactly these names', () => {
    const offered = mailInsertionNames(named(' Nom '))
    assert.deepEqual(offered, ['résultat', 'score', 'Nom', 'prénom', 'téléphone'])
    assert.deepEqual(
      mailInsertionNames({ ...contact, quiz: { ...contact.quiz, type: 'sondage' } }),
      [...['prénom', 'nom', 'téléphone']],
    )
    const errorsOf = (text: string, questions = contact.questions) =>
      mailErrors({ subject: 'x', text }, {
        quiz_mode: 'score',
        text_blocks: [],
        results: [],
        dimensions: [],
        quiz: { type: 'quiz' },
        questions,
      } as unknown as Parameters<typeof mailErrors>[1])
    assert.deepEqual(errorsOf(greeting), [])
    const others = contact.questions.filter(({ id }) => id !== 'q1')
    assert.deepEqual(errorsOf('{{prénom}}', others), [
      { field: 'text', message: 'Le texte : {{prénom}} n’est le nom court d’aucune question' },
    ])
  })
})

describe('the errors of a mail', () => {
  const draft = {
    quiz_mode: 'score',
    text_blocks: [],
    results: [],
    dimensions: [],
    quiz: { type: 'quiz' },
    questions: snapshot.questions,
  } as unknown as Parameters<typeof mailErrors>[1]
  const messagesOf = (mail: { subject: string; text: string }, of = draft) =>
    mailErrors(mail, of).map(({ field, message }) => `${field}: ${message}`)

  const WRONG: [subject: string, text: string, expected: string[]][] = [
    ['{{prénom}}', '{{score}} {{résultat}} [x](https://a.fr/{{prénom}})', []],
    ['{{nom}}', 'x', ['subject: L’objet : {{nom}} n’est le nom court d’aucune question']],
    ['x', '{{ nom }}', ['text: Le texte : {{nom}} n’est le nom court d’aucune question']],
    [
      'x',
      '[x](javascript:alert)',
      [
        'text: Le texte : le lien vers « javascript:alert » n’est pas accepté (https, http, mailto ou tel)',
      ],
    ],
    ['[x](javascript:alert)', 'x', []],
    ['x', '{{prénom}}'.repeat(95), []],
    [
      'x',
      '{{prénom}}'.repeat(100),
      ['text: Le texte a trop d’insertions ou de mises en forme : enlevez-en une partie'],
    ],
  ]
  for (const [subject, text, expected] of WRONG)
    test(`a mail has the expected errors: ${subject} – ${text.slice(0, 60)}, ${text.length} letters`, () =>
      assert.deepEqual(messagesOf({ subject, text }), expected))

  test('a sondage has no result, and its default mail does not mention one', () => {
    const sondage = { ...draft, quiz: { ...draft.quiz, type: 'sondage' as const } }
    assert.deepEqual(messagesOf({ subject: '{{score}}', text: 'x' }, sondage), [
      'subject: L’objet : {{score}} n’existe pas dans un sondage',
    ])
    assert.deepEqual(messagesOf(defaultMail({ type: 'sondage' }), sondage), [])
    assert.deepEqual(messagesOf(defaultMail({ type: 'quiz' })), [])
  })
  test('the default mail addresses the participant as its quiz does', () => {
    for (const type of ['quiz', 'sondage'] as const) {
      const { subject, text } = defaultMail({ type, address_form: 'tu' })
      assert.doesNotMatch(`${subject} ${text}`, /(?:vous|votre)/i)
      assert.notEqual(subject, defaultMail({ type }).subject)
    }
  })
})

describe('the conditional texts of a mail', () => {
  const below = (id: string, answer_id: string, more = {}) => ({
    id,
    place: 'mail',
    result_id: null,
    joined_by: 'and',
    text: id,
    conditions: [{ kind: 'answer_chosen', question_id: 'q2', answer_id }],
    button_text: null,
    button_url: null,
    ...more,
  })
  const mailOf = (variants: object[], replies: Replies = {}) => {
    const run = runOf(replies)
    const withTexts = { ...snapshot, text_variants: variants } as unknown as Snapshot
    return composeMail(
      { subject: 'x', text: 'Bonjour\n\nMerci' },
      { ...run, snapshot: withTexts },
      asTyped,
    )
  }

  test('a mail shows the texts whose conditions hold, in their order', () => {
    const variants = [
      below('Un', 'a1'),
      below('Deux', 'a2'),
      below('Page', 'a1', { place: 'every_result' }),
      below('Trois', 'a1'),
    ]
    assert.deepEqual(mailOf(variants).body, [['Bonjour'], ['Merci'], ['Un'], ['Trois']])
    assert.deepEqual(mailOf(variants, { q2: 'a2' }).body, [['Bonjour'], ['Merci'], ['Deux']])
  })

  test('a mail without a shown text is as before', () =>
    assert.equal(mailOf([below('Un', 'a2')]).body, 'Bonjour\n\nMerci'))

  test('the insertions of a text and of its button are filled in, without links from visitors', () => {
    const button_url = 'https://exemple.fr/{{prénom}}'
    const text = 'Bravo {{prénom}}, {{résultat}} !'
    const variant = below('v', 'a1', { text, button_text: 'Voir', button_url })
    assert.deepEqual(mailOf([variant], { q1: 'www.a.fr' }).body, [
      ['Bonjour'],
      ['Merci'],
      ['Bravo www a fr, Élan !'],
      [{ a: ['Voir'], href: 'https://exemple.fr/www%20a%20fr' }],
    ])
  })
})
