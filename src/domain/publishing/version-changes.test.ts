import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { insertPage, movePage } from '#domain/questionnaire/arrange.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { hasDifferentContent, takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { dimensionOf, textVariantOf, tierOf } from '#domain/testing/draft-dimensions.ts'
import { editedDrafts } from '#domain/testing/draft-edits.ts'
import {
  answerOf,
  draftOf,
  questionOf,
  quizOf,
  resultOf,
  textBlockOf,
} from '#domain/testing/drafts.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { type VersionChanges, versionChanges } from './version-changes.ts'

const between = (before: Draft, after: Draft): VersionChanges =>
  versionChanges(quizOf(), { before: takeSnapshot(before), after: takeSnapshot(after) })

const NONE = { added: 0, removed: 0, changed: 0 }
const NOTHING: VersionChanges = {
  questions: NONE,
  answers: NONE,
  text_blocks: NONE,
  results: NONE,
  tiers: [],
  contact_roles: [],
  dimensions: NONE,
  dimension_tiers: [],
  text_variants: NONE,
  parts: [],
}

const pace = questionOf('pace', {
  answers: [answerOf('slow', { score: 1, jump_to: 2 }), answerOf('quick', { score: 5 })],
})
const mood = questionOf('mood', { type: 'text', position: 1, global_position: 1, page_number: 2 })
const hello = textBlockOf('hello', { global_position: 2, page_number: 2 })
const health = dimensionOf('health', { tiers: [tierOf('low', 0, 49), tierOf('high', 50, 100)] })
const work = dimensionOf('work', { position: 1 })
const draft = draftOf({
  quiz_mode: 'score',
  results: [
    resultOf('calm', { max_score: 4 }),
    resultOf('fast', { min_score: 5, priority_order: 1 }),
  ],
  questions: [pace, mood],
  text_blocks: [hello],
  dimensions: [health, work],
  text_variants: [textVariantOf('well')],
})
const [calm, fast] = draft.results
assert.ok(calm && fast)
const [slow, quick] = pace.answers
assert.ok(slow && quick)
const answered = (answers: typeof pace.answers): Partial<Draft> => ({
  questions: [{ ...pace, answers }, mood],
})

const CASES: { name: string; edit: Partial<Draft>; found: Partial<VersionChanges> }[] = [
  { name: 'nothing', edit: {}, found: {} },
  {
    name: 'a new question before the others does not change them',
    edit: {
      questions: [
        questionOf('first', { type: 'text' }),
        { ...pace, global_position: 1 },
        { ...mood, global_position: 2 },
      ],
      text_blocks: [{ ...hello, global_position: 3 }],
    },
    found: { questions: { ...NONE, added: 1 } },
  },
  {
    name: 'a deleted question with its answers',
    edit: { questions: [mood] },
    found: { questions: { ...NONE, removed: 1 } },
  },
  {
    name: 'a reworded question',
    edit: { questions: [pace, { ...mood, is_required: false }] },
    found: { questions: { ...NONE, changed: 1 } },
  },
  {
    name: 'added, deleted and reworded answers',
    edit: answered([{ ...slow, score: 2 }, answerOf('steady', { score: 3 })]),
    found: { answers: { added: 1, removed: 1, changed: 1 } },
  },
  {
    name: 'an association of an answer',
    edit: answered([answerOf('slow', { score: 1, jump_to: 2, counts_for: { calm: 1 } }), quick]),
    found: { answers: { ...NONE, changed: 1 } },
  },
  {
    name: 'a changed jump',
    edit: answered([{ ...slow, jump_to: 0 }, quick]),
    found: { answers: { ...NONE, changed: 1 } },
  },
  {
    name: 'the order of answers',
    edit: answered([
      { ...quick, position: 0 },
      { ...slow, position: 1 },
    ]),
    found: { parts: ['answers_order'] },
  },
  {
    name: 'a jump that only followed its page',
    edit: insertPage(draft, 2, [{ kind: 'text_block', text_block: textBlockOf('more') }]),
    found: { text_blocks: { ...NONE, added: 1 } },
  },
  {
    name: 'the order of pages',
    edit: movePage(draft, 2, 1),
    found: { parts: ['items_order'] },
  },
  {
    name: 'an item on another page',
    edit: { text_blocks: [{ ...hello, page_number: 3 }] },
    found: { parts: ['pages'] },
  },
  {
    name: 'a text block',
    edit: { text_blocks: [{ ...hello, content: 'Bonsoir' }] },
    found: { text_blocks: { ...NONE, changed: 1 } },
  },
  {
    name: 'a tier under the present name of its result',
    edit: { results: [{ ...calm, max_score: 3, name: 'Zen' }, fast] },
    found: { results: { ...NONE, changed: 1 }, tiers: ['Zen'] },
  },
  {
    name: 'the role of a question',
    edit: { questions: [pace, { ...mood, contact_role: 'first_name' }] },
    found: { contact_roles: ['first_name'] },
  },
  {
    name: 'a role without effect is no change',
    edit: { questions: [pace, { ...mood, contact_role: 'phone' }] },
    found: {},
  },
  {
    name: 'a new question with a role',
    edit: {
      questions: [
        ...[pace, mood],
        questionOf('call', {
          type: 'phone',
          contact_role: 'phone',
          page_number: 2,
          position: 2,
          global_position: 3,
        }),
      ],
    },
    found: { questions: { ...NONE, added: 1 }, contact_roles: ['phone'] },
  },
  {
    name: 'a new result with a tier changes no other tier',
    edit: { results: [calm, fast, resultOf('new', { min_score: 9, priority_order: 2 })] },
    found: { results: { ...NONE, added: 1 } },
  },
  {
    name: 'the order of results',
    edit: { results: [{ ...calm, priority_order: 2 }, fast] },
    found: { parts: ['results_order'] },
  },
  {
    name: 'a renamed dimension, a new one and a removed one',
    edit: { dimensions: [{ ...health, name: 'Forme' }, dimensionOf('love', { position: 1 })] },
    found: { dimensions: { added: 1, removed: 1, changed: 1 } },
  },
  {
    name: 'the tiers of a dimension under its present name',
    edit: { dimensions: [{ ...health, name: 'Forme', tiers: [tierOf('low', 0, 100)] }, work] },
    found: { dimensions: { ...NONE, changed: 1 }, dimension_tiers: ['Forme'] },
  },
  {
    name: 'the order of dimensions, their chart, and the dimension of a question',
    edit: {
      quiz: quizOf({ dimension_chart: 'radar' }),
      questions: [{ ...pace, dimension_id: 'work' }, mood],
      dimensions: [
        { ...work, position: 0 },
        { ...health, position: 1 },
      ],
    },
    found: { parts: ['dimension_questions', 'dimensions_order', 'dimension_chart'] },
  },
  {
    name: 'conditional texts: a reworded one before a new one',
    edit: {
      text_variants: [
        textVariantOf('new', { position: 0 }),
        textVariantOf('well', { text: 'Mieux', position: 1 }),
      ],
    },
    found: { text_variants: { added: 1, removed: 0, changed: 1 } },
  },
  {
    name: 'the parts of the quiz itself, each once',
    edit: {
      quiz: quizOf({
        name: 'Autre',
        bg_color: '#000000',
        font: 'lora',
        shows_detail: true,
        welcome_title: 'Bonjour',
        welcome_text: 'À vous',
        end_title: 'Merci',
      }),
    },
    found: { parts: ['name', 'welcome', 'end', 'look', 'ending'] },
  },
  {
    name: 'the tie rule',
    edit: { quiz: quizOf({ tie_rule: 'both' }), quiz_mode: 'profils' },
    found: {
      parts: ['mode', 'ties'],
      dimensions: { ...NONE, removed: 2 },
    },
  },
  {
    name: 'type and mode',
    edit: { quiz: quizOf({ type: 'sondage' }), quiz_mode: null },
    found: {
      parts: ['type', 'mode'],
      dimensions: { ...NONE, removed: 2 },
      text_variants: { ...NONE, removed: 1 },
    },
  },
]

describe('versionChanges', () => {
  for (const { name, edit, found } of CASES)
    test(`versionChanges reports the changes: ${name}`, () =>
      assert.deepEqual(between(draft, { ...draft, ...edit }), { ...NOTHING, ...found }))

  test('versionChanges reports a change exactly if two versions differ', () =>
    fc.assert(
      fc.property(editedDrafts(2), ([, draft, other]) => {
        assert.ok(draft && other)
        const found = between(draft, other)
        const isSaid = JSON.stringify(found) !== JSON.stringify(NOTHING)
        assert.equal(isSaid, hasDifferentContent(takeSnapshot(draft), takeSnapshot(other)))
      }),
      { numRuns: countCases(1_000) },
    ))
})
