import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markMailSent } from '#server/auth/accounts/users.store.ts'
import { AuthError } from '#server/auth/auth-error.ts'
import { makeToken } from '#server/auth/email-links/make-token.ts'
import type { MailRateLimit } from '#server/auth/mail/mail-rate-limit.ts'
import type { Services } from '#server/auth/services.ts'

/** Hands text messages over; `to` is a number without its plus. It throws when it could not. */
export type TextSender = { send: (to: string, text: string) => Promise<void> }

/** Codes in old messages have ended; only so many files are kept. */
const KEPT = 100

/**
 * Writes text messages as files that their owner alone may read, into `data_dir`/texts: there is no
 * provider of text messages here; an installation that has one puts it in its place.
 */
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
      const oldest = (await readdir(folder)).sort().slice(0, -KEPT)
      await Promise.all(oldest.map((name) => rm(join(folder, name), { force: true })))
      log.info({ file }, 'a text message was written instead of being sent')
    },
  }
}

/** The services, and what sends text messages, at their pace. */
export type Texting = Services & { texts: TextSender; textPace: MailRateLimit }

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
