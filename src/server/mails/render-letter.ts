import { fitLetter } from '#domain/mail-letters/fit-letter.ts'
import type { Letter, MailSender } from '#domain/mail-letters/letter.ts'
import { renderLetterHtml } from '#domain/mail-letters/letter-html.ts'
import { renderLetterText } from '#domain/mail-letters/letter-plain.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import type { Mail } from './transport.ts'

/**
 * Renders a letter as the content of a mail with its sender. Without an address for replies, the foot says that replies
 * are not read. Yields to the event loop between the steps, because the texts of creators can be very long.
 */
export const renderLetter = async (
  letter: Letter,
  sender: MailSender = {},
): Promise<Pick<Mail, 'subject' | 'html' | 'text' | 'from_name' | 'reply_to'>> => {
  const pause = yieldToEventLoop()
  const fitted = fitLetter(letter)
  await pause()
  const html = renderLetterHtml(fitted, sender)
  await pause()
  return { ...sender, subject: letter.subject, html, text: renderLetterText(fitted, sender) }
}
