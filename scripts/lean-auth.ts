import type { Plugin } from 'vite'

/**
 * Modules of auth-js that every import includes although no screen uses them: passkeys and wallets (security keys use
 * session/security-key.ts). A version that renames these modules fails the build.
 */
const REPLACEMENTS: Record<string, string> = {
  './lib/web3/ethereum':
    'export const createSiweMessage = 0, fromHex = 0, getAddress = 0, toHex = 0',
  './lib/webauthn': `export class WebAuthnApi {}
    export const createCredential = 0, getCredential = 0, browserSupportsWebAuthn = 0,
      webAuthnAbortService = 0, deserializeCredentialCreationOptions = 0,
      deserializeCredentialRequestOptions = 0, serializeCredentialCreationResponse = 0,
      serializeCredentialRequestResponse = 0`,
}
const PREFIX = '\0left-out:'

/** Returns a Vite plugin that replaces the unused modules of auth-js with empty ones. */
export const leanAuth = (): Plugin => ({
  name: 'lean-auth',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source, importer) =>
    importer?.includes('/@supabase/auth-js/') && source in REPLACEMENTS ? PREFIX + source : null,
  load: (id) => (id.startsWith(PREFIX) ? REPLACEMENTS[id.slice(PREFIX.length)] : null),
})
