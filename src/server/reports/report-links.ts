import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { earnsCertificate } from '#domain/reports/certificate.ts'
import type { DocumentKind, DocumentLinks } from '#domain/reports/document.ts'
import { hasReport } from '#domain/reports/report-document.ts'
import { deriveKey } from '#server/runtime/sealing.ts'
import { LOWER_UUID } from '#server/runtime/uuid.ts'

/** Purpose for which the signing key of the links is derived from SECRET_KEY. */
export const REPORT_LINKS_PURPOSE = 'reports/links'

const UUID_BYTES = 16
const SIGNATURE_BYTES = 16

/** Returns the kinds of documents that a run gives, in the order in which they are offered. */
export const documentKindsOf = ({
  snapshot,
  replies,
}: {
  snapshot: Snapshot
  replies: Replies
}): DocumentKind[] => [
  ...(hasReport(snapshot) ? (['report'] as const) : []),
  ...(earnsCertificate(snapshot, replies) ? (['certificate'] as const) : []),
]

/** Path segment of each document below the address of its quiz. */
export const DOCUMENT_PATHS: Record<DocumentKind, string> = {
  report: 'rapport',
  certificate: 'attestation',
}

type Participant = { quiz_id: string; participant_uuid: string }

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/**
 * Creates and verifies the links of participants to their documents. The signature covers quiz and participant, so that
 * no link has to be stored and none can be guessed.
 */
export const createReportLinks = (
  secretKey: string | Uint8Array,
  /** Signing keys from before a rotation of SECRET_KEY, for links in earlier mails. */
  formerKeys: () => Promise<readonly Buffer[]>,
) => {
  const key = deriveKey(secretKey, REPORT_LINKS_PURPOSE)
  const sign = (signing: Buffer, quiz_id: string, participant: Buffer): Buffer =>
    createHmac('sha256', signing)
      .update(bytesOf(quiz_id))
      .update(participant)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
  return {
    /** Returns the paths of the documents that a run gives; undefined if it gives none. */
    of: (
      { quiz_id, participant_uuid }: Participant,
      run: Parameters<typeof documentKindsOf>[0],
    ): DocumentLinks | undefined => {
      const kinds = documentKindsOf(run)
      if (kinds.length === 0) return undefined
      const participant = bytesOf(participant_uuid)
      const signed = Buffer.concat([participant, sign(key, quiz_id, participant)])
      const token = signed.toString('base64url')
      return Object.fromEntries(
        kinds.map((kind) => [kind, `/q/${quiz_id}/${DOCUMENT_PATHS[kind]}/${token}`]),
      )
    },
    /** Returns the participant of a token; undefined if the token is forged or belongs to another quiz. */
    read: async (quiz_id: string, token: string): Promise<Participant | undefined> => {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== UUID_BYTES + SIGNATURE_BYTES || !LOWER_UUID.test(quiz_id))
        return undefined
      const participant = bytes.subarray(0, UUID_BYTES)
      const signature = bytes.subarray(UUID_BYTES)
      const isOf = (signing: Buffer): boolean =>
        timingSafeEqual(signature, sign(signing, quiz_id, participant))
      if (!isOf(key) && !(await formerKeys()).some(isOf)) return undefined
      return { quiz_id, participant_uuid: uuidOf(participant) }
    },
  }
}
/** Links of participants to their documents. */
export type ReportLinks = ReturnType<typeof createReportLinks>
