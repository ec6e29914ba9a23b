import { tiePunctuation } from '#domain/common/french-spacing.ts'
import type { RichText } from '#domain/run/rich-text.ts'
import { escapeHtml } from '#server/http/pages/html-page.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import { htmlOfText, linesOfText, type TextStyle, visibleText } from './letter-text.ts'
import type { Mail } from './transport.ts'

/** Content of one email (letter) before it is rendered as HTML and text. The rendered email is a `Mail` (transport.ts). */
export type Letter = {
  subject: string
  title: string
  /** Preview text that mail programs show after the subject. */
  preview: string
  paragraphs: string[]
  /** Rich text after the paragraphs. */
  body?: RichText
  /** Main action of the mail. */
  action?: { label: string; url: string }
  /** Six digits that the reader can type instead of following the link. */
  code?: { label: string; digits: string }
  /** Closing lines: why the mail was sent, and what to do if it was not requested. */
  closing: string[]
  /** Link with which the recipient unsubscribes from these mails. */
  unsubscribe_link?: { label: string; url: string }
}

const escaped = (text: string): string => escapeHtml(visibleText(text))

const INK = '#1f2328'
const INK_2 = '#57606a'
const BRAND = '#0a5bc4'
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

const paragraph = (text: string): string =>
  `<p style="margin:0 0 16px;font-size:16px;line-height:24px;color:${INK}">${escaped(text)}</p>`

const small = (text: string): string =>
  `<p style="margin:0 0 8px;font-size:14px;line-height:20px;color:${INK_2}">${escaped(text)}</p>`

const button = ({ label, url }: { label: string; url: string }): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr>
<td bgcolor="${BRAND}" style="border-radius:8px;background:${BRAND};mso-padding-alt:12px 24px"><a href="${escaped(url)}" style="display:inline-block;padding:12px 24px;font-size:16px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:8px">${escaped(label)}</a></td>
</tr></table>
<p style="margin:0 0 4px;font-size:14px;line-height:20px;color:${INK_2}">Si le bouton ne répond pas, copiez cette adresse dans votre navigateur :</p>
<p style="margin:0 0 16px;font-size:14px;line-height:20px;word-break:break-all"><a href="${escaped(url)}" style="color:${BRAND}">${escaped(url)}</a></p>`

const codeBox = ({ label, digits }: { label: string; digits: string }): string =>
  `<p style="margin:0 0 8px;font-size:16px;line-height:24px;color:${INK}">${escaped(label)}</p>
<p style="margin:0 0 24px;padding:12px 0;font-size:28px;line-height:36px;font-weight:600;letter-spacing:6px;color:${INK}">${escaped(digits)}</p>`

const BODY: TextStyle = {
  block: `margin:0 0 16px;font-size:16px;line-height:24px;color:${INK}`,
  link: `color:${BRAND}`,
}

const smallLink = ({ label, url }: { label: string; url: string }): string =>
  `<p style="margin:0 0 8px;font-size:14px;line-height:20px"><a href="${escaped(url)}" style="color:${INK_2}">${escaped(label)}</a></p>`

/** Length in bytes from which Gmail hides the end of a mail (102 KB), with a reserve for the headers of parts. */
const MAX_SHOWN_BYTES = 98_000

/**
 * Renders a letter as HTML with tables and inline styles. The HTML has no images and downloads nothing. A letter so
 * long that Gmail hides its end has the link to unsubscribe also above its text.
 */
export const renderLetterHtml = (letter: Letter): string => {
  const html = layOut(letter, '')
  const { unsubscribe_link } = letter
  return unsubscribe_link && Buffer.byteLength(html) > MAX_SHOWN_BYTES
    ? layOut(letter, smallLink(unsubscribe_link))
    : html
}

/** Comments that only Outlook for Windows reads; it ignores the maximum width of a table. */
const OUTLOOK_FRAME = {
  opens:
    '<!--[if mso]><table role="presentation" width="520" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->',
  closes: '<!--[if mso]></td></tr></table><![endif]-->',
}

/** Returns the whole page of a letter, with `above` before its text. */
const layOut = (
  { subject, title, preview, paragraphs, body, action, code, closing, unsubscribe_link }: Letter,
  above: string,
): string =>
  tiePunctuation(`<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escaped(subject)}</title>
</head>
<body style="margin:0;padding:0;background:#f6f7f9;${FONT}">
<div style="display:none;max-height:0;overflow:hidden">${escaped(preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f6f7f9">
<tr><td align="center" style="padding:32px 16px">
${OUTLOOK_FRAME.opens}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px">
<tr><td style="padding:0 0 16px;font-size:18px;line-height:24px;font-weight:600;color:${INK}">Quizaine</td></tr>
<tr><td style="padding:32px;background:#ffffff;border:1px solid #dfe3e8;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:30px;font-weight:600;color:${INK}">${escaped(title)}</h1>
${above}
${paragraphs.map(paragraph).join('\n')}
${body === undefined ? '' : htmlOfText(body, BODY)}
${action ? button(action) : ''}
${code ? codeBox(code) : ''}
${closing.map(small).join('\n')}
${unsubscribe_link ? smallLink(unsubscribe_link) : ''}
</td></tr>
<tr><td style="padding:16px 0 0;font-size:13px;line-height:20px;color:${INK_2}">Message automatique de Quizaine : personne ne lit les réponses.</td></tr>
</table>
${OUTLOOK_FRAME.closes}
</td></tr>
</table>
</body>
</html>
`)

const FOOT = '-- \nMessage automatique de Quizaine : personne ne lit les réponses.'

/** Renders a letter as plain text; each line of the letter is one line of the mail. */
export const renderLetterText = ({
  title,
  paragraphs,
  body,
  action,
  code,
  closing,
  unsubscribe_link,
}: Letter): string => {
  const linked = (link: { label: string; url: string } | undefined): string[][] =>
    link ? [[`${link.label} :`, link.url]] : []
  const parts = [
    [title],
    ...paragraphs.map((text) => [text]),
    ...(body === undefined ? [] : linesOfText(body)),
    ...linked(action),
    ...(code ? [[code.label, code.digits]] : []),
    ...closing.map((text) => [text]),
    ...linked(unsubscribe_link),
  ].map((lines) => lines.map(visibleText).join('\n'))
  return tiePunctuation([...parts, FOOT].join('\n\n'))
}

/**
 * Renders a letter as the content of a mail. Yields to the event loop between the HTML and the text, because the texts
 * of creators can be very long.
 */
export const renderLetter = async (
  letter: Letter,
): Promise<Pick<Mail, 'subject' | 'html' | 'text'>> => {
  const pause = yieldToEventLoop()
  const html = renderLetterHtml(letter)
  await pause()
  return { subject: letter.subject, html, text: renderLetterText(letter) }
}
