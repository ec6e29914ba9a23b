import { inTransaction, type Services } from '#server/auth/services.ts'
import { claimMail, deleteMail, isLastTry, type MailJob } from '#server/mails/mail-jobs.store.ts'
import type { Transport } from '#server/mails/transport.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import { runEvery } from '#server/runtime/run-every.ts'
import { writeMail } from './write-mail.ts'

const MAX_PARALLEL_MAILS = 3
/** Interval of the search for due mails, such as failed ones or those of a process that has ended. */
const POLL_INTERVAL_MS = 15_000
const CLOSE_TIMEOUT_MS = 3_000

type Dependencies = Pick<Services, 'db' | 'codeKey' | 'public_url' | 'auth' | 'log'>

/** Sender of queued mails. `wake` starts a search for due mails. */
export type Mailer = { wake: () => void; close: () => Promise<void> }

/** Returns log fields of a failed mail, without the message of the mail server, because it may contain the address. */
const reasonOf = (error: unknown): object =>
  error instanceof Error && 'code' in error
    ? { code: error.code, reply: 'responseCode' in error ? error.responseCode : undefined }
    : { err: error }

/**
 * Creates the mailer, which sends queued mails in the background. Each process also retries failed mails of other
 * processes, for several hours. Each attempt creates a new link.
 */
export const createMailer = (deps: Dependencies, transport: Transport): Mailer => {
  const { db, log } = deps
  let isClosed = false
  let running: Promise<void> | undefined
  let isWakeRequested = false

  const deliver = async (job: MailJob): Promise<void> => {
    const fields = { kind: job.kind, user_id: job.user_id, tries: job.tries }
    try {
      const mail = await inTransaction(db, (transaction) =>
        writeMail({ ...deps, db: transaction }, job),
      )
      if (mail) await transport.send(mail)
      await deleteMail(db, job.id)
      if (mail) log.info({ event: 'mail_sent', ...fields })
    } catch (error) {
      log.error({ event: 'mail_not_sent', ...fields, ...reasonOf(error) }, 'a mail was not sent')
      if (isLastTry(job)) await deleteMail(db, job.id)
    }
  }
  const drain = async (): Promise<void> => {
    for (let job = await next(); job; job = await next()) await deliver(job)
  }
  const next = async (): Promise<MailJob | undefined> => (isClosed ? undefined : claimMail(db))
  const run = async (): Promise<void> => {
    try {
      while (isWakeRequested && !isClosed) {
        isWakeRequested = false
        await Promise.all(Array.from({ length: MAX_PARALLEL_MAILS }, drain))
      }
    } catch (error) {
      log.error({ err: error }, 'queued mails could not be read')
    } finally {
      running = undefined
    }
  }
  const wake = (): void => {
    isWakeRequested = true
    if (!isClosed) running ??= run()
  }
  const stopPolling = runEvery(POLL_INTERVAL_MS, wake)

  return {
    wake,
    close: async () => {
      isClosed = true
      await stopPolling()
      await settleWithin(CLOSE_TIMEOUT_MS, running)
      transport.close()
    },
  }
}
