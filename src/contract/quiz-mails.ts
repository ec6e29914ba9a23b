import { z } from 'zod'
import { MAIL_LIMITS, NOTICE_FREQUENCIES } from '#domain/deliveries/quiz-mail.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { filledText } from './kit/fields.ts'

const { quizMails: at } = calls
const words = {
  subject: filledText(MAIL_LIMITS.subject).refine((text) => !/[\r\n]/.test(text), {
    error: 'L’objet tient sur une ligne',
  }),
  text: filledText(MAIL_LIMITS.text),
}

const mails = z.object({
  /** Whether participants who leave an address get their result by mail. */
  sends_result: z.boolean(),
  subject: z.string(),
  text: z.string(),
  tells_creator: z.enum(NOTICE_FREQUENCIES),
  /** False without a mail server: nothing can be switched on, and what is on waits. */
  has_mail_server: z.boolean(),
  /** Whether the creator's account has an address to write to. */
  has_address: z.boolean(),
  /** What in the words no longer goes with the draft, a sentence each. */
  warnings: z.array(z.string()),
})
const answer = z.object({ mails })

/** The mails of a quiz: to its participants in the creator's words, and to its creator. */
export const quizMails = group({
  get: { ...at.get, access: 'creator', answer, summary: 'Les emails d’un quiz' },
  set: {
    ...at.set,
    access: 'creator',
    body: z.object({
      sends_result: z.boolean().optional(),
      subject: words.subject.optional(),
      text: words.text.optional(),
      tells_creator: z.enum(NOTICE_FREQUENCIES).optional(),
    }),
    answer,
    summary:
      'Changer les emails d’un quiz : le résultat aux participants (objet et texte, mis en forme et avec insertions), et ce que son auteur reçoit',
  },
  test: {
    ...at.test,
    access: 'creator',
    body: z.object(words),
    answer: z.object({ has_left: z.boolean(), message: z.string() }),
    summary: 'Envoyer maintenant cet email à sa propre adresse, avec un résultat d’exemple',
  },
})

export type ShownMails = z.output<typeof mails>
