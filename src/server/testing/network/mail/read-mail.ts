import PostalMime from 'postal-mime'

/** Parsed mail. */
export type CaughtMail = {
  to: string
  from: string
  subject: string
  text: string
  html: string
  /** Link of the mail; empty if there is none. */
  link: string
  /** Message as it arrived. */
  raw: string
  /** Headers by lower-case name. */
  headers: Record<string, string>
  /** Six-digit code; empty if there is none. */
  code: string
  /** Attached files. */
  attachments: Buffer[]
}

/** Parses a raw message (RFC 5322) and finds its link and its code. */
export const readMail = async (to: string, raw: Buffer): Promise<CaughtMail> => {
  const mail = await PostalMime.parse(raw)
  const { subject = '', text = '', html = '', attachments, headers } = mail
  return {
    to,
    raw: raw.toString('latin1'),
    from: `${mail.from?.name} <${mail.from?.address}>`,
    subject,
    text,
    html,
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
    link: /^https?:\/\/\S+$/m.exec(text)?.[0] ?? '',
    code: /^\d{6}$/m.exec(text)?.[0] ?? '',
    attachments: attachments.map(({ content }) => Buffer.from(content as ArrayBuffer)),
  }
}
