import { isIPv4, isIPv6 } from 'node:net'
import { z } from 'zod'

/** One of a few words; what is wrong is said in English whatever language the product's refusals have. */
export const word = <const W extends string>(words: readonly W[]) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` })
export const longText = (length: number) =>
  z.string().min(length, { error: `must have ${length} characters or more` })
export const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, {
    error: 'must be a whole number from 0 to 65535',
  })
  .transform(Number)
export const perMinute = z
  .string()
  .refine((text) => /^[1-9]\d{0,6}$/.test(text), {
    error: 'must be a whole number from 1 to 9999999',
  })
  .transform(Number)
export const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address, as https://quiz.example' })
  .transform((url) => new URL(url).origin)
export const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be an address as postgres://user:password@host/database',
})

/** Only where mail may be handed over: smtp://user:password@host:587, or smtps:// with TLS from the start. */
export const smtpUrl = z.url({
  protocol: /^smtps?$/,
  error: 'must be an address as smtp://user:password@host:587',
})
export const mailbox = z
  .string()
  .regex(/^(?:[^<>"\r\n]{1,100} <[^<>\s]+@[^<>\s]+>|[^<>\s]+@[^<>\s]+)$/, {
    error: 'must be an address as Quizaine <bonjour@quiz.example>',
  })
/** A line that a page prints as it is. */
export const printed = z
  .string()
  .trim()
  .max(300, { error: 'must have 300 characters or less' })
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must be one line' })
export const wholeNumber = (largest: number) =>
  z
    .string()
    .refine((text) => /^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= largest, {
      error: `must be a whole number from 1 to ${largest}`,
    })
    .transform(Number)
export const seconds = (largest: number) =>
  z
    .string()
    .refine((text) => /^\d{1,4}$/.test(text) && Number(text) <= largest, {
      error: `must be a whole number from 0 to ${largest}`,
    })
    .transform(Number)
export const ratio = z
  .string()
  .refine((text) => /^(?:0(?:\.\d{1,6})?|1(?:\.0)?)$/.test(text), {
    error: 'must be a number from 0 to 1',
  })
  .transform(Number)

/** Headers as `name=value`, separated by commas. */
export const headerList = z
  .string()
  .refine((text) => text.split(',').every((entry) => /^\s*[\w-]+=[^\s,]+\s*$/.test(entry)), {
    error: 'must be headers separated by commas, as name=value',
  })
  .transform((text) =>
    Object.fromEntries(text.split(',').map((entry) => entry.trim().split(/=(.*)/, 2))),
  )
export const addresses = z
  .string()
  .transform((text) => text.split(',').map((address) => address.trim()))
  .refine((list) => list.every((address) => URL.canParse(address)), {
    error: 'must be whole addresses separated by commas, as https://app.example/retour',
  })

/** Whether text is an address or a network such as 10.0.0.0/8. */
export const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const most = isIPv4(address) ? 32 : 128
  const isWhole = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
  return (isIPv4(address) || isIPv6(address)) && isWhole && more.length === 0
}

/** Addresses and networks, as 10.0.0.1, 10.0.0.0/8, fd00::/8. */
export const networks = z
  .string()
  .transform((text) => text.split(',').map((network) => network.trim()))
  .refine((list) => list.every(isNetwork), {
    error: 'must be addresses or networks separated by commas, as 10.0.0.1, 10.0.0.0/8',
  })

export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.[\d.]+$/.test(hostname)
export const hostedUrl = origin.refine(
  (url) => url.startsWith('https:') || isLoopback(new URL(url)),
  {
    error: 'must be an https address (plain http is for this machine alone)',
  },
)

/** Where a service is called, without a slash at the end. */
export const serviceUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .refine((url) => url.startsWith('https:') || isLoopback(new URL(url)), {
    error: 'must be an https address (plain http is for this machine alone)',
  })
  .refine((url) => !/[?#@]/.test(url), { error: 'must be an address without ?, # and @' })
  .transform((url) => url.replace(/\/+$/, ''))
