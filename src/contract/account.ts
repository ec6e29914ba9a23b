import { z } from 'zod'
import { isTimeZone } from '#domain/common/time-zone.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { phoneCountry, timestamp, uuid } from './kit/fields.ts'

const { account: accountCalls, preferences: preferenceCalls } = calls

/** Refusal of a name that is not a time zone. */
export const UNKNOWN_TIME_ZONE = 'Ce fuseau horaire n’est pas connu'
/** Maximum length of a time zone name. */
const MAX_TIME_ZONE_LENGTH = 64

/** Word that the creator types to confirm the deletion of the account. */
const DELETION_WORD = 'SUPPRIMER'

const row = z.record(z.string(), z.unknown())

const session = z.object({
  id: uuid,
  created_at: timestamp,
  refreshed_at: timestamp,
  user_agent: z.string().nullable(),
  is_current: z.boolean(),
})

/** Calls for the account that the protocol of the auth service does not cover. */
export const account = group({
  sessions: {
    ...accountCalls.sessions,
    access: 'creator',
    key_scope: 'none',
    answer: z.object({ sessions: z.array(session) }),
    summary: 'Les appareils connectés au compte, du plus récemment utilisé au plus ancien',
  },
  exportData: {
    ...accountCalls.exportData,
    access: 'creator',
    key_scope: 'none',
    answer: z.object({
      exported_at: timestamp,
      time_zone: z.string(),
      country: z.string(),
      account: row.nullable(),
      sender_name: z.string().nullable(),
      reply_addresses: z.array(row),
      identities: z.array(row),
      factors: z.array(row),
      known_networks: z.array(row),
      sessions: z.array(row),
      connections: z.array(row),
      api_keys: z.array(row),
      images: z.array(row),
      quizzes: z.array(row),
      results: z.array(row),
      questions: z.array(row),
      answers: z.array(row),
      associations: z.array(row),
      text_blocks: z.array(row),
      versions: z.array(row),
      email_confirmations: z.array(row),
      trial_responses: z.array(row),
      statistics_links: z.array(row),
      responses: z.array(row),
    }),
    summary:
      'Le compte, ses quiz et leurs réponses, sans mots de passe, clés ni journal de sécurité',
  },
  remove: {
    ...accountCalls.remove,
    access: 'creator',
    key_scope: 'none',
    body: z.object({ confirmation: z.literal(DELETION_WORD) }),
    summary: 'Supprimer aussitôt le compte, ses quiz, leurs réponses et toutes ses sessions',
  },
})

const preferencesShape = z.object({
  /** IANA time zone in which the creator sees every date and day. */
  time_zone: z
    .string()
    .max(MAX_TIME_ZONE_LENGTH)
    .refine(isTimeZone, { error: UNKNOWN_TIME_ZONE })
    .optional(),
  /** ISO code of the country whose phone numbers are read without a country code. */
  country: phoneCountry.optional(),
})
const answer = z.object({
  preferences: z.object({
    time_zone: z.string(),
    /** French name of the times of this zone, such as « heure de Nouméa ». */
    time_zone_name: z.string(),
    /** The chosen country, or else that of the time zone. */
    country: phoneCountry,
  }),
  /** True if this account administers the installation. */
  is_administrator: z.boolean(),
})

/** Preferences of a creator for their whole account. */
export const preferences = group({
  get: {
    ...preferenceCalls.get,
    access: 'creator',
    key_scope: 'none',
    answer,
    summary:
      'Le fuseau horaire du compte, dans lequel sont toutes ses dates, et le pays de ses numéros de téléphone',
  },
  set: {
    ...preferenceCalls.set,
    access: 'creator',
    key_scope: 'none',
    body: preferencesShape,
    answer,
    summary:
      'Choisir le fuseau horaire du compte, que tous les chiffres par jour suivent aussitôt, ou le pays de ses numéros de téléphone',
  },
})

/** Open session of an account. */
export type AccountSession = z.output<typeof session>
