import { z } from 'zod'
import { EVIDENCE_FAILURES, EVIDENCE_LIMITS, EVIDENCE_STATUSES } from '#domain/evidence/evidence.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { text, timestamp, uuid } from './kit/fields.ts'

const { evidence: evidenceCalls } = calls

const actions_text = text(EVIDENCE_LIMITS.actions_text)

const file = z.object({
  id: uuid,
  status: z.enum(EVIDENCE_STATUSES),
  /** Written parts of the file, and all its parts. */
  nb_done: z.int(),
  nb_total: z.int(),
  /** Size of a finished file; null before. */
  size_bytes: z.int().nullable(),
  /** Reason why the file was not written. */
  failure: z.enum(EVIDENCE_FAILURES).nullable(),
  created_at: timestamp,
  /** Time at which the file is deleted. */
  expires_at: timestamp,
})
/** File for an audit, without its content. */
export type EvidenceFile = z.output<typeof file>

const shown = z.object({
  /** Text « Actions menées » of the creator. */
  actions_text: z.string(),
  /** Last file of the campaign; null without one. */
  file: file.nullable(),
})

/** File for an audit of a campaign (docs/decisions/085). API keys can do nothing here, because the file names people. */
export const evidence = group({
  get: {
    ...evidenceCalls.get,
    access: 'quiz_owner',
    key_scope: 'none',
    answer: shown,
    summary: 'Le dossier de preuves d’une campagne et ses « Actions menées »',
  },
  setActions: {
    ...evidenceCalls.setActions,
    access: 'quiz_owner',
    key_scope: 'none',
    body: z.object({
      actions_text,
      /** Text that the creator changed; 409 if another tab has stored a different one. */
      former_text: actions_text,
    }),
    summary: 'Écrire les « Actions menées » d’une campagne',
  },
  create: {
    ...evidenceCalls.create,
    access: 'quiz_owner',
    key_scope: 'none',
    answer: z.object({ file }),
    creates: true,
    summary: 'Préparer le dossier de preuves en arrière-plan ; un seul à la fois par compte',
  },
  remove: {
    ...evidenceCalls.remove,
    access: 'quiz_owner',
    key_scope: 'none',
    summary: 'Annuler la préparation du dossier, ou supprimer le dossier prêt',
  },
  link: {
    ...evidenceCalls.link,
    access: 'quiz_owner',
    key_scope: 'none',
    answer: z.object({
      /** Address on this server that downloads the file once, without a token of the session. */
      url: z.string(),
      file_name: z.string(),
      expires_at: timestamp,
    }),
    summary: 'Un lien de courte durée vers le dossier de preuves en ZIP',
  },
})
