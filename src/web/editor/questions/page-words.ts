import { createContext } from 'react'
import type { Content } from '#domain/arrange.ts'
import { trimText } from '#domain/blank-text.ts'
import { excerpt } from '#domain/cut-text.ts'
import { itemsInOrder, placeOf } from '#domain/pages.ts'

/** A page by its number and the first words on it; '' while it has none. */
export type PageWords = { number: number; words: string }

const LONGEST_WORDS = 40

/** The pages to which answers may lead; a context, so that rows whose answers lead nowhere are not rendered again. */
export const PageWordsContext = createContext<readonly PageWords[]>([])

/** Each page, empty ones included, by its first words. */
export const pageWords = ({
  page_count,
  ...content
}: Content & { page_count: number }): PageWords[] => {
  const first = new Map<number, string>()
  for (const item of itemsInOrder(content)) {
    const { page_number } = placeOf(item)
    const text = trimText(item.kind === 'question' ? item.question.text : item.text_block.content)
    if (text !== '' && !first.has(page_number)) first.set(page_number, text)
  }
  return Array.from({ length: page_count }, (_, index) => ({
    number: index + 1,
    words: excerpt(first.get(index + 1) ?? '', LONGEST_WORDS),
  }))
}
