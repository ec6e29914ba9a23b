import { resolve } from 'node:path'
import { z } from 'zod'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const origin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin)
const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ })

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  SECRET_KEY: z.string().min(32).optional(),
  TRUST_PROXY: flag.default(false),
  RATE_LIMITS: z
    .enum(['on', 'off'])
    .default('on')
    .transform((value) => value === 'on'),
  METRICS_TOKEN: z.string().min(16).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
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
  if (error) {
    const lines = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new ConfigError(lines.join('\n'))
  }
  if (data.DATABASE_URL && !data.SECRET_KEY)
    throw new ConfigError('SECRET_KEY: required with DATABASE_URL (32 characters or more)')
  return {
    port: data.PORT,
    host: data.HOST,
    public_url: data.PUBLIC_URL ?? `http://localhost:${data.PORT}`,
    data_dir: resolve(data.DATA_DIR),
    database_url: data.DATABASE_URL,
    secret_key: data.SECRET_KEY,
    trust_proxy: data.TRUST_PROXY,
    rate_limits: data.RATE_LIMITS,
    metrics_token: data.METRICS_TOKEN,
    log_level: data.LOG_LEVEL,
  }
}
