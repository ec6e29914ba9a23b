import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { footOf, type Letter, type LetterPart, type MailSender } from './letter.ts'
import { linesOfText, visibleText } from './letter-text.ts'

const linked = (link: { label: string; url: string } | undefined): string[][] =>
  link ? [[`${link.label} :`, link.url]] : []

/** Returns a part as groups of lines. A picture is its alternative text. */
const partLines = (part: LetterPart): string[][] => {
  switch (part.kind) {
    case 'heading':
      return [[...(part.note ? [part.note] : []), part.text]]
    case 'picture':
      return part.picture.alt === '' ? [] : [[`[Image : ${part.picture.alt}]`]]
    case 'text':
      return linesOfText(part.text)
    case 'button':
      return linked(part)
  }
}

/** Renders a letter as plain text; each line of the letter is one line of the mail. */
export const renderLetterText = (
  { title, paragraphs, body, parts = [], ...letter }: Letter,
  sender: MailSender = {},
): string => {
  const { action, code, closing, unsubscribe_link } = letter
  const groups = [
    [title],
    ...paragraphs.map((text) => [text]),
    ...(body === undefined ? [] : linesOfText(body)),
    ...parts.flatMap(partLines),
    ...linked(action),
    ...(code ? [[code.label, code.digits]] : []),
    ...closing.map((text) => [text]),
    ...linked(unsubscribe_link),
  ].map((lines) => lines.map(visibleText).join('\n'))
  return tiePunctuation([...groups, `-- \n${footOf(sender)}`].join('\n\n'))
}
