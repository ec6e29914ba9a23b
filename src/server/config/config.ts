import { resolve } from 'node:path'
import { type ExternalConfig, environment, type LOG_LEVELS, readExternal } from './environment.ts'

/** How this process runs; `.env.example` says what each variable means. */
export type Config = {
  port: number
  host: string
  /** Origin used in links, without a slash at the end. */
  public_url: string
  data_dir: string
  /** A PostgreSQL server to use instead of the embedded one, without a pooler in between. */
  database_url: string | undefined
  /** A pooler in transaction mode in front of it. */
  pooler_url: string | undefined
  secret_key: string | undefined
  /** How many proxies of ours a call comes through. */
  trust_proxy: number
  /** Proxies that are believed, by address or network; none: `trust_proxy` decides. */
  trusted_proxies: string[]
  http: HttpLimits
  rate_limits: boolean
  /** Submissions a minute. */
  submit_limits: { per_address: number; per_quiz: number }
  /** Bytes that the pictures of one creator may take. */
  image_quota: number
  /** Bytes that the published versions of one creator may take. */
  version_quota: number
  metrics_token: string | undefined
  log_level: (typeof LOG_LEVELS)[number]
  /** Whether each call has a line in the log. */
  logs_requests: boolean
  /** How long calls are still taken after the signal to stop, while /readyz says no. */
  drain_seconds: number
  /** The OpenTelemetry collector that receives traces; undefined: none are sent. */
  tracing:
    | { url: string; headers: Record<string, string>; service_name: string; sample_ratio: number }
    | undefined
  /** Whether this process also delivers the outbox. */
  is_worker: boolean
  /** Undefined: mails are written into `data_dir` instead of being sent. */
  smtp_url: string | undefined
  smtp_tls: 'required' | 'optional'
  mail_from: string | undefined
  /** Mails to participants in a day, of all quizzes of one creator. */
  result_mails_per_day: number
  /** Result mails in a day that visitors of one network may cause. */
  result_mails_per_network: number
  /** The auth service whose accounts are used instead of our own. */
  hosted: HostedConfig | undefined
  auth: AuthConfig
  integrations: IntegrationsConfig
  /** allows_loopback: webhooks may lead to this machine, over plain http too; for tests alone. */
  webhooks: { allows_loopback: boolean }
  legal: LegalConfig
}

/** How long a request may take to come, and how many there may be. */
type HttpLimits = {
  headers_ms: number
  request_ms: number
  requests_per_connection: number
  connections: number
  connections_per_address: number
  /** Under way, submissions apart. */
  calls: number
}

/** Who runs this site, as its legal pages say; what is undefined they say is not given. */
export type LegalConfig = Record<
  'operator' | 'address' | 'registration' | 'contact' | 'publisher' | 'host' | 'dpo',
  string | undefined
>

/** Where the email tools are, and who we are at Kit. */
export type IntegrationsConfig = {
  kit: {
    /** Undefined: Kit cannot be connected. */
    client: { id: string; secret: string } | undefined
    api_url: string
    authorize_url: string
    token_url: string
    revoke_url: string
  }
  systemio: { api_url: string }
  brevo: { api_url: string }
}

export type HostedConfig = {
  /** Its origin. */
  url: string
  /** What the browser shows it; no secret. */
  anon_key: string
}

/** What the embedded auth service allows. */
export type AuthConfig = {
  can_sign_up: boolean
  /** True when an account is usable without following the link of a mail. */
  is_autoconfirmed: boolean
  can_be_anonymous: boolean
  /** Whether numbers sign up and in. */
  has_phones: boolean
  /** Whether a number is believed without the code of a message. */
  is_phone_autoconfirmed: boolean
  /** Which second factors may be set up. */
  factors: Record<'totp' | 'phone' | 'webauthn', boolean>
  /** Whose wallets sign in. */
  web3_chains: ('ethereum' | 'solana')[]
  /** Where links of mails may lead besides our own origin. */
  redirect_urls: string[]
  /** Providers that people may sign in with, by the name that clients use. */
  external: Record<string, ExternalConfig>
  /** Whether a signed-in person adds and removes such ways in. */
  can_link: boolean
  /** Whose pages may call the service from a browser besides our own. */
  cors_origins: string[]
  password_policy: 'spec' | 'cnil'
  /** What a signed-in person must show to change the password. */
  password_change: 'session' | 'recent' | 'current'
  mails_per_hour: number
  /** JWKs as JSON, or the path of a file that holds them. */
  jwt_keys: string | undefined
  /** A secret that other services sign and verify tokens with too (HS256). */
  jwt_secret: string | undefined
}

const PROXIES = { false: 0, true: 1, 2: 2, 3: 3 }

const WEB3_CHAINS = {
  off: [],
  on: ['ethereum', 'solana'],
  ethereum: ['ethereum'],
  solana: ['solana'],
} satisfies Record<string, AuthConfig['web3_chains']>

/** Secrets that the compose file and the tools of Supabase come with. */
const SAMPLE_SECRETS = [
  'your-super-secret-jwt-token-with-at-least-32-characters-long',
  'super-secret-jwt-token-with-at-least-32-characters-long',
]

const isOwnMachine = (public_url: string | undefined): boolean =>
  public_url === undefined ||
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(public_url).hostname)

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
  if (given.DATABASE_DIRECT_URL && !given.DATABASE_URL)
    lines.push('DATABASE_DIRECT_URL: goes with a DATABASE_URL that is the address of a pooler')
  if (given.SMTP_URL && !given.MAIL_FROM)
    lines.push('MAIL_FROM: required with SMTP_URL, as Quizaine <bonjour@quiz.example>')
  if (given.SUPABASE_URL && !given.SUPABASE_ANON_KEY)
    lines.push('SUPABASE_ANON_KEY: required with SUPABASE_URL')
  if (
    SAMPLE_SECRETS.includes(given.AUTH_JWT_SECRET ?? '') &&
    data &&
    !isOwnMachine(data.PUBLIC_URL)
  )
    lines.push('AUTH_JWT_SECRET: is the sample of the documentation, which everybody knows')
  if (Boolean(given.KIT_CLIENT_ID) !== Boolean(given.KIT_CLIENT_SECRET))
    lines.push('KIT_CLIENT_ID: goes with KIT_CLIENT_SECRET, neither without the other')
  const external = readExternal(given, lines)
  if (!data || lines.length > 0) throw new ConfigError(lines.join('\n'))
  return {
    port: data.PORT,
    host: data.HOST,
    public_url: data.PUBLIC_URL ?? `http://localhost:${data.PORT}`,
    data_dir: resolve(data.DATA_DIR),
    database_url: data.DATABASE_DIRECT_URL ?? data.DATABASE_URL,
    pooler_url: data.DATABASE_DIRECT_URL && data.DATABASE_URL,
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
    },
    rate_limits: data.RATE_LIMITS === 'on',
    submit_limits: { per_address: data.SUBMIT_PER_ADDRESS, per_quiz: data.SUBMIT_PER_QUIZ },
    image_quota: data.IMAGE_QUOTA_MB * 1_048_576,
    version_quota: data.VERSION_QUOTA_MB * 1_048_576,
    metrics_token: data.METRICS_TOKEN,
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
    hosted: data.SUPABASE_URL
      ? { url: data.SUPABASE_URL, anon_key: data.SUPABASE_ANON_KEY ?? '' }
      : undefined,
    auth: {
      can_sign_up: data.AUTH_SIGNUP === 'on',
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
