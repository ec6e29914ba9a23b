import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isReservedSlug,
  isSlug,
  publicPath,
  slugReservedMessage,
  slugTakenMessage,
} from './access.ts'

test('a slug is 3 to 60 of a–z, 0–9 and -, and is not an id', () => {
  const cases: [slug: string, is_slug: boolean][] = [
    ['mon-quiz', true],
    ['abc', true],
    ['a1-', false],
    ['-a1', false],
    ['ab', false],
    ['a'.repeat(60), true],
    ['a'.repeat(61), false],
    ['Été', false],
    ['MON-QUIZ', false],
    ['mon quiz', false],
    ['mon_quiz', false],
    ['018f4f2e-0000-7000-8000-000000000000', false],
    ['', false],
  ]
  for (const [slug, is_slug] of cases) assert.equal(isSlug(slug), is_slug, slug)
})

test('words of our routes are reserved slugs, and longer words that contain them are not', () => {
  for (const slug of ['api', 'login', 'admin', 'docs', 'images', 'mentions-legales', 'quizaine'])
    assert.deepEqual([isSlug(slug), isReservedSlug(slug)], [true, true], slug)
  for (const slug of ['mon-api', 'login-2', 'administration', 'quiz-de-mai'])
    assert.deepEqual([isSlug(slug), isReservedSlug(slug)], [true, false], slug)
  for (const slug of ['test', 'desinscription', 'statistiques', 'fonts', 'oembed', 'ma-page'])
    assert.equal(isReservedSlug(slug), true, slug)
  assert.equal(slugReservedMessage('api'), 'L’adresse « api » est réservée')
  assert.equal(publicPath({ id: 'i', slug: 'mon-quiz' }), '/q/mon-quiz')
  assert.equal(publicPath({ id: 'i', slug: null }), '/q/i')
  assert.equal(slugTakenMessage('mon-quiz'), 'L’adresse « mon-quiz » est déjà prise')
})
