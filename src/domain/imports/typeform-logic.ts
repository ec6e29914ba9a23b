import type { Answer, Question, Result } from '#domain/questionnaire/quiz.ts'
import { type ImportBuilder, quoteShort } from './import-builder.ts'
import {
  type Fields,
  fieldsOf,
  longText,
  numberOf,
  plainText,
  rowsOf,
  textOf,
} from './json-values.ts'

/** Thank-you screens and logic of Typeform: results, points and jumps. */

/** Imported rows by the refs that the logic and the texts of the form use. */
export type TypeformRows = {
  builder: ImportBuilder
  questions: Map<string, Question>
  answers: Map<string, Answer>
  /** Results by the ref of their thank-you screen. */
  results: Map<string, Result>
}

/** Ref of the screen that Typeform adds to every form; the product has its own end page. */
const DEFAULT_SCREEN = 'default_tys'
/** Maximum depth of nested conditions; a deeper condition is not imported. */
const MAX_DEPTH = 4

type Bounds = { min: number | null; max: number | null }

/** Adds the results, points and jumps of a form to its questions. */
export const applyTypeformLogic = (rows: TypeformRows, file: Fields): void => {
  const actions = rowsOf(file.logic).flatMap(({ ref, type, actions: list }) =>
    rowsOf(list).map((action) => ({ ref: type === 'hidden' ? '' : textOf(ref), action })),
  )
  const additions = actions.filter(({ action }) => action.action === 'add')
  const outcomes = rowsOf(fieldsOf(file.outcome).choices)
  const counters = new Map(
    outcomes.map((outcome) => [
      textOf(outcome.counter_variable),
      textOf(outcome.thankyou_screen_ref),
    ]),
  )
  const isScored = additions.some(({ action }) => variableOf(action) === 'score')
  addScreens(rows, file, isScored || outcomes.length > 0)
  if (outcomes.length > 0) rows.builder.setKind('quiz', 'profils')
  else if (isScored) rows.builder.setKind('quiz', 'score')
  for (const { ref, action } of actions) {
    if (action.action === 'add') applyAddition(rows, action, counters)
    else if (action.action === 'jump') applyJump(rows, ref, action)
    else
      rows.builder.note(
        `Le calcul ${quoteShort(textOf(action.action))} n’est pas repris.`,
        rows.questions.get(ref) ?? null,
      )
  }
  if (isScored && outcomes.length === 0) noteTiers(rows)
}

/** Adds a remark for each result by score that has no tier, because no condition of the form gives one. */
const noteTiers = ({ builder }: TypeformRows): void => {
  if (builder.results.length === 0) builder.addResult('Votre score', '')
  for (const { name, min_score, max_score } of builder.results)
    if (min_score === null && max_score === null)
      builder.note(`Le palier du résultat ${quoteShort(name)} est à écrire.`)
}

const variableOf = (action: Fields): string =>
  textOf(fieldsOf(fieldsOf(action.details).target).value)

const addScreens = (
  { builder, results }: TypeformRows,
  file: Fields,
  hasResults: boolean,
): void => {
  const screens = rowsOf(file.thankyou_screens).filter(({ ref }) => ref !== DEFAULT_SCREEN)
  for (const [index, { ref, title, properties, attachment }] of screens.entries()) {
    const { description, button_text, redirect_url } = fieldsOf(properties)
    const [name, text] = [plainText(title), longText(description)]
    const button = builder.buttonOf(plainText(button_text), textOf(redirect_url))
    if (attachment) builder.note(`L’image de l’écran ${quoteShort(name)} n’est pas reprise.`)
    if (hasResults) {
      const result = builder.addResult(name, text)
      if (!result) continue
      Object.assign(result, { button_text: button?.text ?? null, button_url: button?.url ?? null })
      results.set(textOf(ref), result)
    } else if (index === 0) builder.setEnd(name, text, button)
    else
      builder.note(
        `L’écran de fin ${quoteShort(name)} n’est pas repris : un sondage n’a qu’une fin.`,
      )
  }
}

type Leaf = { op: string; vars: Fields[] }

/** Returns the simple conditions that must all hold; undefined if the condition has alternatives or is too deep. */
const leavesOf = (condition: Fields, depth = 0): Leaf[] | undefined => {
  const [op, vars] = [textOf(condition.op), rowsOf(condition.vars)]
  if (op === 'always') return []
  if (op !== 'and' && op !== 'or') return [{ op, vars }]
  if (depth === MAX_DEPTH || (op === 'or' && vars.length > 1)) return undefined
  const leaves = vars.map((operand) => leavesOf(operand, depth + 1))
  return leaves.every((leaf_list) => leaf_list !== undefined) ? leaves.flat() : undefined
}

/** Returns the alternatives of an « or » condition; the condition itself if it is no « or ». */
const alternativesOf = (condition: Fields): Fields[] =>
  condition.op === 'or' ? rowsOf(condition.vars) : [condition]

/** Returns the answer that a condition requires; undefined unless the condition requires exactly one answer. */
const answerOf = ({ answers }: TypeformRows, condition: Fields) => {
  const [leaf, ...others] = leavesOf(condition) ?? []
  if (!leaf || others.length > 0 || !['is', 'equal'].includes(leaf.op)) return undefined
  const [field, value] = leaf.vars
  if (field?.type !== 'field' || !value) return undefined
  return answers.get(
    `${textOf(field.value)} ${typeof value.value === 'boolean' ? String(value.value) : textOf(value.value)}`,
  )
}

const applyAddition = (
  rows: TypeformRows,
  action: Fields,
  counters: ReadonlyMap<string, string>,
): void => {
  const { builder, results } = rows
  const points = numberOf(fieldsOf(fieldsOf(action.details).value).value)
  const variable = variableOf(action)
  const result = results.get(counters.get(variable) ?? '')
  for (const condition of alternativesOf(fieldsOf(action.condition))) {
    const answer = answerOf(rows, condition)
    if (!answer || points === null || (variable !== 'score' && !result)) {
      builder.note(
        `Un ajout à ${quoteShort(variable)} n’est pas repris : il ne dépend pas d’une seule réponse.`,
      )
      continue
    }
    if (result) builder.addLink(answer, result, points)
    else builder.addScore(answer, points)
  }
}

const applyJump = (rows: TypeformRows, ref: string, action: Fields): void => {
  const { builder, questions, results } = rows
  const question = questions.get(ref)
  const to = fieldsOf(fieldsOf(action.details).to)
  const target = textOf(to.value)
  const result = to.type === 'thankyou' ? results.get(target) : undefined
  const condition = fieldsOf(action.condition)
  const bounds = result && boundsOf(leavesOf(condition) ?? [])
  if (bounds) {
    result.min_score = bounds.min
    result.max_score = bounds.max
    return
  }
  const isAlways = condition.op === 'always'
  const jumps = alternativesOf(condition).map((alternative) => answerOf(rows, alternative))
  const jump_answers = jumps.filter((jump) => jump !== undefined)
  const from = isAlways && question ? question.answers : jump_answers
  for (const answer of from) {
    const owner = builder.questions.find(({ id }) => id === answer.question_id)
    if (!owner || (isAlways && answer.jump_to !== null)) continue
    // A jump applies where its question is answered, so that a condition on another question cannot be imported.
    if (question && owner !== question) noteJump(rows, question)
    else builder.addJump(owner, answer, to.type === 'thankyou' ? null : target)
  }
  const isLost = from.length === 0 || (!isAlways && jump_answers.length < jumps.length)
  if (isLost && !(isAlways && to.type === 'thankyou')) noteJump(rows, question)
}

const noteJump = ({ builder }: TypeformRows, question: Question | undefined): void =>
  builder.note(
    'Un saut n’est pas repris : il ne dépend pas d’une seule réponse à cette question.',
    question ?? null,
  )

/** Returns the score range that conditions allow; undefined if a condition is not about the score. */
const boundsOf = (leaves: readonly Leaf[]): Bounds | undefined => {
  const bounds: Bounds = { min: null, max: null }
  for (const { op, vars } of leaves) {
    const [variable, constant] = vars
    const number = numberOf(constant?.value)
    if (variable?.type !== 'variable' || number === null) return undefined
    if (op === 'lower_than') bounds.max = Math.max(0, number - 1)
    else if (op === 'lower_equal_than') bounds.max = Math.max(0, number)
    else if (op === 'greater_than') bounds.min = Math.max(0, number + 1)
    else if (op === 'greater_equal_than') bounds.min = Math.max(0, number)
    else if (op === 'equal') bounds.min = bounds.max = Math.max(0, number)
    else return undefined
  }
  return leaves.length > 0 ? bounds : undefined
}
