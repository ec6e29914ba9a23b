import { LIMITS, UNPUBLISHED } from '#domain/common/vocabulary.ts'
import {
  ACCESS_DEFAULTS,
  ANSWER_DEFAULTS,
  ENDING_DEFAULTS,
  PAGE_DEFAULTS,
  QUESTION_DEFAULTS,
  TIE_DEFAULTS,
} from '#domain/questionnaire/defaults.ts'
import { defaultsOf } from '#domain/questionnaire/fields/field.ts'
import {
  COLOR_FIELDS,
  CONSENT_FIELDS,
  HEAD_FIELDS,
  SENDER_FIELDS,
} from '#domain/questionnaire/fields/quiz-fields.ts'
import { modeAfterEdit } from '#domain/questionnaire/mode.ts'
import {
  type Answer,
  type Draft,
  type ImageFields,
  isChoice,
  type Quiz,
  type Result,
} from '#domain/questionnaire/quiz.ts'
import { readAnswer, resolveLinks, type UnresolvedLinks } from './answers.ts'
import { type Key, type Keys, NO_KEYS } from './key.ts'
import { type HeadRow, RESULT_KEYS } from './keys.ts'
import {
  foldText,
  type Line,
  quoted,
  type TextErrors,
  TextSyntaxError,
  unescapeText,
} from './lines.ts'
import { DIMENSION_KEY, QUESTION_KEYS, type QuestionRow, TIE_KEY } from './question-keys.ts'
import { checkFilled, checkLength, imageId } from './values.ts'

type KeyLine = Extract<Line, { kind: 'key' }>
type ImageLine = Extract<Line, { kind: 'image' }>

/** Receiver of the lines of a part: the quiz, one of its parts, a result or a question. Each method throws a TextSyntaxError. */
export type Target = {
  setKey: (line: KeyLine) => void
  /** Sets the long text of the part, from lines with « > ». */
  setLong: (text: string, line: number) => void
  setPicture: (line: ImageLine) => void
  /** Returns the settings that do not apply to the row; called at the end of the part. */
  misplaced: () => { line: number; message: string }[]
  /** Returns the line of a setting. */
  lineOf: (key: string) => number | undefined
}

type Parts<Row> = {
  row: Row
  keys: Keys<Row>
  picture?: (picture: ImageFields) => void
}

/** Returns a target that sets the fields of a row, each setting at most once. */
export const createTarget = <Row extends object>({ row, keys, picture }: Parts<Row>): Target => {
  const given = new Map<string, number>()
  const refuseRepeatedSetting = (name: string, line: number): void => {
    const before = given.get(name)
    if (before !== undefined)
      throw new TextSyntaxError(`${quoted(name)} est déjà donné ligne ${before}.`)
    given.set(name, line)
  }
  const long = [...keys.values()].find(({ kind }) => kind === 'long')
  return {
    setKey: (line) => {
      const key = keys.get(foldText(line.key))
      if (!key) throw new TextSyntaxError(unknownKey(line.key, [...keys.values()]))
      refuseRepeatedSetting(key.key, line.line)
      Object.assign(row, key.read(readValue(key.kind, line)))
    },
    setLong: (text, line) => {
      if (!long) throw new TextSyntaxError('Aucun texte en « > » ne se place ici.')
      refuseRepeatedSetting(long.key, line)
      Object.assign(row, long.read(text))
    },
    setPicture: ({ line, alt, id }) => {
      if (!picture) throw new TextSyntaxError('Aucune image en « ![…](…) » ne se place ici.')
      refuseRepeatedSetting('Image', line)
      picture(readPicture(alt, id))
    },
    misplaced: () =>
      [...given].flatMap(([name, line]) => {
        const only = keys.get(foldText(name))?.only
        if (!only || only.holds(row)) return []
        return [{ line, message: `${quoted(name)} ${only.refusal}.` }]
      }),
    lineOf: (key) => given.get(key),
  }
}

const readValue = (kind: Key<never>['kind'], { key, value, quote }: KeyLine): string => {
  if (kind !== 'word') return quote ?? unescapeText(value)
  if (quote !== null) throw new TextSyntaxError(`${quoted(key)} n’a qu’une ligne, sans « > ».`)
  if (value === '') throw new TextSyntaxError(`${quoted(key)} attend une valeur.`)
  return value
}

const unknownKey = (key: string, keys: readonly { key: string }[]): string => {
  const unknown = `${quoted(key)} n’est pas prévu ici`
  if (keys.length === 0) return `${unknown}.`
  return `${unknown} : ${keys.map((key) => quoted(key.key)).join(', ')}.`
}

/** Reads an image line. A « ? » as description means that it is still missing. */
const readPicture = (alt: string, id: string): ImageFields => ({
  image_id: imageId.read(id),
  image_alt: alt === '?' ? null : checkLength(unescapeText(alt), LIMITS.image_alt),
})

/** Empty quiz with all defaults. */
export const NEW_QUIZ: Quiz = {
  ...defaultsOf({ ...HEAD_FIELDS, ...COLOR_FIELDS, ...CONSENT_FIELDS, ...SENDER_FIELDS }),
  ...PAGE_DEFAULTS,
  ...TIE_DEFAULTS,
  ...ACCESS_DEFAULTS,
  id: '',
  status: UNPUBLISHED,
  nb_responses: 0,
  folder_id: null,
  kit_custom_field: null,
  brevo_attribute_name: null,
  created_at: '',
  updated_at: '',
}

/** Reference of a question to its dimension, which is resolved when all dimensions are known. */
export type Assignment = { line: number; question: QuestionRow; ref: string }

const NOT_OF_CHOICE =
  'Seule une question à choix a des réponses : enlevez-les, ou la ligne « Réponse ».'

/**
 * Returns a builder of the draft, which receives parts in the order of the text. Ids are unique only within the
 * draft.
 */
export const createBuilder = (errors: TextErrors) => {
  const head: HeadRow = { ...NEW_QUIZ, quiz_mode: null }
  const results: Result[] = []
  const questions: QuestionRow[] = []
  const text_blocks: Draft['text_blocks'] = []
  const links: UnresolvedLinks[] = []
  const assignments: Assignment[] = []
  /** Checks to run when a question is complete. */
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
      id: newId(),
      quiz_id: '',
      name,
      description: null,
      priority_order: results.length,
      min_score: null,
      max_score: null,
      ...ENDING_DEFAULTS,
      updated_at: '',
    }
    results.push(row)
    return createTarget({ row, keys: RESULT_KEYS, picture: (image) => Object.assign(row, image) })
  }

  const addQuestion = (line: number, title: string, page_number: number): Target | undefined => {
    if (errors.exceeds(line, questions.length, LIMITS.questions, 'questions')) return undefined
    const read = (): string => checkLength(unescapeText(title), LIMITS.question_text)
    const row: QuestionRow = {
      id: newId(),
      quiz_id: '',
      text: errors.attempt(line, read, ''),
      type: 'multiple_choice',
      ...QUESTION_DEFAULTS,
      settles_ties: false,
      dimension: null,
      position: questions.length,
      global_position: nextPosition(),
      page_number,
      answers: [],
    }
    questions.push(row)
    const target = createTarget({
      row,
      keys: QUESTION_KEYS,
      picture: (image) => Object.assign(row, image),
    })
    checks.push(() => {
      for (const misplaced of target.misplaced()) errors.add(misplaced.line, misplaced.message)
      if (row.dimension !== null)
        assignments.push({
          line: target.lineOf(DIMENSION_KEY) ?? line,
          question: row,
          ref: row.dimension,
        })
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

  /** Adds an answer to the last question, and returns the target of its image. */
  const addAnswer = (line: number, text: string): Target => {
    const question = questions.at(-1)
    if (!question) throw new TextSyntaxError('Cette réponse n’est sous aucune question.')
    const position = question.answers.length
    const row: Answer = {
      id: newId(),
      question_id: question.id,
      text: '',
      score: null,
      position,
      ...ANSWER_DEFAULTS,
      associations: [],
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
    return createTarget({ row, keys: NO_KEYS, picture: (image) => Object.assign(row, image) })
  }

  /**
   * Returns the draft after all lines are read. Links stay unresolved if `isPartial`, because results under a refused
   * heading are unknown.
   */
  const build = ({ isPartial }: { isPartial: boolean }): Draft => {
    for (const check of checks) check()
    if (!isPartial) resolveLinks(links, results, errors)
    const { quiz_mode, ...quiz } = head
    return {
      quiz,
      quiz_mode: modeAfterEdit(quiz_mode, questions),
      results,
      text_blocks,
      dimensions: [],
      text_variants: [],
      questions: questions.map(({ settles_ties, dimension, ...question }) => question),
    }
  }
  return { head, assignments, addResult, addQuestion, addBlock, addAnswer, build }
}
