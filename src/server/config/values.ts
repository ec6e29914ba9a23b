import { isIPv4, isIPv6 } from 'node:net'
import { z } from 'zod'
import { parseAccountEmail } from '#domain/accounts/account-email.ts'

/** Creates a schema of fixed words. Its errors are English, because operators read them. */
export const word = <const W extends string>(words: readonly W[]) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` })
/** Text of at least `length` characters. */
export const longText = (length: number) =>
  z.string().min(length, { error: `must have ${length} characters or more` })
/** TCP port; 0 lets the system choose a free one. */
export const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, {
    error: 'must be a whole number from 0 to 65535',
  })
  .transform(Number)
/** Number of calls per minute, from 1 to 9,999,999. */
export const perMinute = z
  .string()
  .refine((text) => /^[1-9]\d{0,6}$/.test(text), {
    error: 'must be a whole number from 1 to 9999999',
  })
  .transform(Number)
/** HTTP address, reduced to its origin. */
export const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address, as https://quiz.example' })
  .transform((url) => new URL(url).origin)
/** Address of a PostgreSQL database. */
export const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be an address as postgres://user:password@host/database',
})

/** SMTP address: smtp://user:password@host:587, or smtps:// with TLS from the start. */
export const smtpUrl = z.url({
  protocol: /^smtps?$/,
  error: 'must be an address as smtp://user:password@host:587',
})
/** Sender of mails: an address, with or without a name. */
export const mailbox = z
  .string()
  .regex(/^(?:[^<>"\r\n]{1,100} <[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/, {
    error: 'must be an address as Quizaine <bonjour@quiz.example>',
  })
/** Line of text that a page prints unchanged. */
export const printed = z
  .string()
  .trim()
  .max(300, { error: 'must have 300 characters or less' })
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must be one line' })
/** Whole number from 1 to `largest`. */
export const wholeNumber = (largest: number) =>
  z
    .string()
    .refine((text) => /^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= largest, {
      error: `must be a whole number from 1 to ${largest}`,
    })
    .transform(Number)
/** Number of seconds from 0 to `largest`. */
export const seconds = (largest: number) =>
  z
    .string()
    .refine((text) => /^\d{1,4}$/.test(text) && Number(text) <= largest, {
      error: `must be a whole number from 0 to ${largest}`,
    })
    .transform(Number)
/** Number from 0 to 1. */
export const ratio = z
  .string()
  .refine((text) => /^(?:0(?:\.\d{1,6})?|1(?:\.0)?)$/.test(text), {
    error: 'must be a number from 0 to 1',
  })
  .transform(Number)

/** Headers as comma-separated `name=value` pairs. */
export const headerList = z
  .string()
  .refine((text) => text.split(',').every((entry) => /^\s*[\w-]+=[^\s,]+\s*$/.test(entry)), {
    error: 'must be headers separated by commas, as name=value',
  })
  .transform((text) =>
    Object.fromEntries(text.split(',').map((entry) => entry.trim().split(/=(.*)/, 2))),
  )
/** Complete addresses, separated by commas. */
export const addresses = z
  .string()
  .transform((text) => text.split(',').map((address) => address.trim()))
  .refine((list) => list.every((address) => URL.canParse(address)), {
    error: 'must be whole addresses separated by commas, as https://app.example/retour',
  })

/** Maximum number of administrators of an installation. */
const MAX_ADMINISTRATORS = 20

/** Addresses of accounts in their stored form, separated by commas. */
export const accountEmails = z
  .string()
  .transform((text) => text.split(',').map((typed) => parseAccountEmail(typed.trim())))
  .refine((list) => list.length <= MAX_ADMINISTRATORS && !list.includes(undefined), {
    error: `must be at most ${MAX_ADMINISTRATORS} email addresses separated by commas, as camille@exemple.fr`,
  })
  .transform((list) => [...new Set(list.flatMap((email) => email ?? []))])

/** Returns true for an address or a network such as 10.0.0.0/8. */
export const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const max = isIPv4(address) ? 32 : 128
  const isWhole = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= max)
  return (isIPv4(address) || isIPv6(address)) && isWhole && more.length === 0
}

/** Addresses and networks: 10.0.0.1, 10.0.0.0/8, fd00::/8. */
export const networks = z
  .string()
  .transform((text) => text.split(',').map((network) => network.trim()))
  .refine((list) => list.every(isNetwork), {
    error: 'must be addresses or networks separated by commas, as 10.0.0.1, 10.0.0.0/8',
  })

/** Returns true for an address of this machine. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.[\d.]+$/.test(hostname)
/** Origin of an auth service: https, or this machine. */
export const hostedUrl = origin.refine(
  (url) => url.startsWith('https:') || isLoopback(new URL(url)),
  {
    error: 'must be an https address (plain http is for this machine alone)',
  },
)

/** DSN of a project that receives reports of errors: https://KEY@host/PROJECT. Returns the address of its calls and the key. */
export const reportAddress = z
  .string()
  .refine(
    (text) =>
      /^https?:\/\/\w{1,100}@[\w.:[\]-]{1,253}(?:\/[\w-]{1,100}){0,4}\/\d{1,20}$/.test(text),
    {
      error: 'must be an address as https://KEY@errors.example/12',
    },
  )
  .refine((text) => text.startsWith('https:') || isLoopback(new URL(text)), {
    error: 'must be an https address (plain http is for this machine alone)',
  })
  .transform((text) => {
    const { origin, pathname, username } = new URL(text)
    const end = pathname.lastIndexOf('/')
    const url = `${origin}${pathname.slice(0, end)}/api${pathname.slice(end)}/envelope/`
    return { url, key: username }
  })
/** Address of a service, without a trailing slash. */
export const serviceUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .refine((url) => url.startsWith('https:') || isLoopback(new URL(url)), {
    error: 'must be an https address (plain http is for this machine alone)',
  })
  .refine((url) => !/[?#@]/.test(url), { error: 'must be an address without ?, # and @' })
  .transform((url) => {
    let base = url
    while (base.endsWith('/')) base = base.slice(0, -1)
    return base
  })

/** Returns true if an address of PUBLIC_URL is reachable from this machine only; also if there is none. */
export const isOwnMachine = (public_url: string | undefined): boolean =>
  public_url === undefined ||
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(public_url).hostname)
