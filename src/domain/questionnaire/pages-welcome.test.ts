import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { draftOf, quizOf } from '#domain/testing/drafts.ts'
import { hasWelcome, linkButtonOf } from './pages.ts'
import { takeSnapshot } from './snapshot.ts'

describe('the welcome screen of a snapshot', () => {
  const cases: [name: string, quiz: Parameters<typeof quizOf>[0], expected: boolean][] = [
    ['no text', {}, false],
    ['a blank text', { welcome_title: ' ', welcome_text: '\n' }, false],
    ['only a button and a picture', { welcome_button: 'Allons-y', welcome_image_id: 'i' }, false],
    ['a title', { welcome_title: 'Bonjour' }, true],
    ['a text', { welcome_title: ' ', welcome_text: 'Sept questions.' }, true],
  ]
  for (const [name, quiz, expected] of cases)
    test(`a snapshot with ${name} ${expected ? 'has a welcome screen' : 'has no welcome screen'}`, () =>
      assert.equal(hasWelcome(takeSnapshot(draftOf({ quiz: quizOf(quiz) })).quiz), expected))
})

test('a link button needs both a text and an address', () => {
  const whole = { text: 'Écrire', address: 'https://exemple.fr' }
  assert.deepEqual(linkButtonOf('Écrire', 'https://exemple.fr'), whole)
  assert.equal(linkButtonOf('Écrire', null), undefined)
  assert.equal(linkButtonOf(undefined, 'https://exemple.fr'), undefined)
})
