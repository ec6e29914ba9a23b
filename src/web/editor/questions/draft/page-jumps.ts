import { createContext } from 'react'
import { excerpt, trimText } from '#domain/common/text.ts'
import { type Content, itemsInOrder, placeOf } from '#domain/questionnaire/pages.ts'
import { JUMP_TO_END, type Question } from '#domain/questionnaire/quiz.ts'

/**
 * Jump from one page to another, with the texts of the answers that cause it. `to` is JUMP_TO_END for the
 * end.
 */
export type PageJump = { from: number; to: number; answers: string[] }

/**
 * Returns the jumps of the answers, one for each pair of pages, ordered by the first page. Jumps backwards or
 * to deleted pages are left out.
 */
export const pageJumps = (questions: readonly Question[]): PageJump[] => {
  const jumps = new Map<string, PageJump>()
  for (const { page_number: from, answers } of questions)
    for (const { jump_to: to, text } of answers) {
      if (to === null || (to !== JUMP_TO_END && to <= from)) continue
      const known = jumps.get(`${from} ${to}`)
      if (known) known.answers.push(text)
      else jumps.set(`${from} ${to}`, { from, to, answers: [text] })
    }
  return [...jumps.values()].sort((a, b) => a.from - b.from)
}

/** Returns a text for screen readers, such as 'Page 2 : saute à la page 4 (« Non »)'. */
export const jumpLabel = ({ from, to, answers }: PageJump): string => {
  const end = to === JUMP_TO_END ? 'à la fin' : `à la page ${to}`
  const named = answers.map((text) => `« ${trimText(text) || 'sans texte'} »`).join(', ')
  return `Page ${from} : saute ${end} (${named})`
}

/** Arrow between two rows of the page list, numbered from 0. Arrows of one lane never overlap. */
export type Arrow = { from: number; to: number; lane: number }

/**
 * Returns the arrows of the jumps, shorter ones closer to the list. The end is the row after the last page.
 */
export const arrowsOf = (jumps: readonly PageJump[], page_count: number): Arrow[] => {
  const rows = jumps
    .map(({ from, to }) => ({ from: from - 1, to: to === JUMP_TO_END ? page_count : to - 1 }))
    .sort((a, b) => a.to - a.from - (b.to - b.from) || a.from - b.from)
  const arrows: Arrow[] = []
  for (const row of rows) {
    const used_lanes = arrows
      .filter(({ from, to }) => from <= row.to && row.from <= to)
      .map(({ lane }) => lane)
    let lane = 0
    while (used_lanes.includes(lane)) lane++
    arrows.push({ ...row, lane })
  }
  return arrows
}

/** Page number with the first words on the page; '' while the page has no text. */
export type PageExcerpt = { number: number; words: string }

const MAX_EXCERPT_LENGTH = 40

/**
 * Context with the pages that answers may lead to. A context, so that rows without jumps are not rendered
 * again.
 */
export const PageExcerptsContext = createContext<readonly PageExcerpt[]>([])

/** Returns every page, including empty ones, with its first words. */
export const pageExcerpts = ({
  page_count,
  ...content
}: Content & { page_count: number }): PageExcerpt[] => {
  const first = new Map<number, string>()
  for (const item of itemsInOrder(content)) {
    const { page_number } = placeOf(item)
    const text = trimText(item.kind === 'question' ? item.question.text : item.text_block.content)
    if (text !== '' && !first.has(page_number)) first.set(page_number, text)
  }
  return Array.from({ length: page_count }, (_, index) => ({
    number: index + 1,
    words: excerpt(first.get(index + 1) ?? '', MAX_EXCERPT_LENGTH),
  }))
}
