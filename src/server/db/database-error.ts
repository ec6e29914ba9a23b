/** SQLSTATE codes of temporary failures: resources, shutdown, time-outs, serialization, a primary that became a replica. */
const TEMPORARY = new Set([
  '53100',
  '53200',
  '53300',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '55P03',
  '40001',
  '40P01',
  '25P03',
  '25006',
])
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  // No file descriptor is left for a connection.
  'EMFILE',
  'ENFILE',
])
const CLIENT_SIDE =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Cannot use a pool after|Client has encountered a connection error)/

/** Returns the SQLSTATE or network code of an error; empty if it has none. */
export const codeOf = (error: object): string =>
  'code' in error && typeof error.code === 'string' ? error.code : ''

/** Returns true if a transaction was rolled back because of a deadlock or a serialization failure. */
export const isCollision = (error: unknown): boolean =>
  error instanceof Error && ['40001', '40P01'].includes(codeOf(error))

/** Returns true if a statement would store a value twice that a unique index allows once. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === '23505'

/** Returns true if a statement exceeded its time-out. */
export const isTimeOut = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === '57014'

/** Returns true if a statement names a time zone that PostgreSQL does not know. */
export const isUnknownTimeZone = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === '22023'

/** Returns true if the database did not answer at all. */
export const isDatabaseSilent = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return (
    code.startsWith('08') ||
    (NETWORK.has(code) && 'syscall' in error) ||
    CLIENT_SIDE.test(error.message)
  )
}

/** Returns true if the database is unreachable, full or too slow, so that a retry makes sense. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof Error && (TEMPORARY.has(codeOf(error)) || isDatabaseSilent(error))
