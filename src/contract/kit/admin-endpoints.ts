import type { Call } from './initial-endpoints.ts'

/** Calls of administrators, which only their screen loads. */
export const adminEndpoints = {
  admin: {
    overview: { method: 'GET', path: '/admin/overview' },
    storage: { method: 'GET', path: '/admin/storage' },
    accounts: { method: 'GET', path: '/admin/accounts' },
    invite: { method: 'POST', path: '/admin/accounts' },
    disable: { method: 'POST', path: '/admin/accounts/{accountId}/disable' },
    enable: { method: 'POST', path: '/admin/accounts/{accountId}/enable' },
    remove: { method: 'POST', path: '/admin/accounts/{accountId}/delete' },
    setSignUp: { method: 'PUT', path: '/admin/sign-up' },
  },
} as const satisfies Record<string, Record<string, Call>>
