import { foldName, foldText } from '#domain/text-format/lines.ts'

/** Repairs within one line: emphasis, escaped signs, values of settings, and the signs of an answer. */

/** Maximum length in characters of a repaired line. Longer lines stay unchanged, so that repairs take linear time. */
export const MAX_REPAIRED_LENGTH = 6_000

/** Signs of Markdown that assistants escape although no line of the text format needs that. */
const NEEDLESS_ESCAPE = /\\([*_`.!(){}~|>+:&"'])/g

/** Returns a text without the escapes of Markdown that the text format does not have. */
const withoutNeedlessEscapes = (text: string): string => text.replaceAll(NEEDLESS_ESCAPE, '$1')

/** Returns a text without closing « # », and without emphasis or code marks that enclose the whole text. */
export const unwrap = (text: string): string => {
  let inner = text.trim().replace(/ #+$/, '')
  for (const mark of ['**', '__', '`', '*', '_']) {
    const isWrapped =
      inner.length > 2 * mark.length &&
      inner.startsWith(mark) &&
      inner.endsWith(mark) &&
      inner.indexOf(mark, mark.length) === inner.length - mark.length
    if (isWrapped) inner = inner.slice(mark.length, -mark.length).trim()
  }
  return inner
}

/** Returns the text of a line that is wholly in bold; undefined for other lines. */
export const boldOf = (line: string): string | undefined => {
  const bare = line.replace(/:$/, '').trim()
  const isBold = /^(\*\*|__)./.test(bare)
  const inner = unwrap(bare)
  return isBold && inner !== bare ? inner.replace(/:$/, '').trimEnd() : undefined
}

/** Matches a setting whose name may be in bold, and colons of other scripts. */
const SETTING = /^(\*\*|__|`)?([\p{L}][^:：﹕∶*_`]{0,60})(\*\*|__|`)? ?[:：﹕∶] ?/u

/** Returns the name and the value of a setting, without emphasis; undefined for a line without a colon. */
export const settingOf = (line: string): { key: string; value: string } | undefined => {
  const spaced = line.replaceAll(/[\u00a0\u202f\t]/g, ' ')
  const [start, opened, key, closed] = SETTING.exec(spaced) ?? []
  if (start === undefined || key === undefined) return undefined
  const rest = line.slice(start.length).trim()
  // The emphasis may end after the colon, or after the value.
  const isOpen = opened !== undefined && closed === undefined
  const value = isOpen ? rest.replace(opened, '') : rest
  return { key: key.trim(), value: value.trim() }
}

const QUOTED = /^(?:«([^«»]*)»|"([^"]*)"|“([^“”]*)”|'([^']*)'|‘([^‘’]*)’)$/

/** Returns a one-word value of a setting without quotation marks, emphasis, unit and full stop. */
export const repairWord = (value: string): string => {
  const bare = unwrap(value.replace(/[.;,]$/, ''))
  const inner = (
    QUOTED.exec(bare)
      ?.slice(1)
      .find((repaired) => repaired !== undefined) ?? bare
  ).trim()
  const isTier = /^(?:de )?[\d?]+ ?(?:à|a|-|–) ?[\d?]+ ?(?:points?|pts)?$/iu.test(inner)
  return isTier ? inner.replace(/^de /i, '').replace(/ ?(?:points?|pts)$/i, '') : inner
}

/** Returns an address without the marks of a link. */
export const repairAddress = (value: string): string =>
  /^\[[^\]]*\]\((https:\/\/[^()\s]+)\)$/.exec(value)?.[1] ??
  /^<(https:\/\/[^<>\s]+)>$/.exec(value)?.[1] ??
  value

/** Patterns for the score and the right mark of an answer, with the notation of the text format. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/\\\[([^\][\\]{1,30})\\\]/g, '[$1]'],
  [/\[ ?([+\-−–]?) ?(\d{1,7}) ?(?:points?|pts?)? ?\]/gi, '[$1$2]'],
  [/(?<=\s)\( ?([+\-−–]) ?(\d{1,7}) ?(?:points?|pts?)? ?\)(?=\s|$)/gi, '[$1$2]'],
  [/(?<=\s)\( ?(\d{1,7}) ?(?:points?|pts?) ?\)(?=\s|$)/gi, '[$1]'],
  [/\[–(?=\d)/g, '[-'],
  [/[[(](?:correcte?|bonne réponse|vrai|exact)[\])](?=\s|$)/gi, '[juste]'],
  [/(?<=\s)[✅✔✓]\ufe0f?(?=\s|$)/gu, '[juste]'],
]

const ARROW = /(?<=^|\s)(?:[→➜➔⇒⟶]|[-=–—]+(?:>|&gt;|\\>))\s*/u
const PAGE = /^(?:page \d{1,3}|fin|nulle part)$/
const WEIGHT = /(?<=\s)\( ?[×x*] ?(\d{1,7}) ?\)/gi

/** Returns the sign and the target of an arrow; undefined if the target is no page and no known heading. */
const repairTarget = (target: string, headings: ReadonlySet<string>): string | undefined => {
  const bare = unwrap(target)
  if (PAGE.test(foldText(bare))) return `=> ${foldText(bare)}`
  const weighted = target.replaceAll(WEIGHT, '×$1')
  const [first = ''] = weighted.split(/,| [×x] ?\d/i)
  const isKnown = headings.has(foldName(first)) || /^#\d/.test(first)
  return isKnown ? `-> ${weighted}` : undefined
}

/** Maximum number of repaired arrows in an answer: one to results and one to a page. */
const MAX_ARROWS = 2

/**
 * Returns the text of an answer with the signs of the text format. `headings` has the folded titles of the text, so
 * that an arrow within a sentence stays.
 */
export const repairAnswer = (answer: string, headings: ReadonlySet<string>): string => {
  if (answer.length > MAX_REPAIRED_LENGTH) return answer
  let text = answer.replace(/^\[[ xX]\]\s+/, '')
  for (const [pattern, mark] of MARKS) text = text.replaceAll(pattern, mark)
  const parts: string[] = []
  for (let count = 0; count < MAX_ARROWS; count++) {
    const arrow = ARROW.exec(text)
    if (!arrow) break
    const end = arrow.index + arrow[0].length
    const next = ARROW.exec(text.slice(end))
    const stop = next ? end + next.index : text.length
    const [target = '', ...marks] = text.slice(end, stop).split(/(?=\[(?:[+\-−]?\d|juste))/i)
    const repaired = repairTarget(target.trim(), headings)
    if (repaired === undefined) break
    parts.push(repaired)
    text = `${text.slice(0, arrow.index)}${marks.join('')} ${text.slice(stop)}`.trim()
  }
  const [, bold, rest = ''] = /^\*\*([^*]+)\*\*(?=\s|\[|$)(.*)$/s.exec(text) ?? []
  const bare = bold === undefined ? text : `${bold.trim()}${rest}`
  return [withoutNeedlessEscapes(bare).trim(), ...parts].join(' ').trim()
}
