import type { InstallationOverview } from '#contract/admin.ts'
import type { SignUpMode } from '#domain/accounts/sign-up-mode.ts'

const KB = 1_024
const UNITS = ['octets', 'Ko', 'Mo', 'Go', 'To']

/** Returns a size as « 12,5 Mo ». */
export const formatBytes = (bytes: number): string => {
  const power = bytes < KB ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / KB ** power
  return `${value.toLocaleString('fr-FR', { maximumFractionDigits: value < 100 ? 1 : 0 })} ${UNITS[power]}`
}

const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400

const plural = (count: number, noun: string): string => `${count} ${noun}${count > 1 ? 's' : ''}`

/** Returns a duration in its two largest units, as « 3 jours 4 h ». */
export const formatDuration = (seconds: number): string => {
  const [days, hours, minutes] = [
    Math.floor(seconds / DAY_S),
    Math.floor((seconds % DAY_S) / HOUR_S),
    Math.floor((seconds % HOUR_S) / MINUTE_S),
  ]
  if (days > 0) return `${plural(days, 'jour')}${hours > 0 ? ` ${hours} h` : ''}`
  if (hours > 0) return `${hours} h${minutes > 0 ? ` ${minutes} min` : ''}`
  return minutes > 0 ? `${minutes} min` : 'moins d’une minute'
}

/** Returns a count with its noun, as « 2 quiz » or « 1 participant ». */
export const formatCount = (count: number, singular: string, plurals: string): string =>
  `${count.toLocaleString('fr-FR')} ${count > 1 ? plurals : singular}`

/** Rules for new accounts, with their explanations. */
export const SIGN_UP_OPTIONS = [
  {
    value: 'open',
    label: 'Ouvertes',
    hint: 'Chacun peut créer un compte, et vous pouvez inviter.',
  },
  {
    value: 'invitation',
    label: 'Sur invitation',
    hint: 'Personne ne crée de compte de soi-même ; vous pouvez inviter.',
  },
  {
    value: 'closed',
    label: 'Fermées',
    hint: 'Aucun compte ne peut être créé, même par une invitation.',
  },
] as const satisfies { value: SignUpMode; label: string; hint: string }[]

/** Sentence that confirms a change of the rule for new accounts. */
export const SIGN_UP_OUTCOMES: Record<SignUpMode, string> = {
  open: 'Les inscriptions sont ouvertes.',
  invitation: 'Les inscriptions se font sur invitation.',
  closed: 'Les inscriptions sont fermées.',
}

/** Sentence about a database whose schema differs from that of this process; undefined if both are equal. */
export const schemaWarning = (
  state: InstallationOverview['versions']['schema_state'],
): string | undefined =>
  ({
    same: undefined,
    newer:
      'La base est plus récente que ce processus : terminez la mise à jour de tous les processus.',
    older: 'La base est plus ancienne que ce processus : redémarrez-le pour la mettre à jour.',
  })[state]

/** Age of a backup beyond which the screen warns. */
const MAX_BACKUP_AGE_S = 8 * DAY_S

/** Sentence about a missing or old backup; undefined if the last backup is recent. */
export const backupWarning = (
  last_backup_at: string | null,
  now = Date.now(),
): string | undefined => {
  if (last_backup_at === null)
    return 'Aucune sauvegarde n’est connue : lancez « npm run backup » régulièrement, ou vérifiez celle de votre hébergeur.'
  const age_s = (now - Date.parse(last_backup_at)) / 1_000
  if (age_s <= MAX_BACKUP_AGE_S) return undefined
  return `La dernière sauvegarde a plus de huit jours (${formatDuration(age_s)}) : lancez \`npm run backup\`.`
}

/** Delay of a due delivery beyond which the worker seems to be stopped. */
const MAX_DELAY_S = 600

/** Returns true if a delivery or mail has been due for more than ten minutes. */
export const isLate = (oldest_due_at: string | null, now = Date.now()): boolean =>
  oldest_due_at !== null && now - Date.parse(oldest_due_at) > MAX_DELAY_S * 1_000

/** Share of free space below which the screen warns. */
const MIN_FREE_SHARE = 0.1

/** Returns true if little space is free on the disk. */
export const isDiskLow = ({ free_bytes, size_bytes }: { free_bytes: number; size_bytes: number }) =>
  free_bytes < size_bytes * MIN_FREE_SHARE
