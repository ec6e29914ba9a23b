import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import type { Config } from '#server/config.ts'
import { openMailFolder } from './mail-folder.ts'
import { visibleText } from './visible-text.ts'

/** A mail in both of its forms. */
export type Mail = {
  to: string
  subject: string
  html: string
  text: string
  /** What it asks its reader to follow; it is in the text too. */
  link?: string | undefined
}

/** Hands mails over. It throws when it could not; whoever asked tries again. */
export type Transport = { send: (mail: Mail) => Promise<void>; close: () => void }

const PATIENCE_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
/** Nothing in a mail may make us read a file or an address. */
const CLOSED = { disableFileAccess: true, disableUrlAccess: true }

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

const readSmtpUrl = (smtp_url: string, smtp_tls: Config['smtp_tls']) => {
  const { protocol, hostname, port, username, password } = new URL(smtp_url)
  const isSecure = protocol === 'smtps:'
  const auth = username
    ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
    : undefined
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (isSecure ? 465 : 587),
    secure: isSecure,
    // A relay that pretends to know no TLS would otherwise read the password and every link.
    requireTLS: !isSecure && smtp_tls === 'required' && !isThisMachine(hostname),
    tls: { minVersion: 'TLSv1.2' as const },
    auth,
  }
}

/**
 * Whatever was typed into a subject is its words: never another header, and no « encoded word » (RFC 2047)
 * either, which mail programs would read as other words than those.
 */
const subjectOf = (text: string): string => visibleText(text).replaceAll('=?', '= ?')

const withOneSubject = ({ send, close }: Transport): Transport => ({
  send: (mail) => send({ ...mail, subject: subjectOf(mail.subject) }),
  close,
})

/** SMTP when it is configured, else a folder of .eml files (decisions « Configuration »). */
export const openTransport = (...needs: Parameters<typeof openAny>): Transport =>
  withOneSubject(openAny(...needs))

const openAny = (
  config: Pick<Config, 'smtp_url' | 'smtp_tls' | 'mail_from' | 'data_dir'>,
  log: { info: (fields: object, text: string) => void },
): Transport => {
  const from = config.mail_from ?? 'Quizaine <quizaine@localhost>'
  if (!config.smtp_url) return openMailFolder({ data_dir: config.data_dir, from, log })
  const smtp = createTransport({
    ...readSmtpUrl(config.smtp_url, config.smtp_tls),
    ...PATIENCE_MS,
    ...CLOSED,
  })
  return {
    send: async ({ to, link: _, ...mail }) => {
      await smtp.sendMail({
        from,
        to: { name: '', address: to },
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...mail,
      })
    },
    close: () => smtp.close(),
  }
}
