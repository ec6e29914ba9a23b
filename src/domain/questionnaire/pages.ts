import type { Question, TextBlock } from './quiz.ts'

/** What is shown before the first page of a questionnaire, and after the last one of a sondage. A snapshot has no blank text. */

export const WELCOME_BUTTON = 'Commencer'
export const END_TITLE = 'Merci pour votre participation !'

/** True when a screen of welcome comes before the first page: its title or its text is written. */
export const hasWelcome = ({
  welcome_title,
  welcome_text,
}: {
  welcome_title?: unknown
  welcome_text?: unknown
}): boolean => !!(welcome_title || welcome_text)

/** A button that leads away from the end: undefined unless both its text and its address are given. */
export const linkButtonOf = (
  text: string | null | undefined,
  address: string | null | undefined,
): { text: string; address: string } | undefined =>
  text && address ? { text, address } : undefined

/** A question or a text block, as they follow each other on a page. */
export type Item<Q extends PlacedQuestion = Question, B extends PlacedBlock = TextBlock> =
  | { kind: 'question'; question: Q }
  | { kind: 'text_block'; text_block: B }

export type PlacedItem = { id: string; global_position: number; page_number: number }
type PlacedQuestion = PlacedItem
type PlacedBlock = PlacedItem
export type Page<Q extends PlacedQuestion = Question, B extends PlacedBlock = TextBlock> = {
  number: number
  items: Item<Q, B>[]
}

/** Where an item stands: its page and its rank among all items. */
export const placeOf = (item: Item<PlacedItem, PlacedItem>): PlacedItem =>
  item.kind === 'question' ? item.question : item.text_block

/** Questions and text blocks as one list ordered by global_position (spec §4 « Taking a quiz »). */
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

/** The pages a visitor goes through: items grouped by page_number ascending, no empty page (spec §4). */
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

/** The index of the page of this number among those a visitor goes through: the next where it is empty, else the last. */
export const indexOfPage = (pages: readonly { number: number }[], page_number: number): number => {
  const found = pages.findIndex(({ number }) => number >= page_number)
  return found < 0 ? Math.max(0, pages.length - 1) : found
}
