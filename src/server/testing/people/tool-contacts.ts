import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { startBrevo } from '#server/testing/fakes/brevo.ts'
import type { startKit } from '#server/testing/fakes/kit.ts'
import type { startSystemio } from '#server/testing/fakes/systemio.ts'

/** Contact that a fake tool stores, with the value of the result field. */
export type ToolContact = { email: string; result: unknown }

type Fakes = {
  convertkit: Awaited<ReturnType<typeof startKit>>
  systemio: Awaited<ReturnType<typeof startSystemio>>
  brevo: Awaited<ReturnType<typeof startBrevo>>
}

const FIELD = 'RESULTAT_QUIZ'

/** Returns, by tool, the contacts of an account with the value of the result field. */
export const listToolContacts = (
  { convertkit, systemio, brevo }: Fakes,
  account: string,
): Record<ProviderName, ToolContact[]> => ({
  convertkit: [...convertkit.accountOf(account).subscribers.values()].map((subscriber) => ({
    email: subscriber.email_address,
    result: Object.values(subscriber.fields)[0],
  })),
  systemio: [...systemio.accountOf(account).contacts.values()].map((contact) => ({
    email: contact.email,
    result: contact.fields[FIELD.toLowerCase()],
  })),
  brevo: [...brevo.accountOf(account).contacts.values()].map((contact) => ({
    email: contact.email,
    result: contact.attributes[FIELD],
  })),
})
