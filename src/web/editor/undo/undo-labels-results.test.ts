import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf, questionOf, resultOf } from '#domain/testing/drafts.ts'
import { describeRevertedChange } from './undo-labels.ts'

const withTexts = (text: string, image_alts: [question: string, result: string]) =>
  draftOf({
    questions: [questionOf('q', { text, image_alt: image_alts[0] })],
    results: [resultOf('Lune', { image_alt: image_alts[1] })],
  })
const described = withTexts('Quand ?', ['Un plan', 'Une lune'])

for (const { name, after, says } of [
  {
    name: 'of several images',
    after: withTexts('Quand ?', ['', '']),
    says: 'Rétabli : descriptions des images',
  },
  {
    name: 'of one image',
    after: withTexts('Quand ?', ['Un plan', '']),
    says: 'Rétabli : description de l’image de « Lune »',
  },
  {
    name: 'of several images, and a text',
    after: withTexts('Où ?', ['', '']),
    says: 'Rétabli : question « Où ? »',
  },
])
  test(`an undo names changed descriptions ${name}`, () => {
    assert.equal(describeRevertedChange(described, after)?.text, says)
  })

const result = resultOf('Lune')
for (const [field, says, ...first] of [
  ['description', 'description', 'description-Lune'],
  ['button_text', 'bouton', 'button_text-Lune'],
  ['button_url', 'adresse du bouton', 'button_url-Lune'],
  ['redirect_url', 'redirection', 'redirect_url-Lune'],
  ['image_id', 'image', 'image_id-Lune'],
  ['image_alt', 'description de l’image', 'image-alt-Lune', 'image_id-Lune'],
] as const)
  test(`an undo leads to the changed field of a result: ${field}`, () => {
    const changed = draftOf({ results: [{ ...result, [field]: 'autre' }] })
    assert.deepEqual(describeRevertedChange(changed, draftOf({ results: [result] })), {
      text: `Rétabli : ${says} de « Lune »`,
      step: 'results',
      field_ids: [...first, 'result-Lune'],
    })
  })
