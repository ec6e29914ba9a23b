import { z } from 'zod'
import {
  accountEmails,
  addresses,
  databaseUrl,
  headerList,
  hostedUrl,
  isLoopback,
  longText,
  mailbox,
  networks,
  origin,
  perMinute,
  port,
  printed,
  ratio,
  reportAddress,
  seconds,
  serviceUrl,
  smtpUrl,
  wholeNumber,
  word,
} from './values.ts'

/** An OpenID Connect provider. */
export type ExternalConfig = { issuer: string; client_id: string; secret: string; scopes: string }

const GOOGLE_ISSUER = 'https://accounts.google.com'

const isIssuer = (text: string): boolean =>
  URL.canParse(text) && (text.startsWith('https:') || isLoopback(new URL(text)))

/**
 * Returns the providers of AUTH_EXTERNAL_<NAME>_CLIENT_ID, _SECRET, _ISSUER and _SCOPES. Adds a line to `lines` for
 * each mistake.
 */
export const readExternal = (
  values: Record<string, string | undefined>,
  lines: string[],
): Record<string, ExternalConfig> => {
  const names = Object.keys(values).flatMap(
    (key) => /^AUTH_EXTERNAL_([A-Z0-9]{2,30})_CLIENT_ID$/.exec(key)?.[1] ?? [],
  )
  return Object.fromEntries(
    names.map((name) => {
      const value = (part: string): string => values[`AUTH_EXTERNAL_${name}_${part}`] ?? ''
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

/** Levels of the log, from the rarest to the most detailed. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Schema of all environment variables that the server reads, with their defaults. */
export const environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: origin.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  SECRET_KEY: longText(32).optional(),
  TRUST_PROXY: word(['false', 'true', '2', '3']).default('false'),
  TRUSTED_PROXIES: networks.default([]),
  HTTP_HEADERS_SECONDS: wholeNumber(600).default(10),
  HTTP_REQUEST_SECONDS: wholeNumber(3_600).default(30),
  HTTP_REQUESTS_PER_CONNECTION: wholeNumber(9_999_999).default(1_000),
  HTTP_CONNECTIONS: wholeNumber(1_000_000).default(2_000),
  HTTP_CONNECTIONS_PER_ADDRESS: wholeNumber(1_000_000).default(1_000),
  HTTP_CALLS: wholeNumber(1_000_000).default(200),
  HTTP_LOOP_DELAY_MS: wholeNumber(600_000).default(1_000),
  RATE_LIMITS: word(['on', 'off']).default('on'),
  SUBMIT_PER_ADDRESS: perMinute.default(120),
  SUBMIT_PER_QUIZ: perMinute.default(3_000),
  IMAGE_QUOTA_MB: wholeNumber(1_000_000).default(500),
  VERSION_QUOTA_MB: wholeNumber(1_000_000).default(500),
  METRICS_TOKEN: longText(16).optional(),
  ERROR_REPORTS_DSN: reportAddress.optional(),
  LOG_LEVEL: word(LOG_LEVELS).default('info'),
  LOG_REQUESTS: word(['off', 'on']).default('off'),
  DRAIN_SECONDS: seconds(15).default(0),
  OTEL_EXPORTER_OTLP_ENDPOINT: serviceUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headerList.default({}),
  OTEL_SERVICE_NAME: z.string().default('quizaine'),
  OTEL_TRACES_SAMPLER_ARG: ratio.default(1),
  WORKER: word(['inline', 'off']).default('inline'),
  SMTP_URL: smtpUrl.optional(),
  SMTP_TLS: word(['required', 'optional']).default('required'),
  MAIL_FROM: mailbox.optional(),
  RESULT_MAILS_PER_DAY: wholeNumber(1_000_000).default(1_000),
  RESULT_MAILS_PER_NETWORK: wholeNumber(1_000_000).default(500),
  SUPABASE_URL: hostedUrl.optional(),
  SUPABASE_ANON_KEY: z
    .string()
    .regex(/^[\w.-]+$/, { error: 'must be the public key of that service' })
    .optional(),
  KIT_CLIENT_ID: z.string().optional(),
  KIT_CLIENT_SECRET: z.string().optional(),
  KIT_API_URL: serviceUrl.default('https://api.kit.com/v4'),
  KIT_AUTHORIZE_URL: serviceUrl.default('https://api.kit.com/v4/oauth/authorize'),
  KIT_TOKEN_URL: serviceUrl.default('https://api.kit.com/v4/oauth/token'),
  KIT_REVOKE_URL: serviceUrl.default('https://api.kit.com/v4/oauth/revoke'),
  SYSTEMEIO_API_URL: serviceUrl.default('https://api.systeme.io'),
  BREVO_API_URL: serviceUrl.default('https://api.brevo.com/v3'),
  WEBHOOKS_TO_LOOPBACK: word(['off', 'on']).default('off'),
  ADMIN_EMAILS: accountEmails.default([]),
  AUTH_SIGNUP: word(['on', 'off']).default('on'),
  AUTH_PASSWORDS: word(['on', 'off']).default('on'),
  AUTH_AUTOCONFIRM: word(['true', 'false']).optional(),
  AUTH_PHONE: word(['on', 'off']).default('off'),
  AUTH_SMS_AUTOCONFIRM: word(['on', 'off']).default('off'),
  AUTH_MFA_TOTP: word(['on', 'off']).default('on'),
  AUTH_MFA_PHONE: word(['on', 'off']).default('off'),
  AUTH_MFA_WEBAUTHN: word(['on', 'off']).default('on'),
  AUTH_ANONYMOUS: word(['on', 'off']).default('off'),
  AUTH_WEB3: word(['off', 'on', 'ethereum', 'solana']).default('off'),
  AUTH_REDIRECT_URLS: addresses.default([]),
  AUTH_CORS_ORIGINS: addresses
    .refine((list) => list.every((address) => new URL(address).origin === address), {
      error: 'must be origins separated by commas, as https://app.example',
    })
    .default([]),
  AUTH_MANUAL_LINKING: word(['on', 'off']).default('off'),
  AUTH_PASSWORD_POLICY: word(['spec', 'cnil']).default('spec'),
  AUTH_PASSWORD_CHANGE: word(['session', 'recent', 'current']).default('recent'),
  AUTH_MAILS_PER_HOUR: wholeNumber(1_000_000).default(300),
  AUTH_JWT_KEYS: z.string().optional(),
  AUTH_JWT_SECRET: longText(32).optional(),
  LEGAL_OPERATOR: printed.optional(),
  LEGAL_ADDRESS: printed.optional(),
  LEGAL_REGISTRATION: printed.optional(),
  LEGAL_CONTACT: printed.optional(),
  LEGAL_PUBLISHER: printed.optional(),
  LEGAL_HOST: printed.optional(),
  LEGAL_DPO: printed.optional(),
})
