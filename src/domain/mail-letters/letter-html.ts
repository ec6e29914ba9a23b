import { escapeHtml } from '#domain/common/escape-html.ts'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { footOf, type Letter, type LetterPart, type MailSender } from './letter.ts'
import { htmlOfText, type TextStyle, visibleText } from './letter-text.ts'

/**
 * Layout of mails: tables and inline styles, because Outlook for Windows knows nothing else. There, the width comes from
 * a table that only Outlook reads, and the space inside a box is padding of a cell.
 */

const escaped = (text: string): string => escapeHtml(visibleText(text))

const INK = '#1f2328'
const INK_2 = '#57606a'
const BRAND = '#0a5bc4'
const PAGE = '#f6f7f9'
const CARD = '#ffffff'
const LINE = '#dfe3e8'
const DARK = {
  page: '#0f1216',
  card: '#1b1f24',
  line: '#3d444d',
  ink: '#e6edf3',
  ink_2: '#a9b3bd',
  link: '#8ec1ff',
}
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Width of the column, and of pictures inside its padding, in pixels. */
const WIDTH = 560
/** Width of a picture in a mail, in pixels. */
export const PICTURE_WIDTH = 496

const TABLE = '<table role="presentation" cellpadding="0" cellspacing="0" border="0"'

/** Returns the rules of the dark colours; `scope` is a selector before each rule, with a final space. */
const darkRules = (scope: string): string => {
  const color = (selectors: string[], value: string): string =>
    `${selectors.map((selector) => scope + selector).join(',')}{color:${value}!important}`
  return [
    `${scope}.q-page{background:${DARK.page}!important}`,
    `${scope}.q-card{background:${DARK.card}!important;border-color:${DARK.line}!important}`,
    color(['.q-card p', '.q-card h1', '.q-card h2', '.q-card li', '.q-card img'], DARK.ink),
    color(['.q-small', '.q-card .q-small p', '.q-small p a'], DARK.ink_2),
    color(['.q-text p a', '.q-text li a'], DARK.link),
  ].join('')
}

/**
 * Rules for dark modes: of Apple Mail and other programs that follow the system, and of Outlook.com, which marks changed
 * elements with `data-ogsc`. Gmail inverts the inline colours by itself.
 */
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){${darkRules('')}}
${darkRules('[data-ogsc] ')}`

/** Style that only Outlook for Windows reads; its tables do not inherit the font of the body. */
const OUTLOOK_STYLE =
  '<!--[if mso]><style>td,p,a,h1,h2,li{font-family:Arial,sans-serif!important}</style><![endif]-->'

/** Comments that only Outlook for Windows reads; it ignores the maximum width of a table. */
const OUTLOOK_FRAME = {
  opens: `<!--[if mso]>${TABLE} width="${WIDTH}"><tr><td><![endif]-->`,
  closes: '<!--[if mso]></td></tr></table><![endif]-->',
}

const BODY: TextStyle = {
  block: `margin:0 0 16px;font-size:16px;line-height:24px;color:${INK}`,
  link: `color:${BRAND}`,
}

const paragraph = (text: string): string => `<p style="${BODY.block}">${escaped(text)}</p>`

const small = (text: string): string =>
  `<p style="margin:0 0 8px;font-size:14px;line-height:20px;color:${INK_2}">${escaped(text)}</p>`

const heading = (tag: 'h1' | 'h2', text: string): string =>
  `<${tag} dir="auto" style="margin:0 0 16px;font-size:22px;line-height:30px;font-weight:600;color:${INK}">${escaped(text)}</${tag}>`

/** Returns a button whose padding is that of its cell, because Outlook ignores the padding of a link. */
const button = ({ label, url }: { label: string; url: string }): string =>
  `${TABLE} style="margin:8px 0 24px"><tr>
<td class="q-button" align="center" bgcolor="${BRAND}" style="padding:12px 24px;border-radius:8px;background:${BRAND}"><a href="${escaped(url)}" style="font-size:16px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none"><span style="color:#ffffff">${escaped(label)}</span></a></td>
</tr></table>`

const action = (linked: { label: string; url: string }): string =>
  `${button(linked)}
<p style="margin:0 0 4px;font-size:14px;line-height:20px;color:${INK_2}">Si le bouton ne répond pas, copiez cette adresse dans votre navigateur :</p>
<p style="margin:0 0 16px;font-size:14px;line-height:20px;word-break:break-all"><a href="${escaped(linked.url)}" style="color:${BRAND}">${escaped(linked.url)}</a></p>`

const codeBox = ({ label, digits }: { label: string; digits: string }): string =>
  `<p style="${BODY.block}">${escaped(label)}</p>
<p style="margin:0 0 32px;font-size:28px;line-height:36px;font-weight:600;letter-spacing:6px;color:${INK}">${escaped(digits)}</p>`

const smallLink = ({ label, url }: { label: string; url: string }): string =>
  `<p style="margin:0 0 8px;font-size:14px;line-height:20px"><a href="${escaped(url)}" style="color:${INK_2}">${escaped(label)}</a></p>`

/** Returns a part as HTML. The alternative text has the style of a paragraph for readers without pictures. */
const partHtml = (part: LetterPart): string => {
  switch (part.kind) {
    case 'heading':
      return `${part.note ? small(part.note) : ''}${heading('h2', part.text)}`
    case 'picture': {
      const { url, width, height, alt } = part.picture
      return `<p style="margin:0 0 16px"><img src="${escaped(url)}" width="${width}" height="${height}" alt="${escaped(alt)}" border="0" style="display:block;width:100%;max-width:${width}px;height:auto;border-radius:8px;font-size:16px;line-height:24px;color:${INK}"></p>`
    }
    case 'text':
      return htmlOfText(part.text, BODY)
    case 'button':
      return button(part)
  }
}

/** Renders a letter as HTML that downloads nothing but its pictures. Its length is not limited; see `fitLetter`. */
export const renderLetterHtml = (
  { subject, title, preview, paragraphs, body, parts = [], ...letter }: Letter,
  sender: MailSender = {},
): string => {
  const { action: linked, code, closing, unsubscribe_link } = letter
  return tiePunctuation(`<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>
${STYLE}
</style>
${OUTLOOK_STYLE}
</head>
<body class="q-page" style="margin:0;padding:0;background:${PAGE};${FONT}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escaped(preview)}</div>
${TABLE} width="100%" class="q-page" bgcolor="${PAGE}" style="background:${PAGE}">
<tr><td align="center" style="padding:32px 16px">
${OUTLOOK_FRAME.opens}
${TABLE} width="100%" style="max-width:${WIDTH}px">
<tr><td class="q-small" align="left" style="padding:0 0 16px;font-size:18px;line-height:24px;font-weight:600;color:${INK_2};${FONT}">Quizaine</td></tr>
<tr><td class="q-card" align="left" bgcolor="${CARD}" style="padding:32px;background:${CARD};border:1px solid ${LINE};border-radius:12px;${FONT}">
${TABLE} width="100%"><tr><td class="q-text" align="left" style="${FONT}">
${heading('h1', title)}
${paragraphs.map(paragraph).join('\n')}
${body === undefined ? '' : htmlOfText(body, BODY)}
${parts.map(partHtml).join('\n')}
${linked ? action(linked) : ''}
${code ? codeBox(code) : ''}
</td></tr><tr><td class="q-small" align="left" style="${FONT}">
${closing.map(small).join('\n')}
${unsubscribe_link ? smallLink(unsubscribe_link) : ''}
</td></tr></table>
</td></tr>
<tr><td class="q-small" align="left" style="padding:16px 0 0;font-size:13px;line-height:20px;color:${INK_2};${FONT}">${escaped(footOf(sender))}</td></tr>
</table>
${OUTLOOK_FRAME.closes}
</td></tr>
</table>
</body>
</html>
`)
}
