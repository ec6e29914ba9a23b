import { localTimestamp } from '#domain/common/time-zone.ts'
import { CONTACT_ROLES, type ContactRole, type QuizType } from '#domain/common/vocabulary.ts'
import { CONFIRMATION_LABELS, type ConfirmationState } from '#domain/confirmations/confirmation.ts'
import { CONTACT_ROLE_LABELS, contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import type { SnapshotDimension } from '#domain/questionnaire/dimensions.ts'
import type { ParameterValues } from '#domain/questionnaire/parameters.ts'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import { certificatePercent } from '#domain/reports/certificate.ts'
import type { ContactData } from '#domain/run/contact/contact.ts'
import { tierAt } from '#domain/run/dimensions.ts'
import type { DimensionPercents } from '#domain/run/stored-dimensions.ts'
import { type StoredReplies, unpackReplies } from '#domain/run/stored-replies.ts'
import { type AnsweredVersion, hasCertificates } from './asked-questions.ts'
import { dimensionAppearances } from './dimension-figures.ts'

/** Stored fields of a participant that an export shows. */
export type ExportedParticipant = StoredReplies &
  ContactData & {
    created_at: string
    version: number
    email: string | null
    result_position: number | null
    score: number | null
    /** True if the certificate was downloaded or sent, which creates it. */
    has_certificate: boolean
    /** Percent of the possible points (domain/reports/certificate.ts); absent unless the export has the column. */
    percent?: number | null
    dimension_percents: DimensionPercents | null
    consent_version: number | null
    measure_version: number | null
    /** State of the confirmation of the address; null if the participant was not asked. */
    email_confirmation: ConfirmationState | null
    /** Time of the confirmation in ISO 8601; null without a confirmation. */
    email_confirmed_at: string | null
    elapsed_seconds: number | null
    is_suspect: boolean
    parameters: ParameterValues | null
    /** Address of the page of the participant; absent unless the export has the column. */
    result_url?: string
  }

/** Column of an export between the date and the questions, with the name of the stored field. */
type FieldColumn =
  | 'email'
  | ContactRole
  | 'result_position'
  | 'score'
  | 'percent'
  | 'has_certificate'
  | 'consent_version'
  | 'measure_version'
  | 'email_confirmation'
  | 'email_confirmed_at'
  | 'elapsed_seconds'
  | 'is_suspect'
  | 'result_url'

/** Column of an export between date and questions: a stored field, or the percent or the tier of a dimension. */
export type ParticipantColumn = FieldColumn | `dimension ${string}` | `tier ${string}`

const TIER_PREFIX = 'tier '
const DIMENSION_COLUMN = /^(?:dimension|tier) /

/** Returns the id of the dimension in a column; undefined for a column of a stored field. */
const dimensionOfColumn = (column: ParticipantColumn): string | undefined =>
  isFieldColumn(column) ? undefined : column.replace(DIMENSION_COLUMN, '')

/** Returns true for a column of a stored field. */
const isFieldColumn = (column: ParticipantColumn): column is FieldColumn =>
  !DIMENSION_COLUMN.test(column)

const FIELD_TITLES: Record<FieldColumn, string> = {
  email: 'Email',
  ...CONTACT_ROLE_LABELS,
  result_position: 'Résultat',
  score: 'Score',
  percent: 'Score (%)',
  has_certificate: 'Attestation délivrée',
  consent_version: 'Consentement',
  measure_version: 'Mesure acceptée',
  email_confirmation: 'Confirmation de l’adresse',
  email_confirmed_at: 'Adresse confirmée le',
  elapsed_seconds: 'Durée (secondes)',
  is_suspect: 'À vérifier',
  result_url: 'Page du participant',
}

/**
 * Returns the ordered columns of an export, with a column for each role that a version asks for. A sondage has the result and the score only if it was a quiz before. `offers` adds the
 * pages of participants, the second consent and the confirmations of addresses.
 */
export const participantColumns = (
  versions: readonly Pick<AnsweredVersion, 'version' | 'snapshot'>[],
  type: QuizType,
  {
    has_pages = false,
    has_measure = false,
    has_confirmations = false,
  }: { has_pages?: boolean; has_measure?: boolean; has_confirmations?: boolean } = {},
): ParticipantColumn[] => {
  const roles = new Set(versions.flatMap(({ snapshot }) => snapshot.questions.map(contactRoleOf)))
  const has_results =
    !isSondage({ type }) || versions.some(({ snapshot }) => snapshot.results.length > 0)
  return [
    'email',
    ...CONTACT_ROLES.filter((role) => roles.has(role)),
    ...(has_results ? (['result_position', 'score'] as const) : []),
    ...(versions.some(({ snapshot }) => hasPercent(snapshot)) ? (['percent'] as const) : []),
    ...(versions.some(({ snapshot }) => hasCertificates(snapshot))
      ? (['has_certificate'] as const)
      : []),
    ...[...dimensionAppearances(versions)].flatMap(([id, appearances]) => [
      `dimension ${id}` as const,
      ...(appearances.some(({ dimension }) => dimension.tiers.length > 0)
        ? [`tier ${id}` as const]
        : []),
    ]),
    'consent_version',
    ...(has_measure ? (['measure_version'] as const) : []),
    ...(has_confirmations ? (['email_confirmation', 'email_confirmed_at'] as const) : []),
    'elapsed_seconds',
    'is_suspect',
    ...(has_pages ? (['result_url'] as const) : []),
  ]
}

/**
 * Returns the titles of columns in the same order. The column of a dimension has its name in the newest version, and the
 * unit.
 */
export const participantColumnTitles = (
  columns: readonly ParticipantColumn[],
  versions: readonly Pick<AnsweredVersion, 'version' | 'snapshot'>[],
): string[] => {
  const appearances = dimensionAppearances(versions)
  return columns.map((column) => {
    if (isFieldColumn(column)) return FIELD_TITLES[column]
    const [newest] = appearances.get(dimensionOfColumn(column) ?? '') ?? []
    return `${newest?.dimension.name ?? ''} (${column.startsWith(TIER_PREFIX) ? 'palier' : '%'})`
  })
}

/** Returns true if the participants of a version have a percent of the possible points. */
const hasPercent = ({ quiz, quiz_mode }: AnsweredVersion['snapshot']): boolean =>
  quiz !== undefined && !isSondage(quiz) && quiz_mode === 'score'

/** French word for a true value. */
export const YES = 'Oui'
/** Returns the French word for a boolean value. */
const yesOrNo = (is_true: boolean): string => (is_true ? YES : 'Non')

/** Returns the French word for the given consent; null if no one asked for it. */
const consentWord = (consent_version: number | null): string | null =>
  consent_version === null ? null : yesOrNo(consent_version > 0)

/**
 * Returns the cell of a participant in a column, with times in `time_zone`. `results` are the names of the results and
 * `dimensions` the dimensions in the version taken.
 */
export const participantCell = (
  column: ParticipantColumn,
  response: ExportedParticipant,
  {
    results,
    dimensions,
    time_zone,
  }: {
    results: readonly string[]
    dimensions: readonly SnapshotDimension[]
    time_zone: string
  },
): string | number | null => {
  if (!isFieldColumn(column)) {
    const rank = dimensions.findIndex(({ id }) => id === dimensionOfColumn(column))
    const percent = response.dimension_percents?.[rank] ?? null
    if (percent === null || !column.startsWith(TIER_PREFIX)) return percent
    return tierAt(dimensions[rank]?.tiers ?? [], percent)?.title ?? null
  }
  switch (column) {
    case 'result_position':
      return results[response.result_position ?? -1] ?? null
    case 'consent_version':
    case 'measure_version':
      return consentWord(response[column])
    case 'email_confirmation':
      return response.email_confirmation && CONFIRMATION_LABELS[response.email_confirmation]
    case 'email_confirmed_at':
      return response.email_confirmed_at && localTimestamp(response.email_confirmed_at, time_zone)
    case 'percent':
      return response.percent ?? null
    case 'has_certificate':
      return yesOrNo(response.has_certificate)
    case 'is_suspect':
      return yesOrNo(response.is_suspect)
    case 'result_url':
      return response.result_url ?? null
    default:
      return response[column]
  }
}

/** Returns the percent of the possible points of a stored run, as its certificate prints it; null without points. */
export const percentOf = (
  { quiz, quiz_mode = null, ...rest }: AnsweredVersion['snapshot'],
  stored: StoredReplies,
): number | null =>
  quiz ? certificatePercent({ quiz, quiz_mode, ...rest }, unpackReplies(rest, stored)) : null
