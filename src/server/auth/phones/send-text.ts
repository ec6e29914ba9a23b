import { AuthError } from '#server/auth/auth-error.ts'
import type { MailPace } from '#server/auth/mail/mail-pace.ts'
import { makeToken } from '#server/auth/one-time/make-token.ts'
import type { Services } from '#server/auth/services.ts'
import { stampMail } from '#server/auth/users.store.ts'
import type { TextSender } from './text-sender.ts'

/** The services, and what sends text messages, at their pace. */
export type Texting = Services & { texts: TextSender; textPace: MailPace }

/** Makes the code of a number, in place of an earlier one; gives what sends it once that is committed. */
export const makeText = async (
  services: Texting,
  {
    user_id,
    phone,
    type,
    drops_password,
  }: {
    user_id: string
    phone: string
    type: 'phone_confirmation' | 'phone_change'
    drops_password: boolean
  },
): Promise<() => Promise<void>> => {
  const { code } = await makeToken(services, {
    user_id,
    type,
    relates_to: phone,
    drops_password,
    challenge: undefined,
    method: '',
  })
  await stampMail(services.db, user_id, type)
  return async () => {
    try {
      await services.texts.send(phone, `Votre code Quizaine : ${code}`)
    } catch (error) {
      services.log.error({ err: error }, 'a text message was not sent')
      throw new AuthError(422, 'sms_send_failed', 'Error sending the text message')
    }
  }
}
