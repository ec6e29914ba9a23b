import { z } from 'zod'
import { SIGN_UP_MODES } from '#domain/accounts/sign-up-mode.ts'
import { CHANNELS, LIMITS } from '#domain/common/vocabulary.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { text, timestamp, uuid } from './kit/fields.ts'

const { admin: adminCalls } = calls
const count = z.int().min(0)
const bytes = z.number().min(0)
const access = 'administrator'

/** Maximum number of accounts on a page of the list. */
export const ACCOUNTS_PER_PAGE = 50
/** Orders of the list of accounts. */
const ACCOUNT_ORDERS = ['created', 'signed_in'] as const
/** Maximum length of a position in the list of accounts, which has the time and the id of an account. */
const MAX_CURSOR_LENGTH = 55
const signUpMode = z.enum(SIGN_UP_MODES, { error: 'Ce choix n’existe pas' })

const queue = z.object({
  provider: z.enum(CHANNELS),
  nb_waiting: count,
  /** Waiting deliveries whose next attempt is in the future, up to 10,000. */
  nb_delayed: count,
  nb_failed: count,
  /** Due time of the delivery that waits longest; null if none waits. */
  oldest_due_at: timestamp.nullable(),
})

const loggedError = z.object({
  at: timestamp,
  where: z.enum(['server', 'browser']),
  /** Class of the error. */
  type: z.string(),
  code: z.string().nullable(),
  /** Sentence of the log line. */
  text: z.string(),
  /** Path of the screen without ids; null on the server. */
  screen: z.string().nullable(),
  report_id: z.string().nullable(),
})

const overview = z.object({
  versions: z.object({
    quizaine: z.string(),
    node: z.string(),
    postgresql: z.string(),
    /** Name of the last migration that the database has. */
    schema: z.string(),
    /** Name of the last migration that this process knows. */
    known_schema: z.string(),
    schema_state: z.enum(['same', 'newer', 'older']),
  }),
  health: z.object({
    is_ready: z.boolean(),
    /** Place of the worker that delivers: in this process, or in a process of its own. */
    worker: z.enum(['inline', 'separate']),
    uptime_s: count,
    /** Number of processes that listen to the database; null if the database does not show them. */
    nb_processes: count.nullable(),
    /** Free and total bytes of the disk of DATA_DIR; null if it cannot be read. */
    disk: z.object({ free_bytes: bytes, size_bytes: bytes }).nullable(),
  }),
  queues: z.array(queue),
  mails: z.object({
    /** Waiting account mails, up to 10,000. */
    nb_waiting: count,
    oldest_due_at: timestamp.nullable(),
    /** True if mails leave through a mail server; false if they are written into DATA_DIR. */
    has_mail_server: z.boolean(),
  }),
  errors: z.array(loggedError),
  /** Time of the last backup by `npm run backup`; null if there is none within twelve months. */
  last_backup_at: timestamp.nullable(),
  /** False if another service holds the accounts. */
  has_accounts: z.boolean(),
  accounts: z.object({
    nb_accounts: count,
    /** True if the number is an estimate of the database. */
    is_estimate: z.boolean(),
    sign_up_mode: signUpMode,
  }),
})

const storage = z.object({
  database_bytes: bytes,
  images_bytes: bytes,
  versions_bytes: bytes,
  /** Creators that use most space, largest first; null if the database needed too long. */
  largest: z.array(z.object({ id: uuid, email: z.string().nullable(), bytes })).nullable(),
  /** Limits of one creator. */
  image_quota_bytes: bytes,
  version_quota_bytes: bytes,
})

const account = z.object({
  id: uuid,
  email: z.string().nullable(),
  phone: z.string().nullable(),
  is_anonymous: z.boolean(),
  /** True if the address or the number is confirmed. */
  is_confirmed: z.boolean(),
  is_disabled: z.boolean(),
  is_administrator: z.boolean(),
  created_at: timestamp,
  last_sign_in_at: timestamp.nullable(),
  nb_quizzes: count,
  nb_participants: count,
})
const accountAnswer = z.object({ account })

/** Calls for the administrators of an installation (docs/decisions/078). */
export const admin = group({
  overview: {
    ...adminCalls.overview,
    access,
    answer: overview,
    summary: 'L’état de l’installation, pour ses administrateurs',
  },
  storage: {
    ...adminCalls.storage,
    access,
    answer: storage,
    summary: 'La place que prennent la base, les images et les versions',
  },
  accounts: {
    ...adminCalls.accounts,
    access,
    query: z.object({
      order: z.enum(ACCOUNT_ORDERS).default('created'),
      /** Part of an address. */
      search: text(LIMITS.email).default(''),
      /** Value of `next` in the previous page. Any other text gives the first page. */
      after: z.string().max(MAX_CURSOR_LENGTH).optional(),
    }),
    answer: z.object({ accounts: z.array(account), next: z.string().nullable() }),
    summary: 'Les comptes de l’installation, par date de création ou de dernière connexion',
  },
  invite: {
    ...adminCalls.invite,
    access,
    creates: true,
    body: z.object({ email: text(LIMITS.email) }),
    answer: z.object({
      account_id: uuid,
      email: z.string(),
      /** Link of the invitation, only if no mail was sent. */
      link: z.string().nullable(),
    }),
    summary: 'Créer un compte et inviter sa personne à choisir un mot de passe',
  },
  disable: {
    ...adminCalls.disable,
    access,
    answer: accountAnswer,
    summary: 'Désactiver un compte : ses sessions finissent et ses connexions sont refusées',
  },
  enable: {
    ...adminCalls.enable,
    access,
    answer: accountAnswer,
    summary: 'Réactiver un compte désactivé',
  },
  remove: {
    ...adminCalls.remove,
    access,
    // The address that the administrator confirmed, so that no other account is deleted.
    body: z.object({ email: text(LIMITS.email).nullable() }),
    summary: 'Supprimer un compte, ses quiz et leurs réponses',
  },
  setSignUp: {
    ...adminCalls.setSignUp,
    access,
    body: z.object({ sign_up_mode: signUpMode }),
    answer: z.object({ sign_up_mode: signUpMode }),
    summary: 'Choisir qui peut créer un compte',
  },
})

/** State of an installation. */
export type InstallationOverview = z.output<typeof overview>
/** Space that an installation uses. */
export type InstallationStorage = z.output<typeof storage>
/** Account as administrators see it. */
export type ListedAccount = z.output<typeof account>
/** Order of the list of accounts. */
export type AccountOrder = (typeof ACCOUNT_ORDERS)[number]
