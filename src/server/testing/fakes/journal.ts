/** Recorded call without secrets. */
export type JournalEntry = {
  at: number
  method: string
  path: string
  query: string
  headers: Record<string, string>
  body: string
  /** Status; null if the caller got no answer. */
  status: number | null
  /** Input that the vendor silently ignores. */
  notes: string[]
}

const SECRET_HEADERS = ['authorization', 'api-key', 'x-api-key', 'x-kit-api-key', 'cookie']
const SECRET_FIELDS =
  /((?:client_secret|refresh_token|access_token|code|code_verifier|token)(?:=|"\s*:\s*"))[^&"]+/g

/** Replaces OAuth secrets in a query or body by `***`. */
export const maskSecrets = (text: string): string => text.replaceAll(SECRET_FIELDS, '$1***')

/** Replaces keys and cookies in headers by `***`. */
export const maskSecretHeaders = (
  headers: NodeJS.Dict<string | string[]>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.includes(name) ? '***' : String(value),
    ]),
  )
