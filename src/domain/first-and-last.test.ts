import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hasWelcome, leadOf } from './first-and-last.ts'
import { takeSnapshot } from './snapshot.ts'
import { draftOf, quizOf } from './testing/drafts.ts'

describe('a snapshot', () => {
  const cases: [name: string, quiz: Parameters<typeof quizOf>[0], expected: boolean][] = [
    ['nothing written', {}, false],
    ['blank', { welcome_title: ' ', welcome_text: '\n' }, false],
    ['a button and a picture alone', { welcome_button: 'Allons-y', welcome_image_id: 'i' }, false],
    ['a title', { welcome_title: 'Bonjour' }, true],
    ['a text', { welcome_title: ' ', welcome_text: 'Sept questions.' }, true],
  ]
  for (const [name, quiz, expected] of cases)
    test(`${name}: ${expected ? 'it has a welcome' : 'it has none'}`, () =>
      assert.equal(hasWelcome(takeSnapshot(draftOf({ quiz: quizOf(quiz) })).quiz), expected))
})

test('a button is there with both its words and its address', () => {
  const whole = { text: 'Écrire', address: 'https://exemple.fr' }
  assert.deepEqual(leadOf('Écrire', 'https://exemple.fr'), whole)
  assert.equal(leadOf('Écrire', null), undefined)
  assert.equal(leadOf(undefined, 'https://exemple.fr'), undefined)
})
