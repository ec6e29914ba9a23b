import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { readTexts } from '#domain/run/rich-text.ts'
import {
  answerOf,
  draftOf,
  questionOf,
  quizOf,
  resultOf,
  textBlockOf,
} from '#domain/testing/drafts.ts'
import { pageNeedsOf } from './page-needs.ts'

const NOTHING = {
  texts: false,
  options: false,
  formats: false,
  phones: false,
  pictures: false,
  welcome: false,
  variants: false,
  grids: false,
  wording: false,
  auto_advance: false,
}
const plain = draftOf({
  quiz: quizOf({ welcome_button: 'Allons-y', allows_restart: true, shows_detail: true }),
  questions: [questionOf('q', { answers: [answerOf('a', { text: 'x' })] })],
  results: [resultOf('r', { button_text: 'Écrire' })],
})
const read = (more: object, text: (typed: string) => string | [string][] = (typed) => typed) =>
  pageNeedsOf(readTexts(takeSnapshot({ ...plain, ...more }), text))

test('a page has the part for marks, addresses and insertions only if a text has one of them', () => {
  assert.deepEqual(read({}), NOTHING)
  for (const more of [
    { results: [resultOf('r', { description: 'Un total de {{score}}' })] },
    { results: [resultOf('r', { button_url: 'https://exemple.fr' })] },
    { quiz: quizOf({ end_button_url: 'https://exemple.fr' }) },
    { questions: [questionOf('q', { type: 'text', text: 'Écrivez à nous@exemple.fr' })] },
  ])
    assert.deepEqual(read(more), { ...NOTHING, texts: true })
  const marked = { results: [resultOf('r', { description: '**Bravo**' })] }
  assert.deepEqual(read(marked), NOTHING)
  assert.deepEqual(
    read(marked, () => [['Bravo']]),
    { ...NOTHING, texts: true },
  )
})

test('a page has the part for pictures or for the welcome screen only if its quiz has them', () => {
  const picture = { image_id: 'i' }
  for (const more of [
    { quiz: quizOf({ logo_image_id: 'i' }) },
    { results: [resultOf('r', picture)] },
    { questions: [questionOf('q', { ...picture, type: 'text' })] },
    { questions: [questionOf('q', { answers: [answerOf('a', { text: 'x', ...picture })] })] },
  ])
    assert.deepEqual(read(more), { ...NOTHING, pictures: true })
  assert.deepEqual(read({ quiz: quizOf({ background_image_id: 'i' }) }), NOTHING)
  assert.deepEqual(read({ quiz: quizOf({ welcome_text: 'Bonjour' }) }), {
    ...NOTHING,
    welcome: true,
  })
})

test('a page has the part for question options only if a question has one', () => {
  for (const more of [
    { type: 'text' as const, help: 'Votre prénom' },
    { type: 'text' as const, is_required: false },
    { type: 'scale' as const },
    { max_choices: null },
    { has_other: true },
    { shuffles_answers: true },
    { answers: [answerOf('a', { jump_to: 0 })] },
  ])
    assert.deepEqual(
      read({ questions: [questionOf('q', { answers: [answerOf('a')], ...more })] }),
      {
        ...NOTHING,
        options: true,
      },
    )
})

test('a page has the part for formats only if a question takes an address, a phone number, a number or a day, and the part for phone numbers only if one takes a phone number', () => {
  for (const type of ['email', 'phone', 'number', 'date'] as const)
    assert.deepEqual(read({ questions: [questionOf('q', { type })] }), {
      ...NOTHING,
      formats: true,
      phones: type === 'phone',
    })
  for (const type of ['text', 'textarea'] as const)
    assert.deepEqual(read({ questions: [questionOf('q', { type })] }), NOTHING)
})

test('a page has the part for words only with « tu » or with a label that is not blank', () => {
  for (const more of [{ address_form: 'tu' as const }, { share_label: 'Je partage' }])
    assert.deepEqual(read({ quiz: quizOf(more) }), { ...NOTHING, wording: true })
  for (const more of [{ address_form: 'vous' as const }, { next_label: '' }, { next_label: ' ' }])
    assert.deepEqual(read({ quiz: quizOf(more) }), NOTHING)
})

test('a page has the part for advance only if a page has one single choice or scale and no other field', () => {
  const advances = (...questions: Parameters<typeof questionOf>[1][]) =>
    read({
      quiz: quizOf({ auto_advance: true }),
      text_blocks: [textBlockOf('b', { content: 'Un texte', global_position: 9 })],
      questions: questions.map((more, rank) =>
        questionOf(`q${rank}`, {
          text: 'x',
          answers: [answerOf(`a${rank}`, { text: 'x' })],
          global_position: rank,
          ...more,
        }),
      ),
    }).auto_advance
  assert.equal(advances({}), true)
  assert.equal(advances({ type: 'scale' }), true)
  assert.equal(advances({ is_required: false }), true)
  assert.equal(advances({ has_other: true }), false)
  assert.equal(advances({ max_choices: null }), false)
  assert.equal(advances({ max_choices: 2 }), false)
  for (const type of ['text', 'textarea', 'email', 'phone', 'number', 'date'] as const)
    assert.equal(advances({ type }), false, type)
  assert.equal(advances({}, {}), false)
  assert.equal(advances({}, { type: 'text' }), false)
  assert.equal(advances({ type: 'text' }, { page_number: 2 }), true)
  assert.deepEqual(read({ quiz: quizOf({ auto_advance: false }) }), NOTHING)
})
