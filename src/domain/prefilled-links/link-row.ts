import { escapeMarkup } from '#domain/publishing/embed-code.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { canChooseSeveral, scaleOf } from '#domain/run/replies.ts'
import { choiceValue, type LinkContent, writePrefilledLink } from './write-link.ts'

/** Rows of prefilled links, one for each answer of a question, for mails. */

/** One link of a row, with the text that a mail shows. */
type RowLink = { text: string; link: string }
/** Links of one question for a mail. */
export type LinkRow = {
  question: string
  links: RowLink[]
  /** Labels of the ends of a scale; undefined unless both have one. */
  ends: [first: string, last: string] | undefined
  /** True if each link has a line of its own, because answers are longer than numbers. */
  is_list: boolean
}

/** Returns true if a row of links can ask a question: a scale, or a choice of one answer with words. */
export const canBeRow = (question: SnapshotQuestion): boolean =>
  question.type === 'scale' ||
  (isChoice(question) &&
    !canChooseSeveral(question) &&
    question.answers.every(({ text }) => text.trim() !== ''))

/** Returns the links of a question, of which each one also has the other values of the link. */
export const linkRowOf = (
  link: string,
  questions: readonly SnapshotQuestion[],
  question: SnapshotQuestion,
  content: LinkContent,
): LinkRow => {
  const { from, to } = scaleOf(question)
  const numbers = Array.from({ length: to - from + 1 }, (_, rank) => `${from + rank}`)
  const values = isChoice(question)
    ? question.answers.map((answer) => [answer.text, choiceValue(question, answer)] as const)
    : numbers.map((number) => [number, number] as const)
  const { scale_min_label, scale_max_label } = question
  return {
    question: question.text,
    links: values.map(([text, value]) => ({
      text,
      link: writePrefilledLink(link, questions, {
        ...content,
        chosen: { ...content.chosen, [question.id]: value },
      }),
    })),
    ends:
      scale_min_label?.trim() && scale_max_label?.trim()
        ? [scale_min_label, scale_max_label]
        : undefined,
    is_list: isChoice(question),
  }
}

/** Look of a link in a mail. Outlook for Windows takes colours and widths from attributes alone. */
const CELL = 'align="center" bgcolor="#1f4e5f"'
const LINK_STYLE =
  'display:block;padding:10px 0;color:#ffffff;font:bold 15px Arial,sans-serif;text-decoration:none'
const TEXT_STYLE = 'font:15px Arial,sans-serif;padding:8px 0'
/** Width of a number in pixels: eleven numbers with their gaps are as wide as a phone. */
const NUMBER_WIDTH = 26
const TABLE = 'role="presentation" cellpadding="0" cellspacing="2" border="0"'

const cellOf = ({ text, link }: RowLink, width: string): string =>
  `<td ${CELL}${width}><a href="${escapeMarkup(link)}" style="${LINK_STYLE}">${escapeMarkup(text)}</a></td>`

/** Returns a row of links as HTML for mails: a table, because some mail programs know no other layout. */
export const rowToHtml = ({ question, links, ends, is_list }: LinkRow): string => {
  const cells = links.map((link) =>
    cellOf(link, is_list ? ' width="280"' : ` width="${NUMBER_WIDTH}"`),
  )
  const rows = is_list
    ? cells.map((cell) => `<tr>${cell}</tr>`).join('')
    : `<tr>${cells.join('')}</tr>`
  const [first, last] = ends?.map(escapeMarkup) ?? []
  const half = Math.ceil(links.length / 2)
  const labels =
    !is_list && ends
      ? `<tr><td colspan="${half}" align="left" style="${TEXT_STYLE}">${first}</td><td colspan="${links.length - half}" align="right" style="${TEXT_STYLE}">${last}</td></tr>`
      : ''
  return `<p style="${TEXT_STYLE}">${escapeMarkup(question)}</p><table ${TABLE}>${rows}${labels}</table>`
}

/** Returns a row of links as text, for programs without HTML. */
export const rowToText = ({ question, links }: LinkRow): string =>
  [question, ...links.map(({ text, link }) => `${text} : ${link}`)].join('\n')
