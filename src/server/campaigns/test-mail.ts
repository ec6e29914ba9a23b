import type { api } from '#contract/api.ts'
import type { ValidatedInput } from '#contract/kit/endpoint.ts'
import { composeCampaignMail } from '#domain/campaigns/campaign-mail.ts'
import { deliveryReason } from '#domain/deliveries/delivery-labels.ts'
import { publicPath } from '#domain/questionnaire/access.ts'
import { findTimeZone } from '#server/account/account.store.ts'
import { findAccountEmail } from '#server/auth/accounts/users.store.ts'
import type { Db } from '#server/db/database.ts'
import { conflict, tooMany } from '#server/http/edge/errors.ts'
import { createTokenBucket } from '#server/http/edge/rate-limits.ts'
import { loadMailSender } from '#server/mail-senders/mail-sender.store.ts'
import { campaignLetter } from '#server/mails/campaign-letters.ts'
import { renderLetter } from '#server/mails/render-letter.ts'
import type { Transport } from '#server/mails/transport.ts'
import { smtpFailure } from '#server/quiz-mails/send-mail.ts'
import type { QuizRow } from '#server/quizzes/quizzes.store.ts'
import type { TextParser } from '#server/rich-texts/text-parser.ts'

/** Limit of test mails, which go to the mailbox of the creator. */
const TESTS = { calls: 10, per_seconds: 600, burst: 5 }
/** Token in the link of a test mail. No invitation has this token. */
const TEST_TOKEN = 'exemple'

type Dependencies = {
  db: Db
  texts: Pick<TextParser, 'parse'>
  public_url: string
  has_rate_limits: boolean
}

/** Words of a test, and the creator who gets it. */
type TestMail = {
  quiz: QuizRow['quiz']
  creator_id: string
  body: ValidatedInput<typeof api.campaigns.test>['body']
  signal: AbortSignal
}

/** Creates the function that sends an invitation or a reminder to the creator, with an example of a link. */
export const createTestMailer = ({ db, texts, public_url, has_rate_limits }: Dependencies) => {
  const bucket = createTokenBucket(TESTS)
  return async (
    { transport }: { transport: Transport },
    { quiz, creator_id, body, signal }: TestMail,
  ): Promise<{ has_left: boolean; message: string }> => {
    const to = await findAccountEmail(db, creator_id)
    if (to === null)
      throw conflict(
        'no_address',
        'Votre compte n’a pas d’adresse email : aucun test ne peut partir.',
      )
    const seconds = has_rate_limits ? bucket(creator_id) : 0
    if (seconds > 0) throw tooMany(seconds)
    const answer_url = new URL(`${publicPath(quiz)}/i/${TEST_TOKEN}`, public_url).href
    const step = body.kind === 'invitation' ? 0 : 1
    const text = step === 0 ? body.invitation_text : body.reminder_text
    const parsed = await texts.parse(text, { kind: 'mail', owner: creator_id, signal })
    const time_zone = await findTimeZone(db, creator_id)
    const { ends_at } = body
    const person = { first_name: 'Camille', last_name: 'Durand', link: answer_url }
    const at = { ends_at, time_zone, now: new Date() }
    const written = composeCampaignMail(body, step, { ...person, ...at }, () => parsed)
    const link = { answer_url, refusal_url: `${answer_url}/refus` }
    const letter = campaignLetter({ ...written, quiz, is_anonymous: false, link })
    const sender = await loadMailSender(db, quiz.id)
    try {
      await transport.send({ to, ...(await renderLetter(letter, sender)) })
    } catch (error) {
      const failure = smtpFailure(error)
      const reason = 'code' in failure ? deliveryReason('refused', failure.code) : null
      return { has_left: false, message: reason ?? 'Le test n’a pas pu partir.' }
    }
    return { has_left: true, message: `Le test est parti à ${to}.` }
  }
}
