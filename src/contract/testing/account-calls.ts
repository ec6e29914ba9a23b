import type { NamedCall } from './statistics-calls.ts'

const id = 'Q'
const key = { name: 'A', scope: 'lecture', expires_in_days: null } as const

/** Calls of the account, its API keys, preferences and mail sender, with their methods and paths. */
export const accountCalls: NamedCall[] = [
  ['apiKeys.list', ({ apiKeys }) => apiKeys.list(), 'GET /account/keys'],
  ['apiKeys.create', ({ apiKeys }) => apiKeys.create({ body: key }), 'POST /account/keys'],
  ['apiKeys.revoke', ({ apiKeys }) => apiKeys.revoke({ id }), 'DELETE /account/keys/Q'],
  ['account.sessions', ({ account }) => account.sessions(), 'GET /account/sessions'],
  ['preferences.get', ({ preferences }) => preferences.get(), 'GET /account/preferences'],
  [
    'preferences.set',
    ({ preferences }) => preferences.set({ body: { time_zone: 'Pacific/Noumea' } }),
    'PUT /account/preferences',
  ],
  ['account.exportData', ({ account }) => account.exportData(), 'GET /account/export'],
  [
    'account.remove',
    ({ account }) => account.remove({ body: { confirmation: 'SUPPRIMER' } }),
    'POST /account/delete',
  ],
  ['mailSender.get', ({ mailSender }) => mailSender.get(), 'GET /account/mail-sender'],
  [
    'mailSender.set',
    ({ mailSender }) => mailSender.set({ body: { sender_name: 'A' } }),
    'PUT /account/mail-sender',
  ],
  [
    'mailSender.addAddress',
    ({ mailSender }) => mailSender.addAddress({ body: { email: 'a@exemple.fr' } }),
    'POST /account/reply-addresses',
  ],
  [
    'mailSender.confirmAddress',
    ({ mailSender }) =>
      mailSender.confirmAddress({ body: { email: 'a@exemple.fr', code: '123456' } }),
    'POST /account/reply-addresses/confirm',
  ],
  [
    'mailSender.removeAddress',
    ({ mailSender }) => mailSender.removeAddress({ id }),
    'DELETE /account/reply-addresses/Q',
  ],
]
