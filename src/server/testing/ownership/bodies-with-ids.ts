import { randomUUID } from 'node:crypto'
import type { Ready } from '#server/testing/quizzes/sample-quizzes.ts'

type Sent = { method: 'POST' | 'PUT'; path: string; body: object }
/** Call whose body contains this id; `names` says which object it refers to. */
type Naming = {
  (quiz: Ready, id: string, based_on: number): Sent
  names: 'new' | 'result' | 'answer' | 'question'
}

const QUESTION = { text: 'Une question', type: 'multiple_choice', page_number: 1 }
const LINK = { weight: 1, is_checked: true }
const first = (ids: string[]): string => ids[0] ?? ''

type Body = (id: string, quiz: Ready) => object
const naming = (
  names: Naming['names'],
  method: Sent['method'],
  pathOf: (quiz: Ready) => string,
  bodyOf: Body,
): Naming => {
  const call = (quiz: Ready, id: string, based_on: number): Sent => ({
    method,
    path: pathOf(quiz),
    body: { based_on, ...bodyOf(id, quiz) },
  })
  return Object.assign(call, { names })
}
const atQuiz = (path: string) => (quiz: Ready) => `/quizzes/${quiz.id}${path}`
const atAnswers = (quiz: Ready): string => `/questions/${quiz.question_id}/answers`
const autosave = (names: Naming['names'], bodyOf: Body): Naming =>
  naming(names, 'POST', atQuiz('/draft'), bodyOf)
const smartSave = (names: Naming['names'], bodyOf: Body): Naming =>
  naming(names, 'POST', atQuiz('/questions/unified/smart'), bodyOf)

/** Returns every place in request bodies that accepts an id. */
export const bodiesThatName: Record<string, Naming> = {
  'a new result': naming('new', 'POST', atQuiz('/results'), (id) => ({ id, name: 'x' })),
  'results saved together': naming('new', 'POST', atQuiz('/results/unified'), (id) => ({
    results: [{ id, name: 'x' }],
  })),
  'a new question': naming('new', 'POST', atQuiz('/questions'), (id) => ({ ...QUESTION, id })),
  'an answer of a new question': naming('new', 'POST', atQuiz('/questions'), (id) => ({
    ...QUESTION,
    answers: [{ id, text: 'x' }],
  })),
  'a link of a new question': naming('result', 'POST', atQuiz('/questions'), (result_id) => ({
    ...QUESTION,
    answers: [{ text: 'x', associations: [{ result_id }] }],
  })),
  'a new answer': naming('new', 'POST', atAnswers, (id) => ({ id, text: 'x' })),
  'a link of a new answer': naming('result', 'POST', atAnswers, (result_id) => ({
    text: 'x',
    associations: [{ result_id }],
  })),
  'answers saved together': naming('new', 'PUT', atAnswers, (id) => ({
    answers: [{ id, text: 'x' }],
  })),
  'a link of answers saved together': naming('result', 'PUT', atAnswers, (result_id) => ({
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
  'the tie question of a quiz': naming('question', 'PUT', atQuiz(''), (tie_question_id) => ({
    tie_question_id,
  })),
  'the tie question of the autosave': autosave('question', (tie_question_id) => ({
    quiz: { tie_question_id },
  })),
  'a block of the autosave': autosave('new', (id) => ({
    text_blocks: [{ id, content: 'x', global_position: 0, page_number: 1 }],
  })),
}
