/** File for an audit of a campaign, « Dossier de preuves » (docs/decisions/085). */

/** Limits of a file. */
export const EVIDENCE_LIMITS = {
  /** Characters of « Actions menées ». */
  actions_text: 20_000,
  /** Certificates in a file; the list in the ZIP names the others. */
  certificates: 1_000,
  /** Size of the ZIP. */
  bytes: 100 * 1_048_576,
  /** Hours after which a finished file is deleted. */
  hours: 24,
} as const

/** States of a file. */
export const EVIDENCE_STATUSES = ['writing', 'ready', 'failed'] as const
/** State of a file. */
export type EvidenceStatus = (typeof EVIDENCE_STATUSES)[number]

/** Reasons why a file was not written. */
export const EVIDENCE_FAILURES = ['too_large', 'too_slow', 'interrupted', 'error'] as const
/** Reason why a file was not written. */
export type EvidenceFailure = (typeof EVIDENCE_FAILURES)[number]

const FAILURES: Record<EvidenceFailure, string> = {
  too_large: 'Ce dossier dépasse 100 Mo : il n’a pas été gardé.',
  too_slow: 'La préparation de ce dossier a pris trop de temps. Réessayez plus tard.',
  interrupted: 'La préparation de ce dossier a été interrompue. Recommencez.',
  error: 'Une erreur a empêché de préparer ce dossier. Réessayez.',
}

/** Returns the French reason why a file was not written. */
export const describeEvidenceFailure = (failure: EvidenceFailure): string => FAILURES[failure]
