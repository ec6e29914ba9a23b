import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Config } from '#server/config/config.ts'
import { visibleText } from './letter-text.ts'

/** A mail in both of its forms. */
export type Mail = {
  to: string
  subject: string
  html: string
  text: string
  /** The link of the mail; it is in the text too. */
  link?: string | undefined
  /** What a mail that is sent once more is recognised by; without it each sending has an id of its own. */
  message_id?: string
  /** Where one POST ends mails like this one (RFC 8058). */
  unsubscribe_url?: string
}

/** Sends a mail; throws when it could not, and the caller tries again. */
export type Transport = { send: (mail: Mail) => Promise<void>; close: () => void }

const PATIENCE_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
/** For mails that a minute's silence of a server must not send twice. */
const LONG_PATIENCE_MS = { ...PATIENCE_MS, socketTimeout: 60_000 }
/** Forbids the mail library to read files or addresses. */
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
    // Without it a relay could claim to have no TLS, and read the password and every link.
    requireTLS: !isSecure && smtp_tls === 'required' && !isThisMachine(hostname),
    tls: { minVersion: 'TLSv1.2' as const },
    auth,
  }
}

/**
 * A subject as plain words: text that a user typed becomes no other header, and no « encoded word » (RFC
 * 2047), which mail programs would decode.
 */
const subjectOf = (text: string): string => visibleText(text).replaceAll('=?', '= ?')

const withOneSubject = ({ send, close }: Transport): Transport => ({
  send: (mail) => send({ ...mail, subject: subjectOf(mail.subject) }),
  close,
})

/** What of a mail becomes its headers. */
const headersOf = ({ unsubscribe_url, message_id }: Mail) => ({
  ...(message_id !== undefined && { messageId: `<${message_id}>` }),
  headers: {
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribe_url !== undefined && {
      'List-Unsubscribe': { prepared: true, value: `<${new URL(unsubscribe_url).href}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  },
})

/** SMTP when it is configured, else a folder of .eml files (decisions « Configuration »). */
export const openTransport = (...needs: Parameters<typeof openAny>): Transport =>
  withOneSubject(openAny(...needs))

type SmtpConfig = Pick<Config, 'smtp_url' | 'smtp_tls' | 'mail_from'>

/** The mail server alone, for mails that must not be thought sent without one; undefined when there is none. */
export const openSmtp = (config: SmtpConfig): Transport | undefined =>
  config.smtp_url === undefined
    ? undefined
    : withOneSubject(smtpTransport(config.smtp_url, config, LONG_PATIENCE_MS))

const smtpTransport = (
  smtp_url: string,
  { smtp_tls, mail_from }: SmtpConfig,
  patience_ms: typeof PATIENCE_MS,
): Transport => {
  const smtp = createTransport({ ...readSmtpUrl(smtp_url, smtp_tls), ...patience_ms, ...CLOSED })
  return {
    send: async (mail) => {
      const { to, subject, html, text } = mail
      const words = { from: mail_from ?? DEFAULT_FROM, to: { name: '', address: to }, subject }
      await smtp.sendMail({ ...words, html, text, ...headersOf(mail) })
    },
    close: () => smtp.close(),
  }
}

const DEFAULT_FROM = 'Quizaine <quizaine@localhost>'

const openAny = (
  config: Pick<Config, 'smtp_url' | 'smtp_tls' | 'mail_from' | 'data_dir'>,
  log: { info: (fields: object, text: string) => void },
): Transport => {
  const from = config.mail_from ?? DEFAULT_FROM
  if (!config.smtp_url) return openMailFolder({ data_dir: config.data_dir, from, log })
  return smtpTransport(config.smtp_url, config, PATIENCE_MS)
}

/** The most files kept; links in older mails have expired. */
const KEPT = 100

const removeOldest = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  const oldest = names.slice(0, Math.max(0, names.length - KEPT))
  await Promise.all(oldest.map((name) => rm(join(folder, name), { force: true })))
}

/**
 * Writes mails as .eml files that their owner alone may read, into `data_dir`/mail, and logs where, with
 * their link (decisions « Configuration »): without a mail server, the operator reads them in the log.
 */
export const openMailFolder = ({
  data_dir,
  from,
  log,
}: {
  data_dir: string
  from: string
  log: { info: (fields: object, text: string) => void }
}): Transport => {
  const folder = join(data_dir, 'mail')
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  let written = 0
  return {
    send: async ({ to, link, subject, html, text }) => {
      const words = { from, to: { name: '', address: to }, subject, html, text }
      const { message } = await writer.sendMail(words)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      written += 1
      const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
      const file = join(folder, `${stamp}-${process.pid}-${written}.eml`)
      await writeFile(file, message, { mode: 0o600 })
      await removeOldest(folder)
      log.info({ file, link }, 'no SMTP_URL: a mail was written instead of being sent')
    },
    close: () => writer.close(),
  }
}
