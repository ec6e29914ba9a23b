import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markMailSent } from '#server/auth/accounts/users.store.ts'
import { AuthError } from '#server/auth/auth-error.ts'
import { makeToken } from '#server/auth/email-links/make-token.ts'
import type { MailRateLimit } from '#server/auth/mail/mail-rate-limit.ts'
import type { Services } from '#server/auth/services.ts'

/** Sender of text messages. `to` is a number without plus. `send` throws on failure. */
export type TextSender = { send: (to: string, text: string) => Promise<void> }

/** Maximum number of message files. Older files are deleted. */
const MAX_FILES = 100

/** Creates a sender that writes text messages to files in `data_dir`/texts, because no SMS provider is supported. */
export const openTextFolder = ({
  data_dir,
  log,
}: {
  data_dir: string
  log: { info: (fields: object, text: string) => void }
}): TextSender => {
  const folder = join(data_dir, 'texts')
  let written = 0
  return {
    send: async (to, text) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      written += 1
      const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
      const file = join(folder, `${stamp}-${process.pid}-${written}.txt`)
      await writeFile(file, `+${to}\n${text}\n`, { mode: 0o600 })
      const oldest = (await readdir(folder)).sort().slice(0, -MAX_FILES)
      await Promise.all(oldest.map((name) => rm(join(folder, name), { force: true })))
      log.info(
        { file },
        'a text message was written to a file, because no SMS provider is supported',
      )
    },
  }
}

/** Auth services with a text sender and its rate limit. */
export type PhoneServices = Services & { texts: TextSender; textRateLimit: MailRateLimit }

/** Creates a code for a number and replaces an earlier code. Returns a function that sends it; call it after the commit. */
export const makeText = async (
  services: PhoneServices,
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
  await markMailSent(services.db, user_id, type)
  return async () => {
    try {
      await services.texts.send(phone, `Votre code Quizaine : ${code}`)
    } catch (error) {
      services.log.error({ err: error }, 'a text message was not sent')
      throw new AuthError(422, 'sms_send_failed', 'Error sending the text message')
    }
  }
}
