import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dimensionOf, draftOf, questionOf, resultOf, tierOf } from '#domain/testing/drafts.ts'
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

const health = dimensionOf('d', { name: 'Santé', tiers: [tierOf('t', 0, 100)] })
const asked = questionOf('q', { dimension_id: 'd' })
const whole = draftOf({ dimensions: [health], questions: [asked] })
for (const [name, before, says, ...field_ids] of [
  [
    'a deletion, and not its questions',
    draftOf({ questions: [{ ...asked, dimension_id: null }] }),
    'dimension « Santé »',
    'dimension-d-name',
  ],
  [
    'its name',
    draftOf({ ...whole, dimensions: [{ ...health, name: 'Forme' }] }),
    'dimension « Santé »',
    'dimension-d-name',
  ],
  [
    'its tiers',
    draftOf({ ...whole, dimensions: [{ ...health, tiers: [] }] }),
    'paliers de « Santé »',
    ...['dimension-d-tiers', 'dimension-d-name'],
  ],
  [
    'its description',
    draftOf({ ...whole, dimensions: [{ ...health, description: 'Le corps' }] }),
    'description de « Santé »',
    ...['dimension-d-description', 'dimension-d-name'],
  ],
] as const)
  test(`an undo leads to the changed dimension: ${name}`, () =>
    assert.deepEqual(describeRevertedChange(before, whole), {
      text: `Rétabli : ${says}`,
      step: 'results',
      field_ids,
    }))
