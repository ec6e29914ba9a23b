import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { earnsCertificate } from '#domain/reports/certificate.ts'
import type { DocumentKind, DocumentLinks } from '#domain/reports/document.ts'
import { hasReport } from '#domain/reports/report-document.ts'
import {
  createSignedLinks,
  readParticipantToken,
  writeParticipantToken,
} from '#server/runtime/signed-links.ts'
import { LOWER_UUID } from '#server/runtime/uuid.ts'

/** Purpose for which the signing key of the links is derived from SECRET_KEY. */
export const REPORT_LINKS_PURPOSE = 'reports/links'
/** Purpose of the signing key of the pages of participants. Former keys are not accepted (docs/decisions/060). */
const PAGE_LINKS_PURPOSE = 'participant-pages/links'

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

/** Returns the path of the page of a participant. */
const pagePath = (quiz_id: string, token: string): string => `/q/${quiz_id}/ma-page/${token}`

/** Creates and verifies the links of participants to their documents and to their page. */
export const createReportLinks = (
  secretKey: string | Uint8Array,
  /** Signing keys of documents from before a rotation of SECRET_KEY, for links in earlier mails. */
  formerKeys: () => Promise<readonly Buffer[]>,
) => {
  const documents = createSignedLinks(secretKey, REPORT_LINKS_PURPOSE, formerKeys)
  const pages = createSignedLinks(secretKey, PAGE_LINKS_PURPOSE)
  const page = (participant: Participant): string =>
    pagePath(participant.quiz_id, writeParticipantToken(pages, participant))
  const isRightQuiz = (quiz_id: string): boolean => LOWER_UUID.test(quiz_id)
  return {
    /**
     * Returns the paths of the documents of a run, and of the participant's page if the quiz keeps pages. Returns
     * undefined if there is no path.
     */
    of: (
      participant: Participant,
      run: Parameters<typeof documentKindsOf>[0],
      keeps_page = false,
    ): DocumentLinks | undefined => {
      const kinds = documentKindsOf(run)
      const own_page = keeps_page ? { own_page: page(participant) } : undefined
      if (kinds.length === 0) return own_page
      const token = writeParticipantToken(documents, participant)
      const paths = kinds.map((kind) => [
        kind,
        `/q/${participant.quiz_id}/${DOCUMENT_PATHS[kind]}/${token}`,
      ])
      return { ...Object.fromEntries(paths), ...own_page }
    },
    /** Returns the path of the page of a participant. */
    page,
    /** Returns the participant of a document; undefined if the token is forged or belongs to another quiz. */
    read: async (quiz_id: string, token: string): Promise<Participant | undefined> =>
      isRightQuiz(quiz_id) ? readParticipantToken(documents, quiz_id, token) : undefined,
    /** Returns the participant of a page; undefined if the token is forged, older than the key or of another quiz. */
    readPage: async (quiz_id: string, token: string): Promise<Participant | undefined> =>
      isRightQuiz(quiz_id) ? readParticipantToken(pages, quiz_id, token) : undefined,
  }
}
/** Returns the address of the page of a participant. */
export type PageUrl = (participant: Participant) => string
/** Links of participants to their documents and to their page. */
export type ReportLinks = ReturnType<typeof createReportLinks>
