import { resolve } from 'node:path'
import { z } from 'zod'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** One of a few words; what is wrong is said in English whatever language the product's refusals have. */
const word = <const W extends string>(words: readonly W[]) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` })
const longText = (length: number) =>
  z.string().min(length, { error: `must have ${length} characters or more` })
const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, {
    error: 'must be a whole number from 0 to 65535',
  })
  .transform(Number)
const perMinute = z
  .string()
  .refine((text) => /^[1-9]\d{0,6}$/.test(text), {
    error: 'must be a whole number from 1 to 9999999',
  })
  .transform(Number)
const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address, as https://quiz.example' })
  .transform((url) => new URL(url).origin)
const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be an address as postgres://user:password@host/database',
})

const environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  SECRET_KEY: longText(32).optional(),
  TRUST_PROXY: word(['false', 'true']).default('false'),
  RATE_LIMITS: word(['on', 'off']).default('on'),
  SUBMIT_PER_ADDRESS: perMinute.default(120),
  SUBMIT_PER_QUIZ: perMinute.default(3_000),
  METRICS_TOKEN: longText(16).optional(),
  LOG_LEVEL: word(LOG_LEVELS).default('info'),
})

/** How this process runs; `.env.example` says what each variable means. */
export type Config = {
  port: number
  host: string
  /** Origin used in links, without a slash at the end. */
  public_url: string
  data_dir: string
  /** A PostgreSQL server to use instead of the embedded one. */
  database_url: string | undefined
  secret_key: string | undefined
  trust_proxy: boolean
  rate_limits: boolean
  /** Submissions a minute. */
  submit_limits: { per_address: number; per_quiz: number }
  metrics_token: string | undefined
  log_level: (typeof LOG_LEVELS)[number]
}

/** The configuration has mistakes; one line for each. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The environment as a typed configuration; a ConfigError names every variable that is wrong. An empty variable is an unset one. */
export const readConfig = (env: Record<string, string | undefined>): Config => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const { data, error } = environment.safeParse(given)
  const lines = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  if (given.DATABASE_URL && !given.SECRET_KEY)
    lines.push('SECRET_KEY: required with DATABASE_URL, 32 characters or more')
  if (!data || lines.length > 0) throw new ConfigError(lines.join('\n'))
  return {
    port: data.PORT,
    host: data.HOST,
    public_url: data.PUBLIC_URL ?? `http://localhost:${data.PORT}`,
    data_dir: resolve(data.DATA_DIR),
    database_url: data.DATABASE_URL,
    secret_key: data.SECRET_KEY,
    trust_proxy: data.TRUST_PROXY === 'true',
    rate_limits: data.RATE_LIMITS === 'on',
    submit_limits: { per_address: data.SUBMIT_PER_ADDRESS, per_quiz: data.SUBMIT_PER_QUIZ },
    metrics_token: data.METRICS_TOKEN,
    log_level: data.LOG_LEVEL,
  }
}
