import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contrastRatio } from '#domain/questionnaire/look/colors.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { certificateSnapshot, ONLY_RESULT } from '#domain/testing/certificate-snapshot.ts'
import { certificateInsertions } from './certificate.ts'
import { documentTexts, lookOf, picturesOf } from './document.ts'
import { certificateDocument, reportDocument } from './report-document.ts'

const question = (id: string, more: Partial<SnapshotQuestion>): SnapshotQuestion => ({
  id,
  text: id,
  type: 'text',
  position: 0,
  global_position: 0,
  page_number: 1,
  answers: [],
  ...more,
})
const QUESTIONS = [
  question('p', { text: 'Votre prénom ?', contact_role: 'first_name', label: 'Toi' }),
  question('n', { text: 'Votre nom ?', contact_role: 'last_name', is_required: false }),
  question('c', {
    text: 'Et vous, {{Toi}} ?',
    type: 'multiple_choice',
    image_id: 'i',
    image_alt: '',
    answers: [0, 4].map((score, position) => ({
      id: `c${position}`,
      text: `Réponse ${position}`,
      score,
      position,
      associations: [],
    })),
  }),
]
const plain = (text: string): string => text
const REPLIES = { p: 'Léa', c: 'c1' }

describe('the report of a run', () => {
  const snapshot = certificateSnapshot(QUESTIONS, { report: 'replies' })
  const result = { ...ONLY_RESULT, description: 'Bien joué {{Toi}}.', image_id: 'j' }

  test('the report has the texts of the end page, and the replies if the creator chose them', () => {
    const run = { snapshot, replies: REPLIES, result }
    const texts = documentTexts(reportDocument(run, '26 novembre 2026', plain))
    assert.deepEqual(texts, [
      'Sécurité – 26 novembre 2026',
      'Bravo',
      'Bien joué Léa.',
      'Vos réponses',
      '1. Votre prénom ?',
      'Léa',
      '2. Votre nom ?',
      'Sans réponse',
      '3. Et vous, Léa ?',
      'Réponse 1',
    ])
    const short = {
      ...run,
      snapshot: { ...snapshot, quiz: { ...snapshot.quiz, report: 'result' as const } },
    }
    assert.deepEqual(
      documentTexts(reportDocument(short, '26 novembre 2026', plain)),
      texts.slice(0, 3),
    )
  })

  test('the report says which replies are right and why, if the quiz shows corrections', () => {
    const corrected = QUESTIONS.map((question) => ({
      ...question,
      explanation: question.answers.length > 0 ? 'Parce que, {{Toi}}.' : null,
      answers: question.answers.map((answer, rank) => ({ ...answer, is_correct: rank === 0 })),
    }))
    const textsOf = (shows_corrections: 'never' | 'end', chosen: string): string[] => {
      const quiz = { report: 'replies' as const, shows_corrections }
      const taken = certificateSnapshot(corrected, quiz)
      const run = { snapshot: taken, replies: { ...REPLIES, c: chosen }, result }
      const texts = documentTexts(reportDocument(run, '', plain))
      return texts.filter((text) => /juste|réponse\b|Parce/.test(text))
    }
    const why = 'Parce que, Léa.'
    assert.deepEqual(textsOf('never', 'c1'), ['Sans réponse'])
    assert.deepEqual(textsOf('end', 'c0'), [
      ...['1 réponse juste sur 1', 'Sans réponse', '✓ Bonne réponse', why],
    ])
    assert.deepEqual(textsOf('end', 'c1'), [
      ...['0 réponse juste sur 1', 'Sans réponse', '✗ Mauvaise réponse'],
      ...['Bonne réponse\u00a0: Réponse 0', why],
    ])
  })

  test('each line of a grid says out of how many its number is, and what the ends mean', () => {
    const scale = { type: 'scale', scale_min: 1, scale_max: 5 } as const
    const ends = { scale_min_label: 'Pas du tout', scale_max_label: 'Tout à fait' }
    const rows = ['g', 'h'].map((id, rank) =>
      question(id, { ...scale, ...ends, ...(rank === 0 ? { grid_title: 'Le stage' } : {}) }),
    )
    const taken = certificateSnapshot(rows, { report: 'replies' })
    const run = { snapshot: taken, replies: { g: '5', h: '2' }, result }
    const ends_text = '(1\u00a0: Pas du tout\u202f; 5\u00a0: Tout à fait)'
    assert.deepEqual(documentTexts(reportDocument(run, '', plain)).slice(-5), [
      ...['Le stage', '1. g', `5 sur 5 ${ends_text}`, '2. h', `2 sur 5 ${ends_text}`],
    ])
  })

  test('the report names its pictures in their order', () => {
    const document = reportDocument({ snapshot, replies: REPLIES, result }, '', plain)
    assert.deepEqual(picturesOf(document), ['j', 'i'])
    assert.deepEqual(picturesOf({ ...document, logo_image_id: 'i' }), ['i', 'j'])
  })

  test('the colours of a document are readable on paper, whatever the colours of the quiz', () => {
    for (const color of ['#ffffff', '#ffff00', '#102030', null]) {
      const look = lookOf({ quiz: { ...snapshot.quiz, text_color: color, accent_color: color } })
      for (const shown of Object.values(look.colors))
        assert.ok(contrastRatio(shown, '#ffffff') >= 4.5, `${color} is shown as ${shown}`)
    }
  })
})

describe('a certificate', () => {
  const textsOf = (
    replies: Record<string, string>,
    certificate_text: string | null = null,
    certificate_issuer: string | null = null,
  ) => {
    const snapshot = certificateSnapshot(QUESTIONS, {
      certificate_percent: 50,
      certificate_text,
      certificate_issuer,
    })
    const run = { snapshot, replies, result: ONLY_RESULT, percent: 100 }
    const values = certificateInsertions(run, '26 novembre 2026')
    const facts = {
      day: '26 novembre 2026',
      percent: 100,
      number: 'A-B',
      url: 'https://q.fr/a',
      values,
    }
    return documentTexts(certificateDocument(run, facts, plain))
  }

  test('a certificate prints name, text, day, percent, number and the address that confirms them', () => {
    assert.deepEqual(textsOf({ ...REPLIES, n: 'Martin' }), [
      'Attestation de réussite',
      'Sécurité',
      'Léa Martin',
      'Ce document atteste que le questionnaire a été réussi avec 100\u00a0% des points, le 26 novembre 2026.',
      'Date\u00a0: 26 novembre 2026',
      'Résultat\u00a0: 100\u00a0%',
      'Numéro\u00a0: A-B',
      'Vérifier\u00a0: https://q.fr/a',
    ])
  })

  test('a certificate names the person or organisation that issues it', () => {
    const texts = textsOf(REPLIES, null, ' Institut Exemple ')
    assert.equal(texts[4], 'Délivrée par\u00a0: Institut Exemple')
    assert.equal(texts.length, textsOf(REPLIES, null, ' ').length + 1)
  })

  test('without a name, the line of the name is left out and the text stays readable', () => {
    const texts = textsOf({ c: 'c1' }, 'Bravo {{nom}}, c’est {{pourcentage}} ({{Toi}}).')
    assert.deepEqual(texts.slice(0, 3), [
      'Attestation de réussite',
      'Sécurité',
      'Bravo, c’est 100\u00a0%.',
    ])
  })
})
