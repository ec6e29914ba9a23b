import { parseRichText } from '#contract/parse-rich-text.ts'
import { composeMail, type MailedRun, type QuizMail } from '#domain/quiz-mail.ts'
import type { Letter } from '#server/mails/frame.ts'
import { resultLetter } from '#server/mails/quiz-letters.ts'

/** What a participant is sent of their run, and what a test of the quiz shows of it. */
export const writeResult = (mail: QuizMail, run: MailedRun, unsubscribe_url: string): Letter => {
  const { subject, body } = composeMail(mail, run, parseRichText)
  return resultLetter({ subject, body, quiz_name: run.snapshot.quiz.name, unsubscribe_url })
}
