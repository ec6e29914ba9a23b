import { LIMITS } from '#domain/common/vocabulary.ts'
import { itemsInOrder, type PlacedItem, placeOf } from './pages.ts'
import { type Answer, JUMP_TO_END, JUMP_TO_NOWHERE, type Question, type TextBlock } from './quiz.ts'

/** Answers lead to pages by their numbers, which change as pages come, go and move: a jump stays on its page. */

type Content = { questions: readonly Question[]; text_blocks: readonly TextBlock[] }

/** Whether an answer leads to a page of its own choice, rather than to the next one, to the end, or nowhere. */
export const leadsToPage = <A extends Pick<Answer, 'jump_to'>>(
  answer: A,
): answer is A & { jump_to: number } => answer.jump_to !== null && answer.jump_to > JUMP_TO_END

/** The questions with the pages that their answers lead to under other numbers. What changes nothing stays the same object. */
export const redirectJumps = (
  questions: readonly Question[],
  numberOf: (page_number: number, answer: Answer) => number,
): Question[] =>
  questions.map((question) => {
    if (!question.answers.some(leadsToPage)) return question
    const answers = question.answers.map((answer) => {
      if (!leadsToPage(answer)) return answer
      const jump_to = Math.min(numberOf(answer.jump_to, answer), LIMITS.pages)
      return jump_to === answer.jump_to ? answer : { ...answer, jump_to }
    })
    const isSame = answers.every((answer, index) => answer === question.answers[index])
    return isSame ? question : { ...question, answers }
  })

/**
 * The number in `after` of each page of `before`: that of the page which holds most of the items that were on it;
 * of several, the one that kept its number, else the one with the first of them. JUMP_TO_NOWHERE when none is
 * left. A page that had no items stays as far behind the one before it.
 */
export const followPages = (before: Content, after: Content): ((page_number: number) => number) => {
  const pageOf = new Map<string, number>()
  for (const { id, page_number } of places(after)) pageOf.set(id, page_number)
  const items = Map.groupBy(places(before), ({ page_number }) => page_number)
  const numbers = new Map<number, number>()
  for (const [number, placed] of items) {
    const left = placed.flatMap(({ id }) => pageOf.get(id) ?? [])
    numbers.set(number, mostFrequent(left, number))
  }
  return (page_number) => {
    const number = numbers.get(page_number)
    if (number !== undefined || page_number <= JUMP_TO_END) return number ?? page_number
    for (let previous = page_number - 1; previous > 0; previous--) {
      const kept = numbers.get(previous)
      if (kept !== undefined && kept !== JUMP_TO_NOWHERE) return kept + page_number - previous
    }
    return page_number
  }
}

const places = (content: Content): PlacedItem[] => itemsInOrder(content).map(placeOf)

/** `preferred` when it is among the most frequent, else the first of them. */
const mostFrequent = (numbers: readonly number[], preferred: number): number => {
  const counts = new Map<number, number>()
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1)
  const most = Math.max(...counts.values())
  if (counts.get(preferred) === most) return preferred
  return numbers.find((number) => counts.get(number) === most) ?? JUMP_TO_NOWHERE
}

/**
 * The questions of `after`, made of `before`, whose jumps lead to the pages that they led to; those of answers
 * for which `isSaid` holds stay as they are.
 */
export const preserveJumps = (
  before: Content,
  after: Content,
  isSaid: (answer: Answer) => boolean = () => false,
): Question[] => {
  let follow: ((page_number: number) => number) | undefined
  return redirectJumps(after.questions, (page_number, answer) => {
    if (isSaid(answer)) return page_number
    follow ??= followPages(before, after)
    return follow(page_number)
  })
}

/**
 * The answers of `after` whose jump has the number it had in `before` although its page now has another: one
 * that was chosen, which `preserveJumps` would take elsewhere.
 */
export const changedJumps = (before: Content, after: Content): Answer[] => {
  const jumps = before.questions.flatMap(({ answers }) => answers).filter(leadsToPage)
  if (jumps.length === 0) return []
  const follow = followPages(before, after)
  const moved = jumps.filter(({ jump_to }) => follow(jump_to) !== jump_to)
  const numbers = new Map(moved.map(({ id, jump_to }) => [id, jump_to]))
  return after.questions
    .flatMap(({ answers }) => answers)
    .filter(({ id, jump_to }) => jump_to !== null && numbers.get(id) === jump_to)
}
