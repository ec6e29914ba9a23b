import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { plainText } from '#domain/run/rich-text.ts'
import { draftOf, quizOf } from '#domain/testing/drafts.ts'
import { textInsertionNames } from './mail-insertions.ts'
import type { MailPart } from './mail-result.ts'
import { composeMail, mailErrors } from './quiz-mail.ts'

const association = { weight: 1, is_checked: true }
const answers = [
  { id: 'a1', text: 'Oui', score: 2, associations: [{ ...association, result_id: 'r1' }] },
  { id: 'a2', text: 'Non', score: 0, associations: [{ ...association, result_id: 'r2' }] },
]
const ending = { button_text: 'Réserver', button_url: 'https://exemple.fr/?r={{prénom}}' }
const snapshot = {
  quiz: { name: 'Quel rythme ?', type: 'quiz' },
  quiz_mode: 'profils',
  questions: [
    { id: 'q1', type: 'text', text: 'Prénom ?', label: 'Prénom' },
    { id: 'q2', type: 'multiple_choice', text: 'Site ?', allows_several: true, answers },
  ].map((question, global_position) => ({
    answers: [],
    is_required: true,
    page_number: 1,
    global_position,
    ...question,
  })),
  text_blocks: [],
  results: [
    {
      id: 'r1',
      name: 'Élan',
      description: 'Bravo {{prénom}}.\n\nVous avancez.',
      image_id: 'image',
      image_alt: 'Un saut',
      priority_order: 0,
      ...ending,
    },
    { id: 'r2', name: 'Calme', description: null, priority_order: 1 },
  ],
} as unknown as Snapshot

const compose = (
  text: string,
  { shows_result = true, more = {}, result = 'r1' as string | null } = {},
) =>
  composeMail(
    { subject: 'Votre résultat', text, shows_result },
    {
      snapshot: { ...snapshot, ...more } as Snapshot,
      replies: { q1: 'Léa', q2: 'a1' },
      result: result === null ? null : { id: result, name: 'Élan' },
      email: 'lea@exemple.fr',
    },
    (typed) => typed,
  )

const described = ({ parts }: { parts: readonly MailPart[] }): string[] =>
  parts.map((part) => {
    if (part.kind === 'text') return plainText(part.text)
    if (part.kind === 'picture') return `${part.image_id}: ${part.alt}`
    if (part.kind === 'button') return `${part.label} -> ${part.url}`
    return `${part.note ?? ''}# ${part.text}`
  })

const WHOLE = [
  '# Élan',
  'image: Un saut',
  'Bravo Léa.\n\nVous avancez.',
  'Réserver -> https://exemple.fr/?r=L%C3%A9a',
]

describe('the result in a result mail', () => {
  test('the words of the creator come first, then the result', () => {
    const mail = compose('Bonjour')
    assert.equal(mail.body, 'Bonjour')
    assert.deepEqual(described(mail), WHOLE)
  })

  test('a mail written before shows no result', () => {
    assert.deepEqual(compose('Bonjour', { shows_result: false }).parts, [])
  })

  test('conditional texts of the result page and of the mail follow, each text once', () => {
    const variant = (id: string, place: string, text: string) => ({
      ...{ id, place, text, result_id: null, joined_by: 'and', button_text: null },
      button_url: null,
      conditions: [{ kind: 'answer_chosen', question_id: 'q2', answer_id: 'a1' }],
    })
    const text_variants = [
      variant('v1', 'mail', 'Par email'),
      variant('v2', 'every_result', 'Partout'),
      variant('v3', 'mail', 'Partout'),
      variant('v4', 'end', 'Ailleurs'),
    ]
    const more = { text_variants }
    assert.deepEqual(described(compose('Bonjour', { more })).slice(3, 4), ['Partout\nPar email'])
    const before = compose('Bonjour', { more, shows_result: false })
    assert.equal(plainText(before.body), 'Bonjour\nPar email\nPartout')
  })

  test('tied results are shown if the page shows them', () => {
    const both = answers.map((answer) => ({
      ...answer,
      associations: ['r1', 'r2'].map((result_id) => ({ ...association, result_id })),
    }))
    const questions = snapshot.questions.map((question) =>
      question.id === 'q2' ? { ...question, answers: both } : question,
    )
    const of = (tie_rule: string) =>
      described(compose('Bonjour', { more: { questions, quiz: { ...snapshot.quiz, tie_rule } } }))
    assert.deepEqual(of('both'), [...WHOLE, 'Ex æquo# Calme'])
    assert.deepEqual(of('priority'), WHOLE)
  })

  test('a sondage has no result, but the button of its end', () => {
    const quiz = {
      ...{ name: 'Avis', type: 'sondage', end_button_text: 'Voir' },
      end_button_url: 'https://exemple.fr/a',
    }
    const mail = compose('Merci', { more: { quiz, results: [] }, result: null })
    assert.deepEqual(described(mail), ['Voir -> https://exemple.fr/a'])
  })
})

describe('the inserted description of the result', () => {
  test('a paragraph of its own keeps the blocks of the description, which is not repeated below', () => {
    const mail = compose('Bonjour\n\n{{Description du résultat}}\n\nÀ bientôt')
    assert.deepEqual(mail.body, [['Bonjour'], ['Bravo Léa.'], ['Vous avancez.'], ['À bientôt']])
    assert.deepEqual(
      described(mail),
      WHOLE.filter((part) => !part.startsWith('Bravo')),
    )
  })

  test('inside a sentence the description is words, shortened', () => {
    const results = [{ ...snapshot.results[0], description: 'mot '.repeat(1_000) }]
    const { body } = compose('Lisez : {{description du résultat}}', { more: { results } })
    const words = plainText(body)
    assert.ok(words.length < 520, `${words.length} characters`)
    assert.match(words, /^Lisez : mot .*…$/)
  })

  test('the description can be inserted in the text only, in quizzes only', () => {
    const names = textInsertionNames(snapshot)
    assert.deepEqual(names.slice(0, 2), ['résultat', 'description du résultat'])
    const sondage = { ...snapshot, quiz: { ...snapshot.quiz, type: 'sondage' as const } }
    assert.ok(!textInsertionNames(sondage).includes('description du résultat'))
    const draft = draftOf({ quiz: quizOf({ type: 'quiz' }) })
    const fieldsOf = (words: { subject: string; text: string }) =>
      mailErrors(words, draft).map(({ field }) => field)
    const inserted = '{{description du résultat}}'
    assert.deepEqual(fieldsOf({ subject: 'x', text: inserted }), [])
    assert.deepEqual(fieldsOf({ subject: inserted, text: 'x' }), ['subject'])
  })

  test('a question with this short name wins', () => {
    const questions = snapshot.questions.map((question) =>
      question.id === 'q1' ? { ...question, label: 'Description du résultat' } : question,
    )
    const mail = compose('{{description du résultat}}', { more: { questions } })
    assert.equal(plainText(mail.body), 'Léa')
    assert.equal(described(mail).length, 4)
  })
})
