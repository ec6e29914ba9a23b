import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { Challenge } from '#server/auth/factors/challenges.store.ts'
import type { Factor } from '#server/auth/factors/factors.store.ts'
import type { Services } from '#server/auth/services.ts'
import type { Texting } from './send-text.ts'

const MOST_TRIES = 5
const DIGITS = 6

const hashOf = ({ factorKey }: Services, factor_id: string, code: string): Buffer =>
  createHmac('sha256', factorKey).update(`phone ${factor_id} ${code}`).digest()

/** Sends a new code to a factor's phone; gives all that is stored of it. One a minute (429). */
export const makePhoneCode = async (services: Texting, { id, phone }: Factor): Promise<Buffer> => {
  await services.textPace.check({
    kind: 'factor',
    who: phone ?? '',
    network: services.network,
    isKnown: async () => true,
  })
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
  await services.texts.send(phone ?? '', `Votre code Quizaine : ${code}`)
  return hashOf(services, id, code)
}

/** Whether a code is the one that was sent for this challenge, within five tries. */
export const isPhoneCode = (
  services: Services,
  { factor, challenge }: { factor: Factor; challenge: Challenge },
  code: string,
): boolean => {
  if (!challenge.code_hash || challenge.wrong_codes >= MOST_TRIES) return false
  return timingSafeEqual(hashOf(services, factor.id, code), challenge.code_hash)
}
