import { DEFAULT_WEIGHT } from '#domain/common/vocabulary.ts'
import { itemsInOrder, placeOf, renumber } from '#domain/questionnaire/pages.ts'
import type { Answer, Association, Draft, Question, TextBlock } from '#domain/questionnaire/quiz.ts'
import { ANSWER_NAMES, QUESTION_NAMES } from './draft-fields.ts'
import { createJumpMerge } from './merge-jumps.ts'
import { mergeOrders, type Position } from './merge-order.ts'
import {
  type MergeContext,
  type MergeSide,
  type MergeVersions,
  mergeRows,
  type RowVersions,
} from './merge-rows.ts'

type Content = Pick<Draft, 'questions' | 'text_blocks'>
/** Fields of an answer that are merged before the page order is known, which jumps need. */
const MERGED_ANSWER_NAMES = ANSWER_NAMES.filter((name) => name !== 'jump_to')

/** Merges questions and text blocks of two edits, for the results that remain. */
export const mergeContent = (
  versions: MergeVersions<Draft>,
  { results, context }: { results: Draft['results']; context: MergeContext },
): Content => {
  const { base, mine, theirs } = versions
  const jumps = createJumpMerge(versions)
  const isAnswerEdited: IsEdited<Answer> = (old, row, side) =>
    isAnswerChanged(old, row) || jumps.isRedirected(old, row, side)
  const mergeAnswer = createAnswerMerge(versions, { results, context })
  // A question that one edit left unchanged holds all its links only if both edits kept all results.
  const areResultsKept = isSameSet(mine.results, results) && isSameSet(theirs.results, results)
  const questions = mergeRows<Question>(
    { base: base.questions, mine: mine.questions, theirs: theirs.questions },
    {
      isEdited: (old, row, side) =>
        isQuestionEdited(old, row, (before, answer) => isAnswerEdited(before, answer, side)),
      merge: (rows) => {
        if (areResultsKept && rows.theirs === rows.base) return rows.mine
        if (areResultsKept && rows.mine === rows.base) return rows.theirs
        return mergeQuestion(rows, { context, mergeAnswer, isAnswerEdited })
      },
    },
  )
  const blocks = mergeRows<TextBlock>(
    { base: base.text_blocks, mine: mine.text_blocks, theirs: theirs.text_blocks },
    {
      isEdited: (old, row) => old.content !== row.content,
      merge: (rows) =>
        context.fields<TextBlock>({ kind: 'text_block', id: rows.mine.id }, ['content'], rows),
    },
  )
  const order = mergeOrders(
    { base: positionsOf(base), mine: positionsOf(mine), theirs: positionsOf(theirs) },
    {
      kept: new Set([...questions.keys(), ...blocks.keys()]),
      isMine: context.isPlacedByMe((id) => (questions.has(id) ? 'question' : 'text_block')),
    },
  )
  const content: Content = { questions: [], text_blocks: [] }
  const known = new Set(results.map(({ id }) => id))
  for (const [global_position, { id, page_number }] of order.entries()) {
    const [question, block] = [questions.get(id), blocks.get(id)]
    const place = { global_position, page_number }
    if (question) content.questions.push({ ...withoutLostLinks(question, known), ...place })
    if (block) content.text_blocks.push({ ...block, ...place })
  }
  const merged = renumber(content)
  return { ...merged, questions: jumps.mergeJumps(merged, context) }
}

type IsEdited<Row> = (old: Row, row: Row, side: MergeSide) => boolean

const isSameSet = (a: Draft['results'], b: Draft['results']): boolean => {
  const ids = new Set(a.map(({ id }) => id))
  return a.length === b.length && b.every(({ id }) => ids.has(id))
}

const positionsOf = (draft: Content): Position[] =>
  itemsInOrder(draft).map((item) => {
    const { id, page_number } = placeOf(item)
    return { id, page_number }
  })

/** Removes links to deleted results from a question that only one edit has. */
const withoutLostLinks = (question: Question, known: ReadonlySet<string>): Question => {
  const isLost = ({ result_id }: Association): boolean => !known.has(result_id)
  if (!question.answers.some(({ associations }) => associations.some(isLost))) return question
  const answers = question.answers.map((answer) => ({
    ...answer,
    associations: answer.associations.filter((link) => !isLost(link)),
  }))
  return { ...question, answers }
}

const isQuestionEdited = (
  old: Question,
  row: Question,
  isAnswerEdited: (before: Answer, answer: Answer) => boolean,
): boolean =>
  QUESTION_NAMES.some((name) => old[name] !== row[name]) ||
  old.answers.length !== row.answers.length ||
  row.answers.some((answer) => {
    const before = old.answers.find(({ id }) => id === answer.id)
    return !before || isAnswerEdited(before, answer)
  })

const isAnswerChanged = (old: Answer, row: Answer): boolean =>
  MERGED_ANSWER_NAMES.some((name) => old[name] !== row[name]) || changedWeights(old, row).length > 0

/** Returns the results whose weight in an answer has changed. */
const changedWeights = (old: Answer | undefined, answer: Answer): string[] => {
  if (old?.associations === answer.associations) return []
  const weights = new Map(old?.associations.map((link) => [link.result_id, weightOf(link)]))
  return answer.associations
    .filter((link) => weightOf(link) !== (weights.get(link.result_id) ?? 0))
    .map(({ result_id }) => result_id)
}

const weightOf = ({ is_checked, weight }: Association): number => (is_checked ? weight : 0)

/** Returns the results whose associations changed anywhere, which counts as an edit of these results. */
export const resultsWithChangedAssociations = (base: Draft, side: Draft): Set<string> => {
  const ticked = new Set<string>()
  const known = new Map(base.questions.map((question) => [question.id, question]))
  for (const question of side.questions) {
    const old = known.get(question.id)
    if (old?.answers === question.answers) continue
    const answers = new Map(old?.answers.map((answer) => [answer.id, answer]))
    for (const answer of question.answers)
      for (const id of changedWeights(answers.get(answer.id), answer)) ticked.add(id)
  }
  return ticked
}

type AnswerMerge = (rows: RowVersions<Answer>) => Answer

const mergeQuestion = (
  rows: RowVersions<Question>,
  {
    context,
    mergeAnswer,
    isAnswerEdited,
  }: { context: MergeContext; mergeAnswer: AnswerMerge; isAnswerEdited: IsEdited<Answer> },
): Question => {
  const { base, mine, theirs } = rows
  const question = context.fields<Question>({ kind: 'question', id: mine.id }, QUESTION_NAMES, rows)
  if (mine.answers === theirs.answers) return question
  const before = base?.answers ?? []
  const answers = mergeRows<Answer>(
    { base: before, mine: mine.answers, theirs: theirs.answers },
    { isEdited: isAnswerEdited, merge: mergeAnswer },
  )
  const positions = (list: readonly Answer[]): Position[] =>
    list.map(({ id }) => ({ id, page_number: 0 }))
  const order = mergeOrders(
    { base: positions(before), mine: positions(mine.answers), theirs: positions(theirs.answers) },
    { kept: new Set(answers.keys()), isMine: context.isPlacedByMe('answer') },
  )
  return {
    ...question,
    answers: order.flatMap(({ id }, position) => {
      const answer = answers.get(id)
      return answer ? [{ ...answer, position }] : []
    }),
  }
}

/** Merges the associations of an answer. A result that one edit deleted keeps the links of the other edit. */
const createAnswerMerge = (
  { mine, theirs }: MergeVersions<Draft>,
  { results, context }: { results: Draft['results']; context: MergeContext },
): AnswerMerge => {
  const has = (draft: Draft) => new Set(draft.results.map(({ id }) => id))
  const [hasMine, hasTheirs] = [has(mine), has(theirs)]
  const linkOf = (answer: Answer, id: string) =>
    answer.associations.find(({ result_id }) => result_id === id)
  return (rows) => {
    const id = rows.mine.id
    const answer = context.fields<Answer>({ kind: 'answer', id }, MERGED_ANSWER_NAMES, rows)
    const associations = results.flatMap(({ id: result_id }) => {
      const [base, my, their] = [rows.base, rows.mine, rows.theirs].map(
        (row) => row && linkOf(row, result_id),
      )
      if (!hasTheirs.has(result_id)) return my ?? []
      if (!hasMine.has(result_id)) return their ?? []
      const link = their ?? my
      if (!link) return []
      const is_checked = context.field(
        { kind: 'association', id, result_id, field: 'is_checked' },
        {
          base: rows.base && (base?.is_checked ?? false),
          mine: my?.is_checked ?? false,
          theirs: their?.is_checked ?? false,
        },
      )
      const weight = context.field(
        { kind: 'association', id, result_id, field: 'weight' },
        {
          base: rows.base && (base?.weight ?? DEFAULT_WEIGHT),
          mine: my?.weight ?? DEFAULT_WEIGHT,
          theirs: their?.weight ?? DEFAULT_WEIGHT,
        },
      )
      return [{ ...link, is_checked, weight }]
    })
    return { ...answer, associations }
  }
}
