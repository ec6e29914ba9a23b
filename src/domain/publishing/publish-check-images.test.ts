import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerOf,
  draftOf,
  IMAGE_IDS,
  questionOf,
  quizOf,
  resultOf,
} from '#domain/testing/drafts.ts'
import { isImageError, markImagesDecorative } from './publish-check.ts'
import { publishErrors } from './publish-errors.ts'

const PICTURE = { image_id: IMAGE_IDS[0] }

test('all images without a description are marked as decorative at once, and no other image changes', () => {
  const draft = draftOf({
    quiz: quizOf({ welcome_image_id: IMAGE_IDS[0] }),
    results: [
      resultOf('Lune', PICTURE),
      resultOf('Soleil', { ...PICTURE, image_alt: 'Un soleil' }),
    ],
    questions: [
      questionOf('q', { ...PICTURE, text: 'Quand ?', answers: [answerOf('a', PICTURE)] }),
      questionOf('r', { text: 'Où ?', image_alt: null }),
    ],
  })
  const errors = publishErrors(draft).filter(isImageError)
  assert.equal(errors.length, 3)
  const marked = markImagesDecorative(draft)
  assert.deepEqual(publishErrors(marked).filter(isImageError), [])
  assert.deepEqual(
    [
      marked.quiz.welcome_image_alt,
      ...marked.results.map(({ image_alt }) => image_alt),
      ...marked.questions.map(({ image_alt }) => image_alt),
      marked.questions[0]?.answers[0]?.image_alt,
    ],
    ['', '', 'Un soleil', '', null, null],
  )
  assert.equal(markImagesDecorative(marked).quiz, marked.quiz)
})

test('an image of an answer without text is an error that names the answer, because the page would omit it', () => {
  const answers = [
    answerOf('a', { text: 'Matin', ...PICTURE }),
    answerOf('b', { text: ' ', ...PICTURE }),
    answerOf('c', { text: '' }),
  ]
  const errorsOf = (type: 'multiple_choice' | 'text') =>
    publishErrors(
      draftOf({ questions: [questionOf('q', { type, text: 'Quand ?', answers })] }),
    ).filter(({ field }) => field === 'text')
  assert.deepEqual(errorsOf('multiple_choice'), [
    {
      message:
        'L’image de la réponse 2 de la question « Quand ? » n’a pas de texte : écrivez la réponse, ou retirez l’image',
      question_id: 'q',
      answer_id: 'b',
      field: 'text',
    },
  ])
  assert.deepEqual(errorsOf('text'), [])
})
