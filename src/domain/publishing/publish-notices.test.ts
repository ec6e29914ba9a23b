import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { QuizColors } from '#domain/questionnaire/quiz.ts'
import { answerOf, draftOf, questionOf, quizOf, textBlockOf } from '#domain/testing/drafts.ts'
import { publishNotices } from './publish-notices.ts'

const READABLE: QuizColors = {
  bg_color: '#ffffff',
  text_color: '#222222',
  button_color: '#10483f',
  button_text_color: '#ffffff',
  accent_color: '#b04000',
}

const noticesOf = (colors: Partial<QuizColors>) =>
  publishNotices(draftOf({ quiz: quizOf({ ...READABLE, ...colors }) }))

describe('the notices before publishing', () => {
  test('an unreachable page gives a notice that leads to the first item of the page', () => {
    const jumps = [4, 4].map((jump_to, rank) => answerOf(`a${rank}`, { jump_to }))
    const questions = [1, 2, 3, 4].map((page_number, index) =>
      questionOf(`q${index}`, {
        page_number,
        position: index,
        global_position: index,
        answers: index === 0 ? jumps : [],
      }),
    )
    const text_blocks = [textBlockOf('b', { page_number: 2, global_position: 0.5 })]
    assert.deepEqual(publishNotices(draftOf({ quiz: quizOf(READABLE), questions, text_blocks })), [
      { message: 'La page 2 n’est jamais atteinte', text_block_id: 'b' },
      { message: 'La page 3 n’est jamais atteinte', question_id: 'q2' },
    ])
  })

  test('readable colours give no notice', () => {
    assert.deepEqual(noticesOf({}), [])
  })

  test('the default colours give a notice for each pair that is hard to read', () => {
    const none = Object.fromEntries(Object.keys(READABLE).map((name) => [name, null]))
    assert.deepEqual(noticesOf(none), [
      {
        message:
          'Contraste du bouton et de son texte peu lisible avec les couleurs par défaut : 2,2 : 1, au lieu de 4,5 : 1 au moins',
        field: 'button_text_color',
      },
      {
        message:
          'Contraste de l’accent sur le fond peu lisible avec les couleurs par défaut : 2,2 : 1, au lieu de 3,0 : 1 au moins',
        field: 'accent_color',
      },
    ])
  })

  test('a chosen colour that is almost sufficient is not shown as sufficient', () => {
    assert.deepEqual(noticesOf({ text_color: '#777777' }), [
      {
        message:
          'Contraste du texte sur le fond peu lisible : 4,4 : 1, au lieu de 4,5 : 1 au moins',
        field: 'text_color',
      },
    ])
  })
})
