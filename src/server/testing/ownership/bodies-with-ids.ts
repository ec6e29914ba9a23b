import { randomUUID } from 'node:crypto'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

type Request = { method: 'POST' | 'PUT'; path: string; body: object }
/** Builds a request whose body contains an id. `names` is the kind of object that the id refers to. */
type BodyWithId = {
  (quiz: SampleQuiz, id: string, based_on: number): Request
  names: 'new' | 'result' | 'answer' | 'question'
}

const QUESTION = { text: 'Une question', type: 'multiple_choice', page_number: 1 }
const LINK = { weight: 1, is_checked: true }
const first = (ids: string[]): string => ids[0] ?? ''

type Body = (id: string, quiz: SampleQuiz) => object
const defineBody = (
  names: BodyWithId['names'],
  method: Request['method'],
  pathOf: (quiz: SampleQuiz) => string,
  bodyOf: Body,
): BodyWithId => {
  const call = (quiz: SampleQuiz, id: string, based_on: number): Request => ({
    method,
    path: pathOf(quiz),
    body: { based_on, ...bodyOf(id, quiz) },
  })
  return Object.assign(call, { names })
}
const atQuiz = (path: string) => (quiz: SampleQuiz) => `/quizzes/${quiz.id}${path}`
const atAnswers = (quiz: SampleQuiz): string => `/questions/${quiz.question_id}/answers`
const autosave = (names: BodyWithId['names'], bodyOf: Body): BodyWithId =>
  defineBody(names, 'POST', atQuiz('/draft'), bodyOf)
const smartSave = (names: BodyWithId['names'], bodyOf: Body): BodyWithId =>
  defineBody(names, 'POST', atQuiz('/questions/unified/smart'), bodyOf)

/** Requests by place of the id. Every place in request bodies that accepts an id is listed. */
export const BODIES_WITH_IDS: Record<string, BodyWithId> = {
  'a new result': defineBody('new', 'POST', atQuiz('/results'), (id) => ({ id, name: 'x' })),
  'results saved together': defineBody('new', 'POST', atQuiz('/results/unified'), (id) => ({
    results: [{ id, name: 'x' }],
  })),
  'a new question': defineBody('new', 'POST', atQuiz('/questions'), (id) => ({ ...QUESTION, id })),
  'an answer of a new question': defineBody('new', 'POST', atQuiz('/questions'), (id) => ({
    ...QUESTION,
    answers: [{ id, text: 'x' }],
  })),
  'a link of a new question': defineBody('result', 'POST', atQuiz('/questions'), (result_id) => ({
    ...QUESTION,
    answers: [{ text: 'x', associations: [{ result_id }] }],
  })),
  'a new answer': defineBody('new', 'POST', atAnswers, (id) => ({ id, text: 'x' })),
  'a link of a new answer': defineBody('result', 'POST', atAnswers, (result_id) => ({
    text: 'x',
    associations: [{ result_id }],
  })),
  'answers saved together': defineBody('new', 'PUT', atAnswers, (id) => ({
    answers: [{ id, text: 'x' }],
  })),
  'a link of answers saved together': defineBody('result', 'PUT', atAnswers, (result_id) => ({
    answers: [{ text: 'x', associations: [{ result_id }] }],
  })),
  'a question of the smart save': smartSave('new', (id) => ({ questions: [{ ...QUESTION, id }] })),
  'an answer of the smart save': smartSave('new', (id) => ({
    questions: [{ ...QUESTION, answers: [{ id, text: 'x' }] }],
  })),
  'a link of the smart save': smartSave('result', (result_id) => ({
    questions: [{ ...QUESTION, answers: [{ text: 'x', associations: [{ result_id }] }] }],
  })),
  'a block of the smart save': smartSave('new', (id) => ({
    questions: [],
    text_blocks: [{ id, content: 'x' }],
  })),
  'a threshold of the smart save': smartSave('result', (id) => ({
    questions: [],
    score_thresholds: { [id]: { min_score: 0, max_score: 1 } },
  })),
  'a result of the autosave': autosave('new', (id) => ({
    results: [{ id, name: 'x', priority_order: 0 }],
  })),
  'a question of the autosave': autosave('new', (id) => ({
    questions: [{ id, ...QUESTION, global_position: 0 }],
  })),
  'an answer of the autosave': autosave('new', (id, { question_id }) => ({
    answers: [{ id, question_id, text: 'x', score: 1, position: 0 }],
  })),
  'the question of an answer of the autosave': autosave('question', (question_id) => ({
    answers: [{ id: randomUUID(), question_id, text: 'x', score: 1, position: 0 }],
  })),
  'the answer of a link of the autosave': autosave('answer', (answer_id, { result_ids }) => ({
    associations: [{ answer_id, result_id: first(result_ids), ...LINK }],
  })),
  'the result of a link of the autosave': autosave('result', (result_id, { answer_ids }) => ({
    associations: [{ answer_id: first(answer_ids), result_id, ...LINK }],
  })),
  'the tie question of a quiz': defineBody('question', 'PUT', atQuiz(''), (tie_question_id) => ({
    tie_question_id,
  })),
  'the tie question of the autosave': autosave('question', (tie_question_id) => ({
    quiz: { tie_question_id },
  })),
  'a block of the autosave': autosave('new', (id) => ({
    text_blocks: [{ id, content: 'x', global_position: 0, page_number: 1 }],
  })),
}
