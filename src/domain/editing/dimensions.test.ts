import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restoreVersion } from '#domain/publishing/restore-version.ts'
import { duplicateDraft } from '#domain/questionnaire/duplicate-draft.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { dropLostReferences } from '#domain/questionnaire/references.ts'
import { hasDifferentContent, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { dimensionOf, textVariantOf } from '#domain/testing/draft-dimensions.ts'
import { answerOf, draftOf, questionOf, resultOf } from '#domain/testing/drafts.ts'
import { applyChanges } from './apply-changes.ts'
import { changesBetween, hasNoChanges } from './changes.ts'
import { mergeDrafts } from './merge-drafts.ts'

const TIER = { id: 't1', from_percent: 0, to_percent: 50, title: 'Faible', text: 'À *revoir*' }

const before = draftOf({
  quiz_mode: 'score',
  results: [resultOf('r1'), resultOf('r2', { priority_order: 1 })],
  questions: [
    questionOf('q1', {
      answers: [answerOf('a1', { score: 1 }), answerOf('a2', { score: 2, position: 1 })],
    }),
  ],
})

const after: Draft = {
  ...before,
  questions: before.questions.map((question) => ({ ...question, dimension_id: 'd1' })),
  dimensions: [
    dimensionOf('d1', { name: 'Santé', tiers: [TIER] }),
    dimensionOf('d2', { position: 1 }),
  ],
  text_variants: [
    textVariantOf('v1', {
      place: 'result',
      result_id: 'r2',
      joined_by: 'or',
      conditions: [
        { kind: 'answer_chosen', question_id: 'q1', answer_id: 'a2' },
        { kind: 'dimension_tier', dimension_id: 'd1', tier_id: 't1' },
        { kind: 'total_between', from: null, to: 3 },
      ],
    }),
  ],
}

test('the changes between two drafts add, change, move and remove dimensions and conditional texts', () => {
  assert.deepEqual(applyChanges(before, changesBetween(before, after)), after)
  assert.deepEqual(applyChanges(after, changesBetween(after, before)), before)
  const [first, second] = after.dimensions
  assert.ok(first && second)
  const edited: Draft = {
    ...after,
    dimensions: [
      { ...second, position: 0 },
      { ...first, position: 1, tiers: [{ ...TIER, to_percent: 40 }] },
    ],
  }
  assert.deepEqual(applyChanges(after, changesBetween(after, edited)), edited)
})

test('equal tiers and conditions of another load of the draft are no change', () => {
  assert.ok(hasNoChanges(changesBetween(after, structuredClone(after))))
})

test('an edit of a dimension and an edit of another one are merged without a conflict', () => {
  const rename = (draft: Draft, id: string, name: string): Draft => ({
    ...structuredClone(draft),
    dimensions: draft.dimensions.map((dimension) =>
      dimension.id === id ? { ...dimension, name } : dimension,
    ),
  })
  const mine = rename(after, 'd1', 'Forme')
  const merged = mergeDrafts({ base: after, mine, theirs: rename(after, 'd2', 'Travail') })
  assert.deepEqual(merged.conflicts, [])
  assert.deepEqual(
    merged.draft.dimensions.map(({ name }) => name),
    ['Forme', 'Travail'],
  )
  assert.deepEqual(merged.draft.text_variants, after.text_variants)
  const { conflicts } = mergeDrafts({ base: after, mine, theirs: rename(after, 'd1', 'Corps') })
  assert.deepEqual(
    conflicts.map(({ path }) => path),
    ['dimension/d1/name'],
  )
})

test('a deleted dimension or result leaves no question and no text that refers to it', () => {
  const lost = dropLostReferences({ ...after, dimensions: [], results: before.results.slice(0, 1) })
  assert.deepEqual(
    lost.questions.map(({ dimension_id }) => dimension_id),
    [null],
  )
  assert.deepEqual(lost.text_variants, [])
})

test('a version with dimensions and conditional texts is restored whole, also with other ids', () => {
  const version = takeSnapshot(after)
  const restored = restoreVersion(before, version, {
    taken_ids: [],
    missing_image_ids: [],
    createId: () => '',
  })
  assert.equal(hasDifferentContent(takeSnapshot(restored), version), false)
  let count = 0
  const renewed = restoreVersion(before, version, {
    taken_ids: ['d1', 't1', 'v1', 'a2'],
    missing_image_ids: [],
    createId: () => `new-${++count}`,
  })
  const [dimension] = renewed.dimensions
  const [variant] = renewed.text_variants
  assert.equal(renewed.questions[0]?.dimension_id, dimension?.id)
  assert.deepEqual(variant?.conditions.slice(0, 2), [
    { kind: 'answer_chosen', question_id: 'q1', answer_id: renewed.questions[0]?.answers[1]?.id },
    { kind: 'dimension_tier', dimension_id: dimension?.id, tier_id: dimension?.tiers[0]?.id },
  ])
  assert.doesNotMatch(JSON.stringify(renewed), /id":"(?:d1|t1|v1|a2)"/)
})

test('a copy refers to its own dimensions, tiers, results and answers', () => {
  let count = 0
  const copy = duplicateDraft(after, () => `copy-${++count}`)
  const rows = JSON.stringify([copy.questions, copy.dimensions, copy.text_variants])
  assert.doesNotMatch(rows, /id":"(?:d1|d2|t1|v1|q1|a1|a2|r2)"/)
  assert.equal(copy.questions[0]?.dimension_id, copy.dimensions[0]?.id)
})

test('a snapshot has dimensions only in a quiz by score, and texts only for its places', () => {
  assert.equal(takeSnapshot(after).dimensions?.length, 2)
  assert.equal(takeSnapshot(after).questions[0]?.dimension_id, 'd1')
  const profiles = takeSnapshot({ ...after, quiz_mode: 'profils' })
  assert.equal(profiles.dimensions, undefined)
  assert.equal(profiles.questions[0]?.dimension_id, undefined)
  const sondage = takeSnapshot({ ...after, quiz: { ...after.quiz, type: 'sondage' } })
  assert.equal(sondage.text_variants, undefined)
})
