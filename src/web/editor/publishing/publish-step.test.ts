import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  PUBLISH_TITLES,
  pointsToFix,
  publishButton,
  publishEffect,
  publishStep,
} from './publish-step.ts'

const draft = { status: 'Brouillon' } as const
const published = { status: 'Publié' } as const
const errors = [
  { message: 'Il faut au moins une question pour publier le quiz' },
  { message: 'Il faut au moins 2 résultats pour publier le quiz' },
]

describe('publishButton', () => {
  test('the publish button is enabled if the draft has no errors', () => {
    assert.deepEqual(publishButton({ quiz: draft, hasChanges: false, errors: [] }), {
      isDisabled: false,
      title: 'Publier le quiz',
    })
  })
  test('errors disable the publish button, and the first error is its title', () => {
    assert.deepEqual(publishButton({ quiz: draft, hasChanges: false, errors }), {
      isDisabled: true,
      title: 'Il faut au moins une question pour publier le quiz',
    })
  })
  test('the publish button is disabled when the published version equals the draft', () => {
    assert.deepEqual(publishButton({ quiz: published, hasChanges: false, errors: [] }), {
      isDisabled: true,
      title: 'Aucune modification à publier',
    })
  })
  test('the publish button is enabled if there are unpublished changes', () => {
    assert.equal(publishButton({ quiz: published, hasChanges: true, errors: [] }).isDisabled, false)
  })
})

test('a quiz with nothing to publish has no points to fix', () => {
  assert.deepEqual(pointsToFix({ quiz: draft, hasChanges: false, errors }), errors)
  assert.deepEqual(pointsToFix({ quiz: published, hasChanges: true, errors }), errors)
  assert.deepEqual(pointsToFix({ quiz: published, hasChanges: false, errors }), [])
})

test('the title of the publish dialog depends on its purpose', () => {
  const title = (quiz: typeof draft | typeof published, hasChanges: boolean) =>
    PUBLISH_TITLES[publishStep({ quiz, hasChanges })]
  assert.equal(title(draft, false), 'Publier le quiz')
  assert.equal(title(published, true), 'Mettre à jour le quiz')
  assert.equal(title(published, false), 'Partager le quiz')
})

test('the publish dialog says what becomes public, a quiz or a sondage', () => {
  for (const type of ['quiz', 'sondage'] as const) {
    assert.match(publishEffect('publish', { type }), new RegExp(`^Votre ${type} sera accessible`))
    assert.doesNotMatch(publishEffect('update', { type }), /quiz|sondage/)
  }
})
