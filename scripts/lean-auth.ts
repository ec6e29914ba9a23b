import type { Plugin } from 'vite'

/**
 * What auth-js brings along whether it is called or not, as methods of one class: passkeys and wallets.
 * No screen calls them (a security key goes by session/security-key.ts), so no browser downloads them.
 * A version that imports another name of these modules fails the build.
 */
const LEFT_OUT: Record<string, string> = {
  './lib/web3/ethereum':
    'export const createSiweMessage = 0, fromHex = 0, getAddress = 0, toHex = 0',
  './lib/webauthn': `export class WebAuthnApi {}
    export const createCredential = 0, getCredential = 0, browserSupportsWebAuthn = 0,
      webAuthnAbortService = 0, deserializeCredentialCreationOptions = 0,
      deserializeCredentialRequestOptions = 0, serializeCredentialCreationResponse = 0,
      serializeCredentialRequestResponse = 0`,
}
const PREFIX = '\0left-out:'

/** Empties the modules of auth-js that no screen uses. */
export const leanAuth = (): Plugin => ({
  name: 'lean-auth',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source, importer) =>
    importer?.includes('/@supabase/auth-js/') && source in LEFT_OUT ? PREFIX + source : null,
  load: (id) => (id.startsWith(PREFIX) ? LEFT_OUT[id.slice(PREFIX.length)] : null),
})
