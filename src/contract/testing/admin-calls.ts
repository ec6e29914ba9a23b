import type { NamedCall } from './statistics-calls.ts'

const accountId = 'C'
const email = 'a@b.fr'

/** Calls of administrators with their methods and paths. */
export const adminCalls: NamedCall[] = [
  ['admin.overview', ({ admin }) => admin.overview(), 'GET /admin/overview'],
  ['admin.storage', ({ admin }) => admin.storage(), 'GET /admin/storage'],
  ['admin.accounts', ({ admin }) => admin.accounts({}), 'GET /admin/accounts'],
  ['admin.invite', ({ admin }) => admin.invite({ body: { email } }), 'POST /admin/accounts'],
  ['admin.disable', ({ admin }) => admin.disable({ accountId }), 'POST /admin/accounts/C/disable'],
  ['admin.enable', ({ admin }) => admin.enable({ accountId }), 'POST /admin/accounts/C/enable'],
  [
    'admin.remove',
    ({ admin }) => admin.remove({ accountId, body: { email } }),
    'POST /admin/accounts/C/delete',
  ],
  [
    'admin.setSignUp',
    ({ admin }) => admin.setSignUp({ body: { sign_up_mode: 'open' } }),
    'PUT /admin/sign-up',
  ],
]
