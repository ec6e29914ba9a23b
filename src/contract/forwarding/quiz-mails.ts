import { z } from 'zod'
import { replyChoice } from '#contract/forwarding/mail-senders.ts'
import { calls } from '#contract/kit/calls.ts'
import { group } from '#contract/kit/endpoint.ts'
import { filledText, text } from '#contract/kit/fields.ts'
import { replacedFields } from '#contract/kit/replaced-fields.ts'
import { MAIL_LIMITS, NOTICE_FREQUENCIES } from '#domain/deliveries/quiz-mail.ts'

const { quizMails: quizMailCalls } = calls
const words = {
  subject: filledText(MAIL_LIMITS.subject).refine((text) => !/[\r\n]/.test(text), {
    error: 'L’objet tient sur une ligne',
  }),
  text: filledText(MAIL_LIMITS.text),
}

const mails = z.object({
  /** True if participants with an address get their result by mail. */
  sends_result: z.boolean(),
  subject: z.string(),
  text: z.string(),
  tells_creator: z.enum(NOTICE_FREQUENCIES),
  /** True if the mail shows the result below the text, and its links. */
  shows_result: z.boolean(),
  /** Address that gets the replies; null means that of the account. */
  reply_to: z.string().nullable(),
  /** False without a mail server: mails cannot be enabled, and enabled ones wait. */
  has_mail_server: z.boolean(),
  /** True if the creator's account has an email address. */
  has_address: z.boolean(),
  /** French warnings about texts that no longer fit the draft. */
  warnings: z.array(z.string()),
})
const answer = z.object({ mails })

/** Mails of a quiz to its participants and to its creator. */
export const quizMails = group({
  get: { ...quizMailCalls.get, access: 'quiz_owner', answer, summary: 'Les emails d’un quiz' },
  set: {
    ...quizMailCalls.set,
    access: 'quiz_owner',
    body: z.object({
      sends_result: z.boolean().optional(),
      subject: words.subject.optional(),
      text: words.text.optional(),
      tells_creator: z.enum(NOTICE_FREQUENCIES).optional(),
      shows_result: z.boolean().optional(),
      reply_to: replyChoice.nullable().optional(),
      ...replacedFields({ subject: text(MAIL_LIMITS.subject), text: text(MAIL_LIMITS.text) }),
    }),
    answer,
    summary:
      'Changer les emails d’un quiz : le résultat aux participants (objet et texte, mis en forme et avec insertions, suivis du résultat), l’adresse des réponses, et ce que son auteur reçoit',
  },
  test: {
    ...quizMailCalls.test,
    access: 'quiz_owner',
    body: z.object({ ...words, shows_result: z.boolean().optional() }),
    answer: z.object({ has_left: z.boolean(), message: z.string() }),
    summary: 'Envoyer maintenant cet email à sa propre adresse, avec un résultat d’exemple',
  },
})

/** Mail settings of a quiz. */
export type ShownMails = z.output<typeof mails>
