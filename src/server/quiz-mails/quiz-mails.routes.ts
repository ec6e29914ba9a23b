import type { api } from '#contract/api.ts'
import type { ShownMails } from '#contract/forwarding/quiz-mails.ts'
import { deliveryReason } from '#domain/deliveries/delivery-labels.ts'
import { defaultMail, type MailWords, mailErrors, sampleRun } from '#domain/deliveries/quiz-mail.ts'
import { textsOfVersion } from '#domain/publishing/version-texts.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { audit } from '#server/audit/audit.ts'
import { findAccountEmail } from '#server/auth/accounts/users.store.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import { conflict, invalid, tooMany } from '#server/http/edge/errors.ts'
import { type Handlers, signalOf } from '#server/http/edge/mount.ts'
import { createTokenBucket } from '#server/http/edge/rate-limits.ts'
import { refuseStaleFields } from '#server/http/edge/refuse-stale-fields.ts'
import { loadMailSender, requireKnownChoice } from '#server/mail-senders/mail-sender.store.ts'
import { renderLetter } from '#server/mails/render-letter.ts'
import type { Transport } from '#server/mails/transport.ts'
import { loadDraft } from '#server/quizzes/draft.store.ts'
import type { PageUrl } from '#server/reports/report-links.ts'
import { createReader, type TextParser } from '#server/rich-texts/text-parser.ts'
import { refuseDeliveriesOfEndedConnections } from '#server/webhooks/ended-connections.store.ts'
import { pageLinks } from './mail-documents.ts'
import { findMails, type StoredMails, writeMails } from './quiz-mails.store.ts'
import { smtpFailure } from './send-mail.ts'
import type { UnsubscribeLinks } from './unsubscribe.ts'
import { writeResultMail } from './write-quiz-mail.ts'

type Dependencies = {
  db: Db
  transport: Transport | undefined
  links: UnsubscribeLinks
  wake: () => void
  has_rate_limits: boolean
  /** Origin of pictures. */
  public_url: string
  pageUrl: PageUrl
  texts: Pick<TextParser, 'parseAll'>
}
/** Participant of a test mail, who does not exist and has no page. */
const UNUSED_ID = '00000000-0000-0000-0000-000000000000'
type Draft = Awaited<ReturnType<typeof loadDraft>>

/** Limit of test mails, which go to the mailbox of the creator. */
const TESTS = { calls: 10, per_seconds: 600, burst: 5 }

const noServer = () =>
  conflict('no_mail_server', 'Ce site n’a pas de serveur d’emails : aucun email ne peut partir.')
const noAddress = () =>
  conflict(
    'no_address',
    'Votre compte n’a pas d’adresse email : aucun email ne peut vous parvenir.',
  )

/** Throws a 422 for the first problem in the texts of a mail. */
const refuseWords = (mail: MailWords, draft: Draft, fields: readonly string[]): void => {
  const [error] = mailErrors(mail, draft).filter(({ field }) => fields.includes(field))
  if (error) throw invalid(error.message, error.field)
}

const mailTextsOf = (stored: Pick<StoredMails, 'subject' | 'text'>, draft: Draft): MailWords => {
  const own = defaultMail(draft.quiz)
  return { subject: stored.subject ?? own.subject, text: stored.text ?? own.text }
}

/** Returns the handlers of contract/forwarding/quiz-mails.ts. */
export const quizMailsHandlers = ({
  db,
  transport,
  links,
  wake,
  has_rate_limits,
  public_url,
  pageUrl,
  texts,
}: Dependencies): Handlers<typeof api.quizMails> => {
  const bucket = createTokenBucket(TESTS)
  const load = (owned: { quiz_id: string; creator_id: string }) =>
    readInOneSnapshot(db, async (state) => {
      const draft = await loadDraft(state, owned)
      return { draft, stored: await findMails(state, owned) }
    })
  const loadShownMails = async (owned: {
    quiz_id: string
    creator_id: string
  }): Promise<ShownMails> => {
    const { draft, stored } = await load(owned)
    const words = mailTextsOf(stored, draft)
    return {
      ...stored,
      ...words,
      has_mail_server: transport !== undefined,
      has_address: (await findAccountEmail(db, owned.creator_id)) !== null,
      warnings: mailErrors(words, draft).map(({ message }) => message),
    }
  }

  return {
    get: async ({ id: quiz_id }, { id: creator_id }) => ({
      mails: await loadShownMails({ quiz_id, creator_id }),
    }),

    set: async ({ id: quiz_id, body }, { id: creator_id }) => {
      const owned = { quiz_id, creator_id }
      const { draft, stored } = await load(owned)
      const { replaces, ...changes } = body
      const { sends_result, tells_creator, shows_result: _shown, reply_to, ...words } = changes
      await requireKnownChoice(db, creator_id, reply_to)
      const isTold = tells_creator !== undefined && tells_creator !== 'never'
      if ((sends_result || isTold) && !transport) throw noServer()
      if (isTold && !(await findAccountEmail(db, creator_id))) throw noAddress()
      const mail = { ...mailTextsOf(stored, draft), ...definedOf(words) }
      // The texts of a mail are all checked when the mail is enabled, else only the changed texts.
      refuseWords(mail, draft, sends_result ? ['subject', 'text'] : Object.keys(definedOf(words)))
      await writeMails(db, owned, changes, (locked) =>
        refuseStaleFields(mailTextsOf(locked, draft), replaces),
      )
      audit('mails_changed', { actor_id: creator_id, object_id: quiz_id })
      if (sends_result === false || tells_creator) await refuseDeliveriesOfEndedConnections(db)
      wake()
      return { mails: await loadShownMails(owned) }
    },

    test: async ({ id: quiz_id, body }, { id: creator_id }, request) => {
      const { draft, stored } = await load({ quiz_id, creator_id })
      if (!transport) throw noServer()
      const to = await findAccountEmail(db, creator_id)
      if (to === null) throw noAddress()
      refuseWords(body, draft, ['subject', 'text'])
      const seconds = has_rate_limits ? bucket(creator_id) : 0
      if (seconds > 0) throw tooMany(seconds)
      const { keeps_page } = draft.quiz
      const page_url = keeps_page ? pageUrl({ quiz_id, participant_uuid: UNUSED_ID }) : null
      const run = sampleRun(takeSnapshot(draft), to, page_url)
      const job = { kind: 'mail', owner: creator_id, signal: signalOf(request) } as const
      const shown = [...textsOfVersion(run.snapshot), body.text]
      const read = createReader(await texts.parseAll(shown, job))
      const { shows_result = stored.shows_result } = body
      const unsubscribe_url = links.write({ user_id: creator_id, email: to })
      const links_below = shows_result ? pageLinks(page_url) : []
      const letter = writeResultMail({ ...body, shows_result }, run, unsubscribe_url, {
        read,
        links: links_below,
        public_url,
      })
      const content = await renderLetter(letter, await loadMailSender(db, quiz_id))
      try {
        await transport.send({ to, unsubscribe_url, ...content })
      } catch (error) {
        const failure = smtpFailure(error)
        const reason = 'code' in failure ? deliveryReason('refused', failure.code) : null
        return { has_left: false, message: reason ?? 'Le test n’a pas pu partir.' }
      }
      return { has_left: true, message: `Le test est parti à ${to}.` }
    },
  }
}

const definedOf = (words: {
  subject?: string | undefined
  text?: string | undefined
}): Partial<MailWords> => ({
  ...(words.subject !== undefined && { subject: words.subject }),
  ...(words.text !== undefined && { text: words.text }),
})
