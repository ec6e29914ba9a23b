import { isLoopback } from './config-values.ts'

/** A provider of OpenID Connect. */
export type ExternalConfig = { issuer: string; client_id: string; secret: string; scopes: string }

const GOOGLE_ISSUER = 'https://accounts.google.com'

const isIssuer = (text: string): boolean =>
  URL.canParse(text) && (text.startsWith('https:') || isLoopback(new URL(text)))

/** The providers of AUTH_EXTERNAL_<NAME>_CLIENT_ID, _SECRET, _ISSUER and _SCOPES; adds a line for each that is wrong. */
export const readExternal = (
  given: Record<string, string | undefined>,
  lines: string[],
): Record<string, ExternalConfig> => {
  const names = Object.keys(given).flatMap(
    (key) => /^AUTH_EXTERNAL_([A-Z0-9]{2,30})_CLIENT_ID$/.exec(key)?.[1] ?? [],
  )
  return Object.fromEntries(
    names.map((name) => {
      const value = (part: string): string => given[`AUTH_EXTERNAL_${name}_${part}`] ?? ''
      const issuer = value('ISSUER') || (name === 'GOOGLE' ? GOOGLE_ISSUER : '')
      if (!isIssuer(issuer))
        lines.push(`AUTH_EXTERNAL_${name}_ISSUER: must be the https address of an OpenID provider`)
      if (!value('SECRET')) lines.push(`AUTH_EXTERNAL_${name}_SECRET: required with its CLIENT_ID`)
      const scopes = value('SCOPES') || 'openid email profile'
      return [
        name.toLowerCase(),
        { issuer, client_id: value('CLIENT_ID'), secret: value('SECRET'), scopes },
      ]
    }),
  )
}
