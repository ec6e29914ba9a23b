import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Erasure, erasureLines } from './erasure-labels.ts'

const erasure: Erasure = {
  erased_at: '2026-03-12T09:30:00.000Z',
  email: 'ada@exemple.fr',
  nb_deleted: 1,
  quiz: { name: 'Quel rythme ?', answered_at: '2026-03-09T12:05:00.000Z' },
  choices: {},
  nb_webhooks: 0,
}

test('the confirmation of an erasure names the quiz, the answer and the person', () => {
  assert.deepEqual(erasureLines(erasure), [
    '1 participation supprimée dans « Quel rythme ? », réponse du 9 mars 2026 à 13:05.',
    'Personne : ada@exemple.fr.',
  ])
  assert.equal(erasureLines({ ...erasure, email: null })[1], 'Personne : sans adresse email.')
})

test('the confirmation of an erasure in all quizzes names each request to a tool, and the webhooks', () => {
  const everywhere = { ...erasure, nb_deleted: 2, quiz: null, nb_webhooks: 2 }
  const choices = { brevo: 'unsubscribe', systemio: 'delete' } as const
  assert.deepEqual(erasureLines({ ...everywhere, choices }), [
    '2 participations supprimées dans tous vos quiz et sondages.',
    'Personne : ada@exemple.fr.',
    'Brevo : désinscription demandée.',
    'Systeme.io : suppression demandée.',
    'La réponse des outils se lit dans les envois.',
    '2 webhooks à prévenir.',
  ])
})
