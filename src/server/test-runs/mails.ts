import type { TestPlace } from '#contract/test-runs.ts'
import { isMailable } from '#domain/mailbox.ts'
import type { QuizMail } from '#domain/quiz-mail.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { unpackReplies } from '#domain/stored-replies.ts'
import { NO_ADDRESS_TO_TELL, NO_RESULT_TO_MAIL, NOT_MAILABLE } from '#domain/test-run-words.ts'
import { MAIL, type NOTICE } from '#domain/vocabulary.ts'
import type { EventResponse } from '#domain/webhook-event.ts'
import { type Letter, textOf } from '#server/mails/frame.ts'
import { noticeLetter } from '#server/mails/quiz-letters.ts'
import { writeResult } from '#server/quiz-mails/write-result.ts'

/** What the two mails of a quiz take beside the run. */
export type MailNeeds = {
  /** What the creator wrote for participants. */
  words: QuizMail
  creator_email: string | null
  public_url: string
}

type Run = { quiz_id: string; snapshot: Snapshot; response: EventResponse; mails: MailNeeds }

/** A real one would end the creator's mails to that address. */
const WAY_OUT = '(le lien propre à cette adresse)'

const written = (to: string, letter: Letter): Pick<TestPlace, 'message' | 'mail'> => ({
  message: null,
  mail: { to, subject: letter.subject, text: textOf(letter) },
})
const nothing = (message: string): Pick<TestPlace, 'message' | 'mail'> => ({ message, mail: null })

/** What a mail of the quiz would say of a run, or why it would not leave. */
export const mailOf = (
  { quiz_id, snapshot, response, mails }: Run,
  channel: typeof MAIL | typeof NOTICE,
): Pick<TestPlace, 'message' | 'mail'> => {
  const { email, result_position, consent_version, participant_uuid } = response
  const { words, creator_email, public_url } = mails
  const result = snapshot.results[result_position ?? -1] ?? null
  if (channel === MAIL) {
    if (email === null || !isMailable(email)) return nothing(NOT_MAILABLE)
    if (snapshot.quiz.type === 'quiz' && !result) return nothing(NO_RESULT_TO_MAIL)
    const run = { snapshot, replies: unpackReplies(snapshot, response), result, email }
    return written(email, writeResult(words, run, WAY_OUT))
  }
  if (creator_email === null) return nothing(NO_ADDRESS_TO_TELL)
  const letter = noticeLetter({
    quiz_name: snapshot.quiz.name,
    result: result?.name ?? null,
    email: consent_version === 0 ? null : email,
    url: `${public_url}/quiz/${quiz_id}/statistics?participant=${participant_uuid}`,
  })
  return written(creator_email, letter)
}
