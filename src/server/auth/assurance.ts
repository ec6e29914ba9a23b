/** Methods that show a second factor. */
export const SECOND_FACTORS = ['totp', 'mfa/phone', 'mfa/webauthn', 'mfa/recovery_code']

/** How surely a session's owner is known: `aal2` once a second factor was shown. */
export const assuranceOf = (methods: { method: string }[]): 'aal1' | 'aal2' =>
  methods.some(({ method }) => SECOND_FACTORS.includes(method)) ? 'aal2' : 'aal1'
