import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import { modeAfterEdit } from '#domain/questionnaire/mode.ts'
import { renumber } from '#domain/questionnaire/pages.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { dimensionOf, textVariantOf, tierOf } from '#domain/testing/draft-dimensions.ts'
import {
  answerOf,
  draftOf,
  drafts,
  IMAGE_IDS,
  questionOf,
  quizOf,
  resultOf,
  textBlockOf,
} from '#domain/testing/drafts.ts'
import { draftOfFile, fileOfDraft } from './quiz-file.ts'

const [PICTURE, OTHER_PICTURE] = IMAGE_IDS

/** Returns the draft that another creator gets from a file, with their own images. */
const moved = (draft: Draft): Draft => {
  let count = 0
  const { file, pictures } = fileOfDraft(draft)
  return draftOfFile(
    quizOf({ id: 'new', name: 'Nouveau', type: 'quiz' }),
    { ...file, pictures: [] },
    {
      createId: () => `id-${++count}`,
      image_ids: new Map(pictures.map(({ id }) => [id, `theirs ${id}`])),
    },
  )
}

/** Drafts as the server stores them. */
const stored = drafts.map(
  (draft): Draft => ({
    ...draft,
    ...renumber(draft),
    quiz_mode: modeAfterEdit(draft.quiz_mode, draft.questions),
  }),
)

test('a file has all content of a draft, with short names for references', () => {
  const draft = draftOf({
    quiz: quizOf({
      bg_color: '#112233',
      logo_image_id: OTHER_PICTURE,
      slug: 'mon-quiz',
      kit_custom_field: 'champ',
      tie_rule: 'question',
      tie_question_id: '9f3',
    }),
    quiz_mode: 'profils',
    results: [
      resultOf('7c1', { name: 'Calme', image_id: PICTURE, image_alt: 'Un lac' }),
      resultOf('5a2', { name: 'Vif', priority_order: 1 }),
    ],
    questions: [
      questionOf('9f3', {
        text: 'Le matin ?',
        global_position: 1,
        label: 'matin',
        answers: [
          answerOf('a', {
            counts_for: { '5a2': 2, '7c1': 1 },
            jump_to: 3,
            image_id: PICTURE,
            is_correct: true,
          }),
        ],
      }),
    ],
    text_blocks: [textBlockOf('b', { content: 'Bonjour' })],
  })
  const { file, pictures } = fileOfDraft(draft)
  assert.deepEqual(pictures, [
    { id: 'p1', image_id: OTHER_PICTURE },
    { id: 'p2', image_id: PICTURE },
  ])
  assert.deepEqual(
    [file.quiz.name, file.quiz.type, file.quiz.bg_color, file.quiz.logo_image_id],
    ['Quel rythme ?', 'quiz', '#112233', 'p1'],
  )
  assert.deepEqual([file.quiz.tie_rule, file.quiz.tie_question_id], ['question', 'q1'])
  assert.deepEqual(
    file.results.map(({ id, name, image_id, image_alt }) => [id, name, image_id, image_alt]),
    [
      ['r1', 'Calme', 'p2', 'Un lac'],
      ['r2', 'Vif', null, null],
    ],
  )
  const [question] = file.questions
  assert.deepEqual(
    [question?.id, question?.text, question?.label, question?.global_position],
    ['q1', 'Le matin ?', 'matin', 1],
  )
  assert.deepEqual(question?.answers, [
    {
      id: 'q1a1',
      text: 'a',
      score: null,
      image_id: 'p2',
      image_alt: null,
      jump_to: 3,
      is_correct: true,
      associations: [
        { result_id: 'r1', weight: 1, is_checked: true },
        { result_id: 'r2', weight: 2, is_checked: true },
      ],
    },
  ])
  assert.deepEqual(file.text_blocks, [{ content: 'Bonjour', page_number: 1, global_position: 0 }])
  // The file must not contain ids, addresses or tools of the account.
  assert.doesNotMatch(JSON.stringify(file), /7c1|5a2|9f3|mon-quiz|champ|2026/)
})

test('a file names the rows that conditions refer to, and a deleted row has a name that no row has', () => {
  const answers = ['a8', 'b8'].map((id) => answerOf(id))
  const conditions: Condition[] = [
    { kind: 'answer_chosen', question_id: '9f3', answer_id: 'b8' },
    { kind: 'dimension_tier', dimension_id: '4d4', tier_id: '4d5' },
    { kind: 'answer_not_chosen', question_id: '9f3', answer_id: 'c8' },
  ]
  const { file } = fileOfDraft(
    draftOf({
      results: [resultOf('7c1')],
      questions: [questionOf('9f3', { answers, dimension_id: '4d4' })],
      dimensions: [dimensionOf('4d4', { name: 'Santé', tiers: [tierOf('4d5', 0, 100)] })],
      text_variants: [textVariantOf('5e5', { place: 'result', result_id: '7c1', conditions })],
    }),
  )
  assert.equal(file.questions[0]?.dimension_id, 'd1')
  assert.deepEqual(file.dimensions[0]?.tiers[0]?.id, 'd1t1')
  assert.deepEqual(file.text_variants, [
    {
      place: 'result',
      result_id: 'r1',
      joined_by: 'and',
      text: '5e5',
      button_text: null,
      button_url: null,
      conditions: [
        { kind: 'answer_chosen', question_id: 'q1', answer_id: 'q1a2' },
        { kind: 'dimension_tier', dimension_id: 'd1', tier_id: 'd1t1' },
        { kind: 'answer_not_chosen', question_id: 'q1', answer_id: 'x1' },
      ],
    },
  ])
})

test('the draft of a file equals the original draft and gives an equal file', () => {
  fc.assert(
    fc.property(stored, (draft) => {
      assert.deepEqual(fileOfDraft(moved(draft)).file, fileOfDraft(draft).file)
    }),
  )
})

test('the draft of a file has new ids and images', () => {
  fc.assert(
    fc.property(stored, (draft) => {
      const { quiz, results, questions, text_blocks, dimensions, text_variants } = moved(draft)
      assert.deepEqual([quiz.id, quiz.status, quiz.slug], ['new', 'Brouillon', null])
      const answers = questions.flatMap((question) => question.answers)
      const links = answers.flatMap(({ associations }) => associations)
      const tiers = dimensions.flatMap((dimension) => dimension.tiers)
      const added = [...dimensions, ...tiers, ...text_variants]
      const rows = [...results, ...questions, ...text_blocks, ...answers, ...links, ...added]
      const ids = rows.map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length)
      assert.ok(ids.every((id) => id.startsWith('id-')))
      for (const { image_id } of [...results, ...questions, ...answers])
        assert.ok(image_id === null || image_id.startsWith('theirs p'))
      const { tie_question_id } = quiz
      assert.ok(tie_question_id === null || questions.some(({ id }) => id === tie_question_id))
      const ends = new Set(results.map(({ id }) => id))
      assert.ok(links.every(({ result_id }) => ends.has(result_id)))
      for (const question of questions)
        for (const answer of question.answers) {
          assert.equal(answer.question_id, question.id)
          assert.ok(answer.associations.every(({ answer_id }) => answer_id === answer.id))
        }
    }),
  )
})

test('omitted fields have the values of a new quiz, and the mode follows from the scores', () => {
  const draft = draftOfFile(
    quizOf({ consent_mode: 'requested' }),
    {
      format: 'quizaine-quiz',
      schema_version: 1,
      quiz: { name: 'Court', type: 'quiz' },
      results: [{ id: 'fin', name: 'Fin' }],
      questions: [
        {
          id: 'un',
          type: 'multiple_choice',
          text: 'Et ?',
          page_number: 3,
          global_position: 7,
          answers: [{ text: 'Oui', score: 2, associations: [] }],
        },
      ],
      text_blocks: [],
      dimensions: [],
      text_variants: [],
      pictures: [],
    },
    { createId: () => 'x', image_ids: new Map() },
  )
  assert.deepEqual(
    [draft.quiz.name, draft.quiz.consent_mode, draft.quiz.font, draft.quiz_mode],
    ['Court', 'requested', 'system', 'score'],
  )
  assert.deepEqual(draft.results, [{ ...resultOf('x', { name: 'Fin' }), updated_at: '' }])
  assert.deepEqual(draft.questions, [
    questionOf('x', {
      text: 'Et ?',
      page_number: 3,
      answers: [answerOf('x', { text: 'Oui', score: 2 })],
    }),
  ])
})
