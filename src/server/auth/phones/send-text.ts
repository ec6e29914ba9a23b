import { AuthError } from '#server/auth/auth-error.ts'
import { makeToken } from '#server/auth/one-time/make-token.ts'
import type { Services } from '#server/auth/services.ts'
import { stampMail } from '#server/auth/users.store.ts'

export const phoneExists = (): AuthError =>
  new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered')

/** 400 where numbers are not used. */
export const checkPhones = ({ auth }: Pick<Services, 'auth'>): void => {
  if (!auth.has_phones)
    throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider')
}

/** Makes the code of a number, in place of an earlier one; gives what sends it once that is committed. */
export const makeText = async (
  services: Services,
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
