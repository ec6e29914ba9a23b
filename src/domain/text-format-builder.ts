import { modeAfterEdit } from './mode.ts'
import {
  ACCESS_DEFAULTS,
  ANSWER_DEFAULTS,
  type Answer,
  type Draft,
  ENDING_DEFAULTS,
  isChoice,
  PAGE_DEFAULTS,
  QUESTION_DEFAULTS,
  type Quiz,
  type Result,
  TIE_DEFAULTS,
} from './quiz.ts'
import { readAnswer } from './text-format-answers.ts'
import type { TextErrors } from './text-format-errors.ts'
import {
  type HeadRow,
  NO_KEYS,
  QUESTION_KEYS,
  type QuestionRow,
  RESULT_KEYS,
  TIE_KEY,
} from './text-format-keys.ts'
import { type NamedLinks, resolveLinks } from './text-format-links.ts'
import { Misread, unescapeText } from './text-format-signs.ts'
import { createTarget, type Target } from './text-format-targets.ts'
import { checkFilled, checkLength } from './text-format-values.ts'
import { LIMITS, UNPUBLISHED } from './vocabulary.ts'

/** A quiz of which nothing is said yet. */
export const NEW_QUIZ: Quiz = {
  ...{ id: '', name: '', type: 'quiz', status: UNPUBLISHED, nb_responses: 0 },
  ...{ bg_color: null, text_color: null, button_color: null, button_text_color: null },
  ...{ accent_color: null, kit_custom_field: null, brevo_attribute_name: null },
  ...{ consent_mode: 'box', consent_text: null, created_at: '', updated_at: '' },
  ...PAGE_DEFAULTS,
  ...TIE_DEFAULTS,
  ...ACCESS_DEFAULTS,
}

const NOT_OF_CHOICE =
  'Seule une question à choix a des réponses : enlevez-les, ou la ligne « Réponse ».'

/** A draft in the making, part by part in the order of its text; ids are unique in it alone. */
export const createBuilder = (errors: TextErrors) => {
  const head: HeadRow = { ...NEW_QUIZ, quiz_mode: null }
  const results: Result[] = []
  const questions: QuestionRow[] = []
  const text_blocks: Draft['text_blocks'] = []
  const links: NamedLinks[] = []
  /** What is known to be wrong once a question is whole. */
  const checks: (() => void)[] = []
  let id = 0
  const newId = (): string => `n${++id}`
  const nextPosition = (): number => questions.length + text_blocks.length

  const addResult = (line: number, title: string): Target | undefined => {
    if (errors.exceeds(line, results.length, LIMITS.results, 'résultats')) return undefined
    const name = errors.attempt(
      line,
      () => checkFilled(unescapeText(title), LIMITS.result_name),
      '',
    )
    const row: Result = {
      ...{ id: newId(), quiz_id: '', name, description: null, priority_order: results.length },
      ...{ min_score: null, max_score: null, ...ENDING_DEFAULTS, updated_at: '' },
    }
    results.push(row)
    return createTarget({ row, keys: RESULT_KEYS, picture: (one) => Object.assign(row, one) })
  }

  const addQuestion = (line: number, title: string, page_number: number): Target | undefined => {
    if (errors.exceeds(line, questions.length, LIMITS.questions, 'questions')) return undefined
    const read = (): string => checkLength(unescapeText(title), LIMITS.question_text)
    const row: QuestionRow = {
      ...{ id: newId(), quiz_id: '', text: errors.attempt(line, read, '') },
      ...{ type: 'multiple_choice', ...QUESTION_DEFAULTS, settles_ties: false },
      ...{ position: questions.length, global_position: nextPosition(), page_number, answers: [] },
    }
    questions.push(row)
    const target = createTarget({
      ...{ row, keys: QUESTION_KEYS },
      picture: (one) => Object.assign(row, one),
    })
    checks.push(() => {
      for (const misplaced of target.misplaced()) errors.add(misplaced.line, misplaced.message)
      if (!row.settles_ties || !isChoice(row)) return
      if (head.tie_question_id === null) head.tie_question_id = row.id
      else errors.add(target.lineOf(TIE_KEY) ?? line, 'Une seule question départage les égalités.')
    })
    return target
  }

  const addBlock = (line: number, text: string, page_number: number): void => {
    if (errors.exceeds(line, text_blocks.length, LIMITS.text_blocks, 'blocs de texte')) return
    const content = errors.attempt(line, () => checkLength(text, LIMITS.text_block), '')
    const global_position = nextPosition()
    text_blocks.push({ id: newId(), quiz_id: '', content, global_position, page_number })
  }

  /** An answer of the last question; what it gives is where its picture goes. */
  const addAnswer = (line: number, text: string): Target => {
    const question = questions.at(-1)
    if (!question) throw new Misread('Cette réponse n’est sous aucune question.')
    const position = question.answers.length
    const row: Answer = {
      ...{ id: newId(), question_id: question.id, text: '', score: null, position },
      ...{ ...ANSWER_DEFAULTS, associations: [] },
    }
    const limit = LIMITS.answers_per_question
    if (position === limit) errors.add(line, `Une question a ${limit} réponses au plus.`)
    if (position === 0) checks.push(() => isChoice(question) || errors.add(line, NOT_OF_CHOICE))
    question.answers.push(row)
    errors.attempt(
      line,
      () => {
        const { refs, ...said } = readAnswer(text)
        Object.assign(row, said)
        if (refs.length > 0) links.push({ line, answer: row, refs })
      },
      undefined,
    )
    return createTarget({ row, keys: NO_KEYS, picture: (one) => Object.assign(row, one) })
  }

  /** The whole, once all lines are read. Of a partial text links are not resolved: results under a refused heading are unknown. */
  const build = ({ isPartial }: { isPartial: boolean }): Draft => {
    for (const check of checks) check()
    if (!isPartial) resolveLinks(links, results, errors)
    const { quiz_mode, ...quiz } = head
    return {
      ...{ quiz, quiz_mode: modeAfterEdit(quiz_mode, questions), results, text_blocks },
      questions: questions.map(({ settles_ties, ...question }) => question),
    }
  }
  return { head, addResult, addQuestion, addBlock, addAnswer, build }
}
