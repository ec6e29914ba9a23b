import assert from 'node:assert/strict'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { ConnectedCreator, OutboxApp } from '#server/testing/app/outbox-app.ts'

/** Returns helpers that read, delete and refuse fields at the fake tools. */
export const createToolFields = ({ fakes }: Pick<OutboxApp, 'fakes'>) => {
  /** Lists the addresses and field values of the contacts at a tool, with field keys in lower case. */
  const listContacts = (
    { account }: Pick<ConnectedCreator, 'account'>,
    provider: ProviderName,
  ): [string, Record<string, unknown>][] => {
    const people: Record<ProviderName, () => [string, object][]> = {
      convertkit: () =>
        [...fakes.convertkit.accountOf(account).subscribers.values()].map((subscriber) => [
          subscriber.email_address,
          {
            ...subscriber.fields,
            ...(subscriber.first_name !== null && { first_name: subscriber.first_name }),
          },
        ]),
      systemio: () =>
        [...fakes.systemio.accountOf(account).contacts.values()].map((contact) => [
          contact.email,
          contact.fields,
        ]),
      brevo: () =>
        [...fakes.brevo.accountOf(account).contacts.values()].map((contact) => [
          contact.email,
          contact.attributes,
        ]),
    }
    const lower = (values: object) =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]))
    return people[provider]().map(([email, values]) => [email, lower(values)])
  }
  /** Returns the field values of each person at a tool by address, with field keys in lower case. */
  const valuesByEmail = (
    creator: Pick<ConnectedCreator, 'account'>,
    provider: ProviderName,
  ): Record<string, Record<string, unknown>> => {
    const listed = listContacts(creator, provider)
    assert.equal(new Set(listed.map(([email]) => email)).size, listed.length, 'a second contact')
    return Object.fromEntries(listed)
  }
  return {
    listContacts,
    valuesByEmail,

    /** Returns the field values of one person at a tool, with field keys in lower case. */
    valuesOf: (
      creator: Pick<ConnectedCreator, 'account'>,
      provider: ProviderName,
      email: string,
    ): Record<string, unknown> => {
      const values = valuesByEmail(creator, provider)[email]
      assert.ok(values, `${provider} lacks ${email}`)
      return values
    },

    /** Deletes a field of the account together with all its values. */
    deleteField: (
      { account }: Pick<ConnectedCreator, 'account'>,
      provider: ProviderName,
      field: string,
    ): void => {
      const kit = fakes.convertkit.accountOf(account)
      const systemio = fakes.systemio.accountOf(account)
      const brevo = fakes.brevo.accountOf(account)
      const gone = {
        convertkit: () => {
          for (const [id, { key }] of kit.fields) if (key === field) kit.fields.delete(id)
          for (const { fields } of kit.subscribers.values()) delete fields[field]
        },
        systemio: () => {
          systemio.fields.delete(field)
          for (const { fields } of systemio.contacts.values()) delete fields[field]
        },
        brevo: () => {
          brevo.attributes.delete(field.toUpperCase())
          for (const { attributes } of brevo.contacts.values())
            delete attributes[field.toUpperCase()]
        },
      }
      gone[provider]()
    },

    /** Makes the tool refuse to create fields. */
    refuseFields: (provider: ProviderName): void => {
      const paths = {
        convertkit: '/v4/custom_fields',
        systemio: '/contact_fields',
        brevo: '/attributes',
      }
      const status = provider === 'brevo' ? 400 : 422
      const path = new RegExp(paths[provider])
      fakes[provider].fail({ method: 'POST', path, mode: 'before', status, times: 10_000 })
    },
  }
}
