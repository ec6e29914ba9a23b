import { LIMITS } from '#domain/common/vocabulary.ts'
import { type Answer, JUMP_TO_END, JUMP_TO_NOWHERE, type Question, type TextBlock } from './quiz.ts'

/** Welcome screen, pages and end screen of a questionnaire, the order of items and the jumps between pages. */

/** Default text of the button on the welcome screen. */
export const WELCOME_BUTTON = 'Commencer'
/** Default title of the end screen of a sondage. */
export const END_TITLE = 'Merci pour votre participation !'

/** Returns true if a welcome screen comes before the first page, because its title or text is filled in. */
export const hasWelcome = ({
  welcome_title,
  welcome_text,
}: {
  welcome_title?: unknown
  welcome_text?: unknown
}): boolean => !!(welcome_title || welcome_text)

/** Returns the link button of an end screen; undefined unless both text and address are filled in. */
export const linkButtonOf = (
  text: string | null | undefined,
  address: string | null | undefined,
): { text: string; address: string } | undefined =>
  text && address ? { text, address } : undefined

/** Question or text block of a page. */
export type Item<Q extends PlacedQuestion = Question, B extends PlacedBlock = TextBlock> =
  | { kind: 'question'; question: Q }
  | { kind: 'text_block'; text_block: B }

/** Id and position of a question or text block. */
export type PlacedItem = { id: string; global_position: number; page_number: number }
type PlacedQuestion = PlacedItem
type PlacedBlock = PlacedItem
/** Page with its items in their order. */
export type Page<Q extends PlacedQuestion = Question, B extends PlacedBlock = TextBlock> = {
  number: number
  items: Item<Q, B>[]
}

/** Returns the id, the page and the rank of an item. */
export const placeOf = (item: Item<PlacedItem, PlacedItem>): PlacedItem =>
  item.kind === 'question' ? item.question : item.text_block

/** Returns questions and text blocks as one list in the order of global_position (product 3.4). */
export const itemsInOrder = <Q extends PlacedQuestion, B extends PlacedBlock>(content: {
  questions: readonly Q[]
  text_blocks: readonly B[]
}): Item<Q, B>[] => {
  const items: Item<Q, B>[] = [
    ...content.questions.map((question) => ({ kind: 'question' as const, question })),
    ...content.text_blocks.map((text_block) => ({ kind: 'text_block' as const, text_block })),
  ]
  return items.sort((a, b) => placeOf(a).global_position - placeOf(b).global_position)
}

/** Returns the pages that visitors go through, by ascending number. Pages without items are left out (product 8.3). */
export const groupIntoPages = <Q extends PlacedQuestion, B extends PlacedBlock>(content: {
  questions: readonly Q[]
  text_blocks: readonly B[]
}): Page<Q, B>[] => {
  const pages = new Map<number, Page<Q, B>>()
  for (const item of itemsInOrder(content)) {
    const number = placeOf(item).page_number
    const page = pages.get(number)
    if (page) page.items.push(item)
    else pages.set(number, { number, items: [item] })
  }
  return [...pages.values()].sort((a, b) => a.number - b.number)
}

/** Returns the index of the page with this number. If that page is empty, returns the next page, or the last. */
export const indexOfPage = (pages: readonly { number: number }[], page_number: number): number => {
  const found = pages.findIndex(({ number }) => number >= page_number)
  return found < 0 ? Math.max(0, pages.length - 1) : found
}

/** Questions and text blocks of a draft. */
export type Content = { questions: Question[]; text_blocks: TextBlock[] }

/** Returns the content in reading order: page by page, with ranks from 0 without gaps. Page numbers stay. */
export const renumber = (content: Content): Content => {
  const items = itemsInOrder(content)
  return placeItems(items.sort((a, b) => placeOf(a).page_number - placeOf(b).page_number))
}

/** Returns sorted items as content with ranks from 0. An item whose ranks are already right stays the same object. */
export const placeItems = (items: readonly Item[]): Content => {
  const content: Content = { questions: [], text_blocks: [] }
  for (const [global_position, item] of items.entries()) {
    if (item.kind === 'question') {
      const position = content.questions.length
      content.questions.push(withRanks(item.question, { global_position, position }))
    } else content.text_blocks.push(withRanks(item.text_block, { global_position }))
  }
  return content
}

/** Returns the item with these ranks; the same object if it has them already. */
export const withRanks = <T extends object>(item: T, ranks: Partial<T>): T => {
  const names = Object.keys(ranks) as (keyof T)[]
  return names.every((name) => item[name] === ranks[name]) ? item : { ...item, ...ranks }
}

type ReadonlyContent = { questions: readonly Question[]; text_blocks: readonly TextBlock[] }

/** Returns true if the answer jumps to a page. False for the following page, the end and a deleted page. */
export const isJumpToPage = <A extends Pick<Answer, 'jump_to'>>(
  answer: A,
): answer is A & { jump_to: number } => answer.jump_to !== null && answer.jump_to > JUMP_TO_END

/** Returns the questions with new page numbers in their jumps. Unchanged questions stay the same objects. */
export const renumberJumps = (
  questions: readonly Question[],
  numberOf: (page_number: number, answer: Answer) => number,
): Question[] =>
  questions.map((question) => {
    if (!question.answers.some(isJumpToPage)) return question
    const answers = question.answers.map((answer) => {
      if (!isJumpToPage(answer)) return answer
      const jump_to = Math.min(numberOf(answer.jump_to, answer), LIMITS.pages)
      return jump_to === answer.jump_to ? answer : { ...answer, jump_to }
    })
    const isSame = answers.every((answer, index) => answer === question.answers[index])
    return isSame ? question : { ...question, answers }
  })

/**
 * Returns the number in `after` of each page of `before`: the page that holds most of its items. Ties go to the
 * unchanged number, then to the page of the first item. A page without remaining items gives JUMP_TO_NOWHERE; an
 * empty page keeps its distance to the previous page.
 */
export const mapPageNumbers = (
  before: ReadonlyContent,
  after: ReadonlyContent,
): ((page_number: number) => number) => {
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

const places = (content: ReadonlyContent): PlacedItem[] => itemsInOrder(content).map(placeOf)

/** Returns `preferred` if it is among the most frequent numbers, else the first most frequent number. */
const mostFrequent = (numbers: readonly number[], preferred: number): number => {
  const counts = new Map<number, number>()
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1)
  const max = Math.max(...counts.values())
  if (counts.get(preferred) === max) return preferred
  return numbers.find((number) => counts.get(number) === max) ?? JUMP_TO_NOWHERE
}

/**
 * Returns the questions of `after` with jumps that still lead to their pages of `before`. Jumps of answers with
 * `isExplicit` stay unchanged, because the caller has set them.
 */
export const preserveJumps = (
  before: ReadonlyContent,
  after: ReadonlyContent,
  isExplicit: (answer: Answer) => boolean = () => false,
): Question[] => {
  let follow: ((page_number: number) => number) | undefined
  return renumberJumps(after.questions, (page_number, answer) => {
    if (isExplicit(answer)) return page_number
    follow ??= mapPageNumbers(before, after)
    return follow(page_number)
  })
}

/**
 * Returns the answers of `after` whose jump kept its number although its page got another number. Such a jump was set
 * explicitly; `preserveJumps` would redirect it.
 */
export const changedJumps = (before: ReadonlyContent, after: ReadonlyContent): Answer[] => {
  const jumps = before.questions.flatMap(({ answers }) => answers).filter(isJumpToPage)
  if (jumps.length === 0) return []
  const follow = mapPageNumbers(before, after)
  const moved = jumps.filter(({ jump_to }) => follow(jump_to) !== jump_to)
  const numbers = new Map(moved.map(({ id, jump_to }) => [id, jump_to]))
  return after.questions
    .flatMap(({ answers }) => answers)
    .filter(({ id, jump_to }) => jump_to !== null && numbers.get(id) === jump_to)
}

/** Returns the progress of a run in whole percent, including the current page. */
export const progress = (page_index: number, page_count: number): number =>
  page_count === 0 ? 0 : Math.round(((page_index + 1) / page_count) * 100)
