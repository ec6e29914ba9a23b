import { resolve } from 'node:path'
import type { SignUpMode } from '#domain/accounts/sign-up-mode.ts'
import { findContradictions } from './contradictions.ts'
import { type ExternalConfig, environment, type LOG_LEVELS, readExternal } from './environment.ts'
import { OperatorError } from './operator-error.ts'

/** Configuration of this process; `.env.example` explains each variable. */
export type Config = {
  port: number
  host: string
  /** Origin used in links, without a trailing slash. */
  public_url: string
  data_dir: string
  /** Address of a PostgreSQL server, without a pooler in between; undefined for the embedded one. */
  database_url: string | undefined
  /** Address of a pooler in transaction mode in front of the server. */
  pooler_url: string | undefined
  /** Address of a replica for heavy reads. */
  read_url: string | undefined
  secret_key: string | undefined
  /** Number of our own proxies that a call passes. */
  trust_proxy: number
  /** Addresses or networks of trusted proxies; if empty, `trust_proxy` decides. */
  trusted_proxies: string[]
  http: HttpLimits
  rate_limits: boolean
  /** Maximum submissions per minute. */
  submit_limits: { per_address: number; per_quiz: number }
  /** Maximum bytes of the images of one creator. */
  image_quota: number
  /** Maximum bytes of the published versions of one creator. */
  version_quota: number
  metrics_token: string | undefined
  /** Project of a service that receives reports of errors; undefined to send none. */
  error_reports: ReportAddress | undefined
  log_level: (typeof LOG_LEVELS)[number]
  /** True to log one line for each call. */
  logs_requests: boolean
  /** Seconds in which calls are still accepted after the signal to stop, while /readyz fails. */
  drain_seconds: number
  /** OpenTelemetry collector that receives traces; undefined to send none. */
  tracing:
    | { url: string; headers: Record<string, string>; service_name: string; sample_ratio: number }
    | undefined
  /** True if this process also delivers the outbox. */
  is_worker: boolean
  /** Address of the mail server; undefined to write mails into `data_dir` instead. */
  smtp_url: string | undefined
  smtp_tls: 'required' | 'optional'
  mail_from: string | undefined
  /** Maximum number of mails to participants per day, of all quizzes of one creator. */
  result_mails_per_day: number
  /** Maximum number of result mails per day that visitors of one network can cause. */
  result_mails_per_network: number
  /** Addresses of the accounts that administer this installation. */
  admin_emails: string[]
  /** External auth service that replaces the embedded one. */
  hosted: HostedConfig | undefined
  auth: AuthConfig
  integrations: IntegrationsConfig
  /** `allows_loopback` lets webhooks reach this machine, over plain http too; for tests only. */
  webhooks: { allows_loopback: boolean }
  legal: LegalConfig
}

/** Address of a project at a service that speaks the protocol of Sentry. */
export type ReportAddress = {
  /** Address of the calls that take reports. */
  url: string
  /** Public key of the project; it allows sending only. */
  key: string
}

/** Limits of time and number for requests and connections. */
type HttpLimits = {
  headers_ms: number
  request_ms: number
  requests_per_connection: number
  connections: number
  connections_per_address: number
  /** Maximum number of calls under way, submissions not counted. */
  calls: number
  /** Mean delay of the event loop above which calls are refused. */
  loop_delay_ms: number
}

/** Operator of this site, as the legal pages name it; undefined values are shown as missing. */
export type LegalConfig = Record<
  'operator' | 'address' | 'registration' | 'contact' | 'publisher' | 'host' | 'dpo',
  string | undefined
>

/** Addresses of the email tools, and our client at Kit. */
export type IntegrationsConfig = {
  kit: {
    /** Client of Kit's OAuth; undefined if Kit cannot be connected. */
    client: { id: string; secret: string } | undefined
    api_url: string
    authorize_url: string
    token_url: string
    revoke_url: string
  }
  systemio: { api_url: string }
  brevo: { api_url: string }
}

/** An external auth service (SUPABASE_URL). */
export type HostedConfig = {
  /** Origin of the auth service. */
  url: string
  /** Public key that browsers send to the auth service; not a secret. */
  anon_key: string
}

/** Settings of the embedded auth service. */
export type AuthConfig = {
  /** Rule for new accounts until an administrator chooses another one. */
  sign_up_mode: SignUpMode
  /** False if people sign in without passwords and mailed links: by a provider, a wallet or a code of their phone. */
  has_passwords: boolean
  /** True if an account is usable without confirming its email address. */
  is_autoconfirmed: boolean
  can_be_anonymous: boolean
  /** True if telephone numbers can sign up and in. */
  has_phones: boolean
  /** True if a telephone number counts as confirmed without a code. */
  is_phone_autoconfirmed: boolean
  /** Second factors that can be set up. */
  factors: Record<'totp' | 'phone' | 'webauthn', boolean>
  /** Blockchains whose wallets can sign in. */
  web3_chains: ('ethereum' | 'solana')[]
  /** Addresses that links of mails may lead to besides our own origin. */
  redirect_urls: string[]
  /** Sign-in providers, by the name that clients use. */
  external: Record<string, ExternalConfig>
  /** True if signed-in users can add and remove sign-in providers. */
  can_link: boolean
  /** Origins whose pages may call the auth service from a browser. */
  cors_origins: string[]
  password_policy: 'spec' | 'cnil'
  /** Proof that is required to change a password. */
  password_change: 'session' | 'recent' | 'current'
  mails_per_hour: number
  /** JWKs as JSON, or the path of a file that contains them. */
  jwt_keys: string | undefined
  /** Secret that other services share to sign and verify tokens (HS256). */
  jwt_secret: string | undefined
}

/**
 * Default of HOST where PORT is set, because hosts that choose the port reach the server from another machine. `::` would
 * fail where IPv6 is switched off.
 */
const ALL_ADDRESSES = '0.0.0.0'

const PROXIES = { false: 0, true: 1, 2: 2, 3: 3 }

const WEB3_CHAINS = {
  off: [],
  on: ['ethereum', 'solana'],
  ethereum: ['ethereum'],
  solana: ['solana'],
} satisfies Record<string, AuthConfig['web3_chains']>

/** Configuration error with one line for each mistake. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError'
}

/**
 * Parses the environment; an empty variable counts as unset. Throws a ConfigError that names every invalid variable.
 */
export const readConfig = (env: Record<string, string | undefined>): Config => {
  const defined = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const { data, error } = environment.safeParse(defined)
  const lines = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  const external = readExternal(defined, lines)
  lines.push(...findContradictions(defined, Object.keys(external)))
  if (!data || lines.length > 0) throw new ConfigError(lines.join('\n'))
  return {
    port: data.PORT,
    host: data.HOST ?? (defined.PORT ? ALL_ADDRESSES : '127.0.0.1'),
    public_url: data.PUBLIC_URL ?? `http://localhost:${data.PORT}`,
    data_dir: resolve(data.DATA_DIR),
    database_url: data.DATABASE_DIRECT_URL ?? data.DATABASE_URL,
    pooler_url: data.DATABASE_DIRECT_URL && data.DATABASE_URL,
    read_url: data.DATABASE_READ_URL,
    secret_key: data.SECRET_KEY,
    trust_proxy: PROXIES[data.TRUST_PROXY],
    trusted_proxies: data.TRUSTED_PROXIES,
    http: {
      headers_ms: data.HTTP_HEADERS_SECONDS * 1_000,
      request_ms: data.HTTP_REQUEST_SECONDS * 1_000,
      requests_per_connection: data.HTTP_REQUESTS_PER_CONNECTION,
      connections: data.HTTP_CONNECTIONS,
      connections_per_address: data.HTTP_CONNECTIONS_PER_ADDRESS,
      calls: data.HTTP_CALLS,
      loop_delay_ms: data.HTTP_LOOP_DELAY_MS,
    },
    rate_limits: data.RATE_LIMITS === 'on',
    submit_limits: { per_address: data.SUBMIT_PER_ADDRESS, per_quiz: data.SUBMIT_PER_QUIZ },
    image_quota: data.IMAGE_QUOTA_MB * 1_048_576,
    version_quota: data.VERSION_QUOTA_MB * 1_048_576,
    metrics_token: data.METRICS_TOKEN,
    error_reports: data.ERROR_REPORTS_DSN,
    log_level: data.LOG_LEVEL,
    logs_requests: data.LOG_REQUESTS === 'on',
    drain_seconds: data.DRAIN_SECONDS,
    tracing: data.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          url: data.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: data.OTEL_EXPORTER_OTLP_HEADERS,
          service_name: data.OTEL_SERVICE_NAME,
          sample_ratio: data.OTEL_TRACES_SAMPLER_ARG,
        }
      : undefined,
    is_worker: data.WORKER === 'inline',
    smtp_url: data.SMTP_URL,
    smtp_tls: data.SMTP_TLS,
    mail_from: data.MAIL_FROM,
    result_mails_per_day: data.RESULT_MAILS_PER_DAY,
    result_mails_per_network: data.RESULT_MAILS_PER_NETWORK,
    admin_emails: data.ADMIN_EMAILS,
    hosted: data.SUPABASE_URL
      ? { url: data.SUPABASE_URL, anon_key: data.SUPABASE_ANON_KEY ?? '' }
      : undefined,
    auth: {
      sign_up_mode: data.AUTH_SIGNUP === 'on' ? 'open' : 'invitation',
      has_passwords: data.AUTH_PASSWORDS === 'on',
      is_autoconfirmed: data.AUTH_AUTOCONFIRM ? data.AUTH_AUTOCONFIRM === 'true' : !data.SMTP_URL,
      has_phones: data.AUTH_PHONE === 'on',
      is_phone_autoconfirmed: data.AUTH_SMS_AUTOCONFIRM === 'on',
      factors: {
        totp: data.AUTH_MFA_TOTP === 'on',
        phone: data.AUTH_MFA_PHONE === 'on',
        webauthn: data.AUTH_MFA_WEBAUTHN === 'on',
      },
      can_be_anonymous: data.AUTH_ANONYMOUS === 'on',
      web3_chains: WEB3_CHAINS[data.AUTH_WEB3],
      redirect_urls: data.AUTH_REDIRECT_URLS,
      external,
      can_link: data.AUTH_MANUAL_LINKING === 'on',
      cors_origins: data.AUTH_CORS_ORIGINS,
      password_policy: data.AUTH_PASSWORD_POLICY,
      password_change: data.AUTH_PASSWORD_CHANGE,
      mails_per_hour: data.AUTH_MAILS_PER_HOUR,
      jwt_keys: data.AUTH_JWT_KEYS,
      jwt_secret: data.AUTH_JWT_SECRET,
    },
    integrations: {
      kit: {
        client:
          data.KIT_CLIENT_ID && data.KIT_CLIENT_SECRET
            ? { id: data.KIT_CLIENT_ID, secret: data.KIT_CLIENT_SECRET }
            : undefined,
        api_url: data.KIT_API_URL,
        authorize_url: data.KIT_AUTHORIZE_URL,
        token_url: data.KIT_TOKEN_URL,
        revoke_url: data.KIT_REVOKE_URL,
      },
      systemio: { api_url: data.SYSTEMEIO_API_URL },
      brevo: { api_url: data.BREVO_API_URL },
    },
    webhooks: { allows_loopback: data.WEBHOOKS_TO_LOOPBACK === 'on' },
    legal: {
      operator: data.LEGAL_OPERATOR,
      address: data.LEGAL_ADDRESS,
      registration: data.LEGAL_REGISTRATION,
      contact: data.LEGAL_CONTACT,
      publisher: data.LEGAL_PUBLISHER,
      host: data.LEGAL_HOST,
      dpo: data.LEGAL_DPO,
    },
  }
}
