import { isOwnMachine } from './values.ts'

/** Example secrets of Supabase's compose file and tools, which are refused. */
const SAMPLE_SECRETS = [
  'your-super-secret-jwt-token-with-at-least-32-characters-long',
  'super-secret-jwt-token-with-at-least-32-characters-long',
]

/**
 * Returns a line for each variable that another one makes necessary, useless or unsafe. `defined` are the variables that are
 * not empty, and `providers` the names of the sign-in providers.
 */
export const findContradictions = (
  defined: Record<string, string | undefined>,
  providers: readonly string[],
): string[] => {
  const lines: string[] = []
  if (defined.DATABASE_URL && !defined.SECRET_KEY)
    lines.push('SECRET_KEY: required with DATABASE_URL, 32 characters or more')
  if (defined.DATABASE_DIRECT_URL && !defined.DATABASE_URL)
    lines.push('DATABASE_DIRECT_URL: goes with a DATABASE_URL that is the address of a pooler')
  if (defined.DATABASE_READ_URL && !defined.DATABASE_URL)
    lines.push('DATABASE_READ_URL: goes with the DATABASE_URL of its primary')
  if (defined.SMTP_URL && !defined.MAIL_FROM)
    lines.push('MAIL_FROM: required with SMTP_URL, as Quizaine <bonjour@quiz.example>')
  if (defined.SUPABASE_URL && !defined.SUPABASE_ANON_KEY)
    lines.push('SUPABASE_ANON_KEY: required with SUPABASE_URL')
  const { AUTH_JWT_SECRET = '', PUBLIC_URL = '' } = defined
  // A malformed PUBLIC_URL has a line of its own.
  const isPublic = URL.canParse(PUBLIC_URL) && !isOwnMachine(PUBLIC_URL)
  if (SAMPLE_SECRETS.includes(AUTH_JWT_SECRET) && isPublic)
    lines.push('AUTH_JWT_SECRET: is the sample of the documentation, which everybody knows')
  if (Boolean(defined.KIT_CLIENT_ID) !== Boolean(defined.KIT_CLIENT_SECRET))
    lines.push('KIT_CLIENT_ID: goes with KIT_CLIENT_SECRET, neither without the other')
  if (defined.AUTH_PASSWORDS === 'off' && providers.length === 0)
    lines.push(
      'AUTH_PASSWORDS: off needs a provider to sign in with (AUTH_EXTERNAL_<NAME>_CLIENT_ID)',
    )
  return lines
}
