import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RefusedEdit } from '#domain/editing/edit-rules.ts'
import { dimensionOf, textVariantOf, tierOf } from '#domain/testing/draft-dimensions.ts'
import type { FileAnswer, FileDimension, FileQuestion, QuizFile } from './quiz-file.ts'
import { checkFile } from './quiz-file-check.ts'

const link = (result_id: string) => ({ result_id, weight: 1, is_checked: true })
const answer = (more: Partial<FileAnswer> = {}): FileAnswer => ({
  text: 'Oui',
  associations: [],
  ...more,
})
const question = (more: Partial<FileQuestion> = {}): FileQuestion => ({
  id: 'q1',
  type: 'multiple_choice',
  text: 'Et ?',
  page_number: 1,
  global_position: 0,
  answers: [],
  ...more,
})
const file = (more: Partial<QuizFile> = {}): QuizFile => ({
  format: 'quizaine-quiz',
  schema_version: 2,
  quiz: { name: 'Court', type: 'quiz' },
  results: [{ id: 'r1', name: 'Un' }],
  questions: [],
  text_blocks: [],
  dimensions: [],
  text_variants: [],
  pictures: [{ id: 'p1', type: 'image/png', data: '' }],
  ...more,
})

const dimension = (more: Partial<FileDimension> = {}): FileDimension => dimensionOf('d1', more)
const two = { id: 'r1', name: 'Un' }
const REFUSED: [name: string, file: QuizFile, field: string, reason: RegExp][] = [
  [
    'two results with one id',
    file({ results: [two, two] }),
    'results.1.id',
    /déjà celui d’un autre élément/,
  ],
  [
    'two questions with one id',
    file({ questions: [question(), question()] }),
    'questions.1.id',
    /déjà celui d’un autre élément/,
  ],
  [
    'two pictures with one id',
    file({ pictures: [1, 2].map(() => ({ id: 'p1', type: 'image/png', data: '' })) }),
    'pictures.1.id',
    /déjà celui d’un autre élément/,
  ],
  [
    'answers of a question type that has none',
    file({ questions: [question({ type: 'text', answers: [answer()] })] }),
    'questions.0.answers',
    /^Seule une question à choix a des réponses$/,
  ],
  [
    'an association with an unknown result',
    file({ questions: [question({ answers: [answer({ associations: [link('r2')] })] })] }),
    'questions.0.answers.0.associations.0.result_id',
    /^Ce résultat n’est pas dans le fichier$/,
  ],
  [
    'two associations with one result',
    file({
      questions: [question({ answers: [answer({ associations: [link('r1'), link('r1')] })] })],
    }),
    'questions.0.answers.0.associations.1.result_id',
    /déjà liée/,
  ],
  [
    'a tie question that is not in the file',
    file({ quiz: { name: 'Court', type: 'quiz', tie_question_id: 'q2' }, questions: [question()] }),
    'quiz.tie_question_id',
    /^La question qui départage doit être une question à choix/,
  ],
  [
    'a tie question of another type',
    file({
      quiz: { name: 'Court', type: 'quiz', tie_question_id: 'q1' },
      questions: [question({ type: 'text' })],
    }),
    'quiz.tie_question_id',
    /^La question qui départage doit être une question à choix/,
  ],
  [
    'two dimensions with one id',
    file({ dimensions: [dimension(), dimension()] }),
    'dimensions.1.id',
    /déjà celui d’un autre élément/,
  ],
  [
    'tiers of two dimensions with one id',
    file({
      dimensions: [
        dimension({ tiers: [tierOf('t', 0, 49)] }),
        dimension({ id: 'd2', tiers: [tierOf('u', 0, 49), tierOf('t', 50, 100)] }),
      ],
    }),
    'dimensions.1.tiers.1.id',
    /déjà celui d’un autre élément/,
  ],
  [
    'two answers with one id',
    file({ questions: [question({ answers: [answer({ id: 'a' }), answer({ id: 'a' })] })] }),
    'questions.0.answers.1.id',
    /déjà celui d’un autre élément/,
  ],
  [
    'a question of a dimension that is not in the file',
    file({ dimensions: [dimension()], questions: [question({ dimension_id: 'd2' })] }),
    'questions.0.dimension_id',
    /^Cette dimension n’est pas dans le fichier$/,
  ],
  [
    'a conditional text of a result that is not in the file',
    file({ text_variants: [textVariantOf('v', { place: 'result', result_id: 'r2' })] }),
    'text_variants.0.result_id',
    /^Ce résultat n’est pas dans le fichier$/,
  ],
  [
    'a conditional text of every result that names one',
    file({ text_variants: [textVariantOf('v', { place: 'every_result', result_id: 'r1' })] }),
    'text_variants.0.result_id',
    /^Seul un texte d’un résultat nomme un résultat$/,
  ],
  [
    'a picture that is not in the file',
    file({ quiz: { name: 'Court', type: 'quiz', welcome_image_id: 'p2' } }),
    'quiz.welcome_image_id',
    /^Cette image n’est pas dans le fichier$/,
  ],
  [
    'the id of a stored picture',
    file({
      questions: [
        question({ answers: [answer({ image_id: '6404b0c8-5c3a-8000-8000-000000000001' })] }),
      ],
    }),
    'questions.0.answers.0.image_id',
    /^Cette image n’est pas dans le fichier$/,
  ],
]

for (const [name, refused, field, reason] of REFUSED)
  test(`a file with ${name} is refused with its path`, () => {
    assert.throws(
      () => checkFile(refused),
      (error) => {
        assert.ok(error instanceof RefusedEdit)
        assert.equal(error.field, field)
        assert.match(error.message, reason)
        return true
      },
    )
  })

test('the images that the file shows are returned without the others', () => {
  const pictures = ['p1', 'p2', 'p3'].map((id) => ({ id, type: 'image/png' as const, data: '' }))
  const shown = checkFile(
    file({
      pictures,
      quiz: { name: 'Court', type: 'quiz', logo_image_id: 'p3' },
      results: [{ id: 'r1', name: 'Un', image_id: 'p1' }],
      questions: [question({ image_id: 'p1', answers: [answer({ associations: [link('r1')] })] })],
    }),
  )
  assert.deepEqual([...shown].sort(), ['p1', 'p3'])
})
