import { isSameEmail } from '#domain/mailbox.ts'
import type { Ask } from './ask.ts'
import { listField, textField, unknown } from './failures.ts'
import type { OutboundReply } from './outbound.ts'
import type { Failure } from './provider.ts'
import { findContact } from './systemio-requests.ts'

/** The person with this address; without JSON where there is none. */
export const findByAddress = async (ask: Ask, email: string): Promise<OutboundReply | Failure> => {
  const found = await ask(findContact(email))
  if (found.kind !== 'reply') return found
  if (found.status !== 200) return unknown(`http_${found.status}`)
  const json = (listField(found.json, 'items') ?? []).find((item) =>
    isSameEmail(textField(item, 'email') ?? '', email),
  )
  return { ...found, json }
}
