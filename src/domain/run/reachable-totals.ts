import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'
import { leadsTo } from './path.ts'
import { maxChoicesOf, scaleOf } from './replies.ts'

/** What a part of a run can bring, by the page that follows; NEXT is the one after. */
type Ways = Map<number, Range>
const NEXT = 0

const NOTHING: Range = { from: 0, to: 0 }

/**
 * The lowest and the highest total of a run that answers as it must: along every path, of every number of choices
 * that a question takes, with what may be left blank left or not. Of a draft or of a version.
 */
export const reachableTotals = (questions: readonly SnapshotQuestion[]): Range => {
  // From the last page to the first: what a run can still bring that comes to it.
  let after: { page_number: number; totals: Range }[] = []
  for (const { number, items } of groupIntoPages({ questions, text_blocks: [] }).reverse()) {
    const asked = items.flatMap((item) => (item.kind === 'question' ? item.question : []))
    const totals = [...waysOf(asked)].map(([to, range]) => {
      const following = after.find(({ page_number }) => page_number >= to)
      return added(range, following?.totals ?? NOTHING)
    })
    after = [{ page_number: number, totals: totals.reduce(joined) }, ...after]
  }
  return after[0]?.totals ?? NOTHING
}

/** What the replies to the questions of a page can bring, by where they lead: the first that leads anywhere decides. */
const waysOf = (questions: readonly SnapshotQuestion[]): Ways => {
  let ways: Ways = new Map([[NEXT, NOTHING]])
  for (const question of questions) {
    const all = rangesOf(question)
    const any = [...all.values()].reduce(joined)
    const further: Ways = new Map()
    for (const [to, before] of ways)
      if (to !== NEXT) joinTo(further, to, added(before, any))
      else for (const [own, range] of all) joinTo(further, own, added(before, range))
    ways = further
  }
  return ways
}

/** What the replies to one question can bring, by where they lead. */
const rangesOf = (question: SnapshotQuestion): Ways => {
  const isAsked = question.is_required !== false
  if (!isChoice(question)) {
    const scale =
      question.type === 'scale' && question.counts_in_score ? scaleOf(question) : NOTHING
    return new Map([[NEXT, isAsked ? scale : joined(scale, NOTHING)]])
  }
  const { answers, has_other } = question
  const most = maxChoicesOf(question)
  const least = isAsked ? Math.min(1, most) : 0
  const other = has_other ? [0] : []
  const ways: Ways = new Map()
  const leading = answers.filter((answer) => leadsTo(answer, question) !== undefined)
  const still = answers.filter((answer) => !leading.includes(answer)).map(pointsOf)
  const none = choices([...still, ...other], least, most)
  if (none) joinTo(ways, NEXT, none)
  for (const answer of leading) {
    // Those that come before it and lead anywhere would decide.
    const beside = answers
      .slice(answers.indexOf(answer) + 1)
      .filter((one) => leading.includes(one))
      .map(pointsOf)
    const more = choices([...still, ...beside, ...other], 0, most - 1)
    const points = pointsOf(answer)
    if (more)
      joinTo(ways, leadsTo(answer, question) ?? NEXT, added(more, { from: points, to: points }))
  }
  return ways
}

const pointsOf = ({ score }: SnapshotAnswer): number => score ?? 0

/** The lowest and the highest sum of so many of these points; null when there are too few. */
const choices = (points: readonly number[], least: number, most: number): Range | null => {
  if (points.length < least || most < 0) return null
  const sorted = [...points].sort((a, b) => a - b)
  const sum = (counted: readonly number[], isWorth: (one: number) => boolean): number =>
    counted
      .slice(0, most)
      .reduce((total, one, rank) => (rank < least || isWorth(one) ? total + one : total), 0)
  return {
    from: sum(sorted, (one) => one < 0),
    to: sum([...sorted].reverse(), (one) => one > 0),
  }
}

const added = (a: Range, b: Range): Range => ({ from: a.from + b.from, to: a.to + b.to })
const joined = (a: Range, b: Range): Range => ({
  from: Math.min(a.from, b.from),
  to: Math.max(a.to, b.to),
})
const joinTo = (ways: Ways, to: number, range: Range): void => {
  const known = ways.get(to)
  ways.set(to, known ? joined(known, range) : range)
}
