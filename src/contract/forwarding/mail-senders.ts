import { z } from 'zod'
import { calls } from '#contract/kit/calls.ts'
import { group } from '#contract/kit/endpoint.ts'
import { senderName, text, uuid } from '#contract/kit/fields.ts'
import { replacedFields } from '#contract/kit/replaced-fields.ts'
import { MAX_EMAIL_LENGTH } from '#domain/common/vocabulary.ts'

const { mailSender: senderCalls } = calls

/** Address that gets the replies: that of the account, none, or the id of another confirmed address. */
export const replyChoice = z.union([z.enum(['account', 'none']), uuid])

const settings = {
  /** Name before « via Quizaine »; null or empty means the name of the installation. */
  sender_name: senderName.nullable(),
  reply_to: replyChoice,
}
const sender = z.object({
  sender_name: z.string().nullable(),
  reply_to: z.string(),
  /** Address of the account; null without one that its owner has proven. */
  account_email: z.string().nullable(),
  /** Other addresses that the creator confirmed with a code. */
  addresses: z.array(z.object({ id: uuid, email: z.string() })),
  /** Address that waits for its code; null without one. */
  pending_email: z.string().nullable(),
  /** False if the accounts are at another service, which sends no codes. */
  can_add: z.boolean(),
  /** Name and address of the installation. Its address is in From of every mail. */
  from_name: z.string(),
  from_address: z.string(),
})
const answer = z.object({ sender })
const email = text(MAX_EMAIL_LENGTH)

/** Sender and reply addresses of the mails to the participants of an account. */
export const mailSender = group({
  get: {
    ...senderCalls.get,
    access: 'creator',
    key_scope: 'none',
    answer,
    summary:
      'Le nom de l’expéditeur des emails aux participants, et les adresses pour les réponses',
  },
  set: {
    ...senderCalls.set,
    access: 'creator',
    key_scope: 'none',
    body: z.object({
      sender_name: settings.sender_name.optional(),
      reply_to: settings.reply_to.optional(),
      ...replacedFields({ sender_name: text(MAX_EMAIL_LENGTH).nullable(), reply_to: replyChoice }),
    }),
    answer,
    summary:
      'Choisir le nom de l’expéditeur des emails aux participants, ou l’adresse des réponses',
  },
  addAddress: {
    ...senderCalls.addAddress,
    access: 'creator',
    key_scope: 'none',
    body: z.object({ email }),
    answer,
    summary: 'Envoyer un code à six chiffres à une adresse, pour y recevoir les réponses',
  },
  confirmAddress: {
    ...senderCalls.confirmAddress,
    access: 'creator',
    key_scope: 'none',
    body: z.object({ email, code: text(20) }),
    answer,
    summary: 'Confirmer une adresse avec le code reçu',
  },
  removeAddress: {
    ...senderCalls.removeAddress,
    access: 'reply_address_owner',
    key_scope: 'none',
    answer,
    summary: 'Retirer une adresse pour les réponses : les emails en attente n’y renvoient plus',
  },
})

/** Sender settings of an account. */
export type ShownSender = z.output<typeof sender>
