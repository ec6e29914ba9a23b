import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import parseAddresses from 'nodemailer/lib/addressparser'
import type { MailSender } from '#domain/mail-letters/letter.ts'
import { visibleText } from '#domain/mail-letters/letter-text.ts'
import type { Config } from '#server/config/config.ts'

/** PDF file that a mail carries. */
export type Attachment = { filename: string; content: Buffer }

/** Rendered email with its recipient. */
export type Mail = MailSender & {
  to: string
  subject: string
  html: string
  text: string
  /** Main link of the mail, which its text contains too. */
  link?: string | undefined
  /** Message id, so that a repeated mail is recognised; without it each sending gets its own id. */
  message_id?: string
  /** Address whose POST request unsubscribes the recipient (RFC 8058). */
  unsubscribe_url?: string
  /** Attached PDF files; absent without any. */
  attachments?: readonly Attachment[]
}

/** Sends mails. `send` throws if a mail could not be sent, and the caller retries. */
export type Transport = { send: (mail: Mail) => Promise<void>; close: () => void }

const TIMEOUTS_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
/** Longer time-outs for mails that must not be sent twice because a server was silent for a minute. */
const LONG_TIMEOUTS_MS = { ...TIMEOUTS_MS, socketTimeout: 60_000 }
/** Forbids the mail library to read files or addresses. */
const NO_EXTERNAL_CONTENT = { disableFileAccess: true, disableUrlAccess: true }

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
    // Otherwise a relay could claim to lack TLS and read the password and all links.
    requireTLS: !isSecure && smtp_tls === 'required' && !isThisMachine(hostname),
    tls: { minVersion: 'TLSv1.2' as const },
    auth,
  }
}

/**
 * Returns a subject as plain words. User text cannot start another header or an encoded word (RFC 2047), which mail
 * programs would decode.
 */
const subjectOf = (text: string): string => visibleText(text).replaceAll('=?', '= ?')

const withPlainSubject = ({ send, close }: Transport): Transport => ({
  send: (mail) => send({ ...mail, subject: subjectOf(mail.subject) }),
  close,
})

const DEFAULT_FROM = 'Quizaine <quizaine@localhost>'

/** Returns name and address of MAIL_FROM. Its address is in From of every mail. */
export const readMailFrom = (mail_from = DEFAULT_FROM): { name: string; address: string } => {
  const [{ name, address } = { name: '', address: mail_from }] = parseAddresses(mail_from, {
    flatten: true,
  })
  return { name: name || address, address }
}

/**
 * Returns From and Reply-To of a mail. The mail library quotes and encodes the name. It leaves a straight apostrophe without
 * quotes, which Yahoo refuses, so that the name gets a typographic one.
 */
const addressesOf = ({ from_name, reply_to }: MailSender, mail_from: string) => {
  const name = `${subjectOf(from_name ?? '').replaceAll("'", '’')} via Quizaine`
  return {
    from: from_name ? { name, address: readMailFrom(mail_from).address } : mail_from,
    ...(reply_to && { replyTo: { name: '', address: reply_to } }),
  }
}

/** Returns the headers of a mail. */
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

/** Opens SMTP if it is configured, otherwise a folder of .eml files (product 16.4). */
export const openTransport = (
  ...parameters: Parameters<typeof openConfiguredTransport>
): Transport => withPlainSubject(openConfiguredTransport(...parameters))

type SmtpConfig = Pick<Config, 'smtp_url' | 'smtp_tls' | 'mail_from'>

/**
 * Opens the configured mail server; undefined if there is none. Used for mails of quizzes, because a mail in a folder
 * must not count as sent.
 */
export const openSmtp = (config: SmtpConfig): Transport | undefined =>
  config.smtp_url === undefined
    ? undefined
    : withPlainSubject(smtpTransport(config.smtp_url, config, LONG_TIMEOUTS_MS))

const smtpTransport = (
  smtp_url: string,
  { smtp_tls, mail_from }: SmtpConfig,
  timeouts_ms: typeof TIMEOUTS_MS,
): Transport => {
  const smtp = createTransport({
    ...readSmtpUrl(smtp_url, smtp_tls),
    ...timeouts_ms,
    ...NO_EXTERNAL_CONTENT,
  })
  return {
    send: async (mail) => {
      const { to, subject, html, text, attachments = [] } = mail
      const addresses = {
        ...addressesOf(mail, mail_from ?? DEFAULT_FROM),
        to: { name: '', address: to },
      }
      const files = attachments.map((file) => ({ ...file, contentType: 'application/pdf' }))
      await smtp.sendMail({
        ...addresses,
        subject,
        html,
        text,
        attachments: files,
        ...headersOf(mail),
      })
    },
    close: () => smtp.close(),
  }
}

const openConfiguredTransport = (
  config: Pick<Config, 'smtp_url' | 'smtp_tls' | 'mail_from' | 'data_dir'>,
  log: { info: (fields: object, text: string) => void },
): Transport => {
  const from = config.mail_from ?? DEFAULT_FROM
  if (!config.smtp_url) return openMailFolder({ data_dir: config.data_dir, from, log })
  return smtpTransport(config.smtp_url, config, TIMEOUTS_MS)
}

/** Maximum number of stored files; links in older mails have expired. */
const MAX_STORED_MAILS = 100

const removeOldest = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  const oldest = names.slice(0, Math.max(0, names.length - MAX_STORED_MAILS))
  await Promise.all(oldest.map((name) => rm(join(folder, name), { force: true })))
}

/**
 * Creates a transport that writes mails as .eml files into `data_dir`/mail, readable by their owner alone. Logs each
 * file and its link, which the operator needs without a mail server (product 16.4).
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
    send: async ({ to, link, subject, html, text, ...sender }) => {
      const addresses = { ...addressesOf(sender, from), to: { name: '', address: to } }
      const words = { ...addresses, subject, html, text }
      const { message } = await writer.sendMail(words)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      written += 1
      const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
      const file = join(folder, `${stamp}-${process.pid}-${written}.eml`)
      await writeFile(file, message, { mode: 0o600 })
      await removeOldest(folder)
      log.info({ file, link }, 'SMTP_URL is not set: a mail was written to a file')
    },
    close: () => writer.close(),
  }
}
