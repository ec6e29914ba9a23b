import type { PlantedFault } from './planted-fault.ts'

/** Faults of accounts, sessions and access. */
export const ACCESS_FAULTS: PlantedFault[] = [
  {
    name: 'a new code is refused after wrong attempts at the code before',
    file: 'src/server/auth/email-links/one-time-tokens.store.ts',
    from: '        wrong_codes: 0,\n',
    to: '',
    test: 'src/server/auth/email-links/sign-in-by-mail.test.ts',
  },
  {
    name: 'a session without its second factor replaces the recovery codes',
    file: 'src/server/auth/factors/recovery-codes.ts',
    from: '{ user, needs_factor }: Caller) =>\n  inTransaction(services.db, async (db) => {\n    await lockUser(db, user.id)\n    const factor = await findRecoveryFactor(db, user.id)\n    if (!factor) throw factorNotFound()\n    if (needs_factor) throw insufficientAal(403)\n',
    to: '{ user }: Caller) =>\n  inTransaction(services.db, async (db) => {\n    await lockUser(db, user.id)\n    const factor = await findRecoveryFactor(db, user.id)\n    if (!factor) throw factorNotFound()\n',
  },
  {
    name: 'a stolen refresh token does not end the session',
    file: 'src/server/auth/sessions/sessions.ts',
    from: '      await deleteSession(db, session)\n',
    to: '',
    test: 'src/server/auth/sessions/refresh.test.ts',
  },
  {
    name: 'the notice of a changed address goes to the new address',
    file: 'src/server/auth/email-links/redeem.ts',
    from: "{ kind: 'email_changed', email, details: { new_email } }",
    to: "{ kind: 'email_changed', email: new_email, details: { new_email } }",
    test: 'src/server/auth/email-links/change-address.test.ts',
  },
  {
    name: 'browsers may guess the type of a file',
    file: 'src/server/http/edge/security-headers.ts',
    from: "  'x-content-type-options': 'nosniff',\n",
    to: '',
  },
  {
    name: 'the return from Kit without a session leads to the dashboard',
    file: 'src/web/session/return-path.ts',
    from: 'owner_id === null || owner_id === id ?',
    to: 'owner_id === id ?',
    journey: 'e2e/integrations/integrations.spec.ts',
  },
  {
    name: 'calls that wait for a sign-in wait for ever after a sign-out',
    file: 'src/web/session/session-store.ts',
    from: '    clear()\n    resumeCalls(false)\n',
    to: '    clear()\n',
    journey: 'e2e/accounts/ended-session.spec.ts',
  },
]
