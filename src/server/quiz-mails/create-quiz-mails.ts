import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import { loadFormerKeys } from '#server/auth/sessions/signing-keys.store.ts'
import type { Config } from '#server/config/config.ts'
import { createConfirmationLinks } from '#server/confirmations/confirmation-links.ts'
import { registerConfirmations } from '#server/confirmations/register-confirmations.ts'
import type { Db } from '#server/db/database.ts'
import { mount } from '#server/http/edge/mount.ts'
import { openSmtp, type Transport } from '#server/mails/transport.ts'
import type { CompiledVersions } from '#server/published-versions/compiled-versions.ts'
import type { Reports } from '#server/reports/create-reports.ts'
import { quizMailsHandlers } from './quiz-mails.routes.ts'
import { createSendMail, type SendMail } from './send-mail.ts'
import {
  createUnsubscribeLinks,
  registerUnsubscribe,
  type UnsubscribeLinks,
} from './unsubscribe.ts'

type Dependencies = {
  db: Db
  config: Pick<
    Config,
    'smtp_url' | 'smtp_tls' | 'mail_from' | 'public_url' | 'rate_limits' | 'result_mails_per_day'
  >
  secretKey: string | Uint8Array
  compiled: CompiledVersions
  reports: Reports
  now?: () => Date
}

/** Functions and routes of quiz mails. */
export type QuizMails = {
  transport: Transport | undefined
  links: UnsubscribeLinks
  sendMail: SendMail
  /**
   * Mounts contract/forwarding/quiz-mails.ts and the pages of links in mails. The handlers call `wake` when deliveries may continue.
   */
  mount: (app: FastifyInstance, deps: { wake: () => void }) => void
}

/** Creates the functions that send quiz mails, and the routes of mails and unsubscriptions. */
export const createQuizMails = ({
  db,
  config,
  secretKey,
  compiled,
  reports,
  now,
}: Dependencies): QuizMails => {
  const { public_url, rate_limits: has_rate_limits, result_mails_per_day: mails_per_day } = config
  const transport = openSmtp(config)
  const links = createUnsubscribeLinks(secretKey, public_url, (purpose) =>
    loadFormerKeys(db, secretKey, purpose),
  )
  const confirmationLinks = createConfirmationLinks(secretKey, public_url, (purpose) =>
    loadFormerKeys(db, secretKey, purpose),
  )
  const sending = {
    ...{ db, compiled, transport, links, confirmationLinks },
    ...{ reports, public_url, mails_per_day },
  }
  return {
    transport,
    links,
    sendMail: createSendMail({ ...sending, ...(now && { now }) }),
    mount: (app, { wake }) => {
      const handlers = quizMailsHandlers({
        db,
        transport,
        links,
        wake,
        has_rate_limits,
        public_url,
        pageUrl: reports.pageUrl,
        texts: compiled.texts,
      })
      mount(app, api.quizMails, handlers)
      registerUnsubscribe(app, { db, links })
      registerConfirmations(app, { db, links: confirmationLinks, wake })
    },
  }
}
