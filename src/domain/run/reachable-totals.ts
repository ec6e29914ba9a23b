import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'
import { rightAnswersOf } from '#domain/run/corrections/corrections.ts'
import { jumpTargetOf } from './path.ts'
import { canChooseSeveral, maxChoicesOf, scaleOf } from './replies.ts'

/** Ranges of points by the page that follows; NEXT is the following page. */
type RangesByPage = Map<number, Range>
const NEXT = 0

const EMPTY_RANGE: Range = { from: 0, to: 0 }

/**
 * Returns the lowest and the highest total of a complete run, over all paths, numbers of choices and blank optional
 * questions.
 */
export const reachableTotals = (questions: readonly SnapshotQuestion[]): Range => {
  // Pages from last to first, with the totals that a run can still reach from each page.
  let after: { page_number: number; totals: Range }[] = []
  for (const { number, items } of groupIntoPages({ questions, text_blocks: [] }).reverse()) {
    const page_questions = items.flatMap((item) => (item.kind === 'question' ? item.question : []))
    const totals = [...rangesOfPage(page_questions)].map(([to, range]) => {
      const following = after.find(({ page_number }) => page_number >= to)
      return added(range, following?.totals ?? EMPTY_RANGE)
    })
    after = [{ page_number: number, totals: totals.reduce(united) }, ...after]
  }
  return after[0]?.totals ?? EMPTY_RANGE
}

/** Returns the ranges of points of a page by target page. The first chosen answer with a jump decides the target. */
const rangesOfPage = (questions: readonly SnapshotQuestion[]): RangesByPage => {
  let ways: RangesByPage = new Map([[NEXT, EMPTY_RANGE]])
  for (const question of questions) {
    const all = rangesOf(question)
    const any = [...all.values()].reduce(united)
    const further: RangesByPage = new Map()
    for (const [to, before] of ways)
      if (to !== NEXT) uniteInto(further, to, added(before, any))
      else for (const [own, range] of all) uniteInto(further, own, added(before, range))
    ways = further
  }
  return ways
}

/** Returns the ranges of points of one question by target page. */
const rangesOf = (question: SnapshotQuestion): RangesByPage => {
  if (!isChoice(question)) return new Map([[NEXT, scalePointsOf(question)]])
  const { answers } = question
  const ways: RangesByPage = new Map()
  const jumping = answers.filter((answer) => jumpTargetOf(answer, question) !== undefined)
  const still = answers.filter((answer) => !jumping.includes(answer))
  const none = rangeOfSets(question, still)
  if (none) uniteInto(ways, NEXT, none)
  for (const answer of jumping) {
    // An earlier answer with a jump would decide the target instead.
    const beside = answers
      .slice(answers.indexOf(answer) + 1)
      .filter((other) => jumping.includes(other))
    const more = rangeOfSets(question, [...still, ...beside], answer)
    if (more) uniteInto(ways, jumpTargetOf(answer, question) ?? NEXT, more)
  }
  return ways
}

/** Returns the lowest and the highest points that a reply to the question can have, on all paths. */
export const pointsRangeOf = (question: SnapshotQuestion): Range => {
  if (!isChoice(question)) return scalePointsOf(question)
  return rangeOfSets(question, question.answers) ?? EMPTY_RANGE
}

/**
 * Returns the range of points of the replies that contain `chosen`, and otherwise choose among `answers` and « Autre ».
 * Returns null if no such reply is possible.
 */
const rangeOfSets = (
  question: SnapshotQuestion,
  answers: readonly SnapshotAnswer[],
  chosen?: SnapshotAnswer,
): Range | null => {
  const { least, max } = countsOf(question)
  const points = [...answers.map(pointsOf), ...(question.has_other ? [0] : [])]
  const more = chosen ? choices(points, 0, max - 1) : choices(points, least, max)
  const fixed = chosen ? pointsOf(chosen) : 0
  const range = more && added(more, { from: fixed, to: fixed })
  // Drafts keep the setting where it has no effect.
  const right =
    question.all_or_nothing && canChooseSeveral(question) ? rightAnswersOf(question) : []
  if (!range || right.length === 0) return range
  const offered = chosen ? [...answers, chosen] : answers
  const isPossible =
    right.length <= max &&
    right.every((answer) => offered.includes(answer)) &&
    (!chosen || right.includes(chosen))
  if (!isPossible) return EMPTY_RANGE
  const sum = right.reduce((total, answer) => total + pointsOf(answer), 0)
  const whole = { from: sum, to: sum }
  // A single possible reply is the right one; any other reply has no points.
  const isOnlyReply = chosen ? points.length === 0 || max === 1 : least === 1 && points.length === 1
  return isOnlyReply ? whole : united(whole, EMPTY_RANGE)
}

/** Returns the range of points of a scale; 0 for a question that does not count. */
const scalePointsOf = (question: SnapshotQuestion): Range => {
  if (question.type !== 'scale' || !question.counts_in_score) return EMPTY_RANGE
  const scale = scaleOf(question)
  return question.is_required === false ? united(scale, EMPTY_RANGE) : scale
}

/** Returns the smallest and the largest number of answers that a reply can choose. */
const countsOf = (question: SnapshotQuestion): { least: number; max: number } => {
  const max = maxChoicesOf(question)
  return { least: question.is_required === false ? 0 : Math.min(1, max), max }
}

const pointsOf = ({ score }: SnapshotAnswer): number => score ?? 0

/** Returns the lowest and the highest sum of `least` to `max` of these points; null if there are too few. */
const choices = (points: readonly number[], least: number, max: number): Range | null => {
  if (points.length < least || max < 0) return null
  const sorted = [...points].sort((a, b) => a - b)
  const sum = (
    counted: readonly number[],
    isWorth: (points_of_answer: number) => boolean,
  ): number =>
    counted
      .slice(0, max)
      .reduce(
        (total, points_of_answer, rank) =>
          rank < least || isWorth(points_of_answer) ? total + points_of_answer : total,
        0,
      )
  return {
    from: sum(sorted, (points_of_answer) => points_of_answer < 0),
    to: sum([...sorted].reverse(), (points_of_answer) => points_of_answer > 0),
  }
}

const added = (a: Range, b: Range): Range => ({ from: a.from + b.from, to: a.to + b.to })
const united = (a: Range, b: Range): Range => ({
  from: Math.min(a.from, b.from),
  to: Math.max(a.to, b.to),
})
const uniteInto = (ways: RangesByPage, to: number, range: Range): void => {
  const known = ways.get(to)
  ways.set(to, known ? united(known, range) : range)
}
