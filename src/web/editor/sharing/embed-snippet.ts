import { escapeMarkup, frameCode, framedAddress } from '#domain/publishing/embed-code.ts'
import { type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'

/** Ways to show a quiz on another site: in the page with or without a script, by its address alone, or in a dialog. */
export type EmbedMode =
  | 'inline'
  | 'frame'
  | 'address'
  | 'button'
  | 'delay'
  | 'scroll'
  | 'exit'
  | 'corner'

/** Range and default of the number of an opening: seconds, or percent of the page. */
export const OPENING_NUMBERS = {
  delay: { min: 0, max: 3_600, usual: 10 },
  scroll: { min: 1, max: 100, usual: 50 },
} as const

/** Returns true for an opening with a number. */
export const hasNumber = (opening: EmbedMode): opening is keyof typeof OPENING_NUMBERS =>
  opening in OPENING_NUMBERS

/** Returns the number that a text contains if the opening allows it; otherwise undefined. */
export const readNumber = (
  opening: keyof typeof OPENING_NUMBERS,
  text: string,
): number | undefined => {
  const { min, max } = OPENING_NUMBERS[opening]
  const number = Number(text)
  return /^\d+$/.test(text) && number >= min && number <= max ? number : undefined
}

/** Options of the code for another site. */
export type EmbedChoice = {
  opening: EmbedMode
  /** Number of the opening; ignored by openings without one. */
  number: number
  /** True if the events of a run go to the `dataLayer` of the site too. */
  has_data_layer: boolean
}

const HEIGHT_PX = 600

/** Returns the HTML or the address that a creator pastes into another site. */
export const embedSnippet = (
  { opening, number, has_data_layer }: EmbedChoice,
  { link, quiz }: { link: string; quiz: Pick<Quiz, 'name' | 'type'> },
): string => {
  const call = `Répondre au ${quizNoun(quiz)}`
  const address = framedAddress(link)
  if (opening === 'address') return address
  const frame = frameCode({ link, title: quiz.name, width: '100%', height: HEIGHT_PX })
  if (opening === 'frame') return frame
  // Tag managers and optimisers remove `data-*` attributes of scripts, so that the settings are on other elements.
  const script = `<script src="${new URL('/embed.js', link).href}" async></script>`
  const events = has_data_layer ? ' data-quizaine-datalayer' : ''
  if (opening === 'inline') return `${frame.replace('<iframe', `<iframe${events}`)}\n${script}`
  if (opening === 'button')
    return `<button type="button" data-quizaine="${address}"${events}>${call}</button>\n${script}`
  const trigger = hasNumber(opening) ? `${opening}:${number}` : opening
  // The title is the text of the corner button. In other cases, the title is the accessible name of the dialog.
  const title = opening === 'corner' ? call : quiz.name.trim() || call
  return `<div data-quizaine="${address}" data-quizaine-open="${trigger}" title="${escapeMarkup(title)}"${events} hidden></div>\n${script}`
}
