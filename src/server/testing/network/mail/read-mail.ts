/** Parsed mail. */
export type CaughtMail = {
  to: string
  from: string
  subject: string
  text: string
  html: string
  /** Link of the mail; empty if there is none. */
  link: string
  /** Headers by lower-case name. */
  headers: Record<string, string>
  /** Six-digit code; empty if there is none. */
  code: string
  /** Attached files. */
  attachments: Buffer[]
}

/** Parses a raw message (RFC 5322, multipart/alternative). */
export const readMail = (to: string, raw: string): CaughtMail => {
  const { headers, body } = split(raw.replaceAll('\r\n', '\n'))
  const parts = partsOf({ headers, body })
  const part = (type: string): string => {
    const found = parts.find(({ headers }) => headers['content-type']?.startsWith(type))
    return found ? decode(found.headers['content-transfer-encoding'] ?? '', found.body) : ''
  }
  const text = part('text/plain')
  return {
    to,
    from: decodeWords(headers.from ?? ''),
    subject: decodeWords(headers.subject ?? ''),
    text,
    html: part('text/html'),
    headers,
    link: /^https?:\/\/\S+$/m.exec(text)?.[0] ?? '',
    code: /^\d{6}$/m.exec(text)?.[0] ?? '',
    attachments: parts
      .filter((one) => one.headers['content-disposition']?.startsWith('attachment'))
      .map((one) => Buffer.from(one.body, 'base64')),
  }
}

/** Returns the parts of a message, with those of nested messages in place of them. */
const partsOf = ({ headers, body }: Message): Message[] => {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/')) return [{ headers, body }]
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1] ?? ''
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => partsOf(split(part.trimStart())))
}

type Message = ReturnType<typeof split>

const split = (text: string): { headers: Record<string, string>; body: string } => {
  const end = text.indexOf('\n\n')
  const head = text.slice(0, end).replaceAll(/\n[ \t]+/g, ' ')
  const headers = head.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { headers: Object.fromEntries(headers), body: text.slice(end + 2) }
}

const decodeQuoted = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  ).toString('utf8')

const decode = (encoding: string, body: string): string => {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding === 'quoted-printable') return decodeQuoted(body.replaceAll('=\n', ''))
  return body
}

const decodeWords = (text: string): string =>
  text
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_all, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuoted(word.replaceAll('_', ' ')),
    )
