import { permanent, transient } from '#server/integrations/providers/failures.ts'
import type { Failure } from '#server/integrations/providers/provider.ts'

const fieldOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null && name in error
    ? (error as Record<string, unknown>)[name]
    : undefined

/** What the mail server answers to every recipient when it does not take our mails at all: its operator's to mend. */
const OF_OURS = new Set([521, 530, 534, 535, 538])

/**
 * What a mail that did not leave means. A 5xx to the recipient or to the message itself is final (RFC 5321 §4.2.1); everything
 * else may pass: a 4xx, a server that is away, or one that refuses the site.
 */
export const smtpFailure = (error: unknown): Failure => {
  const [code, command, status] = ['code', 'command', 'responseCode'].map((name) =>
    fieldOf(error, name),
  )
  if (code === 'EENVELOPE' && command === 'API') return permanent('invalid_email')
  if (typeof status === 'number') {
    if (status < 500 || OF_OURS.has(status)) return transient(`smtp_${status}`)
    if (command === 'RCPT TO') return permanent('mailbox_refused')
    if (code === 'EMESSAGE' || command === 'DATA') return permanent('mail_refused')
    return transient(`smtp_${status}`)
  }
  return transient(code === 'ETIMEDOUT' ? 'timeout' : 'network')
}
