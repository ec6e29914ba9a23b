import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { earnsCertificate } from '#domain/reports/certificate.ts'
import type { DocumentKind, DocumentLinks } from '#domain/reports/document.ts'
import { hasReport } from '#domain/reports/report-document.ts'
import {
  createSignedLinks,
  createVisibleLinkReader,
  type FormerKeys,
  readParticipantToken,
  type SignedLinks,
  writeParticipantToken,
} from '#server/runtime/signed-links.ts'
import { LOWER_UUID } from '#server/runtime/uuid.ts'

/** Purposes for which the keys of the links are derived from SECRET_KEY: one for each kind of link. */
const PURPOSES = {
  report: 'links/report',
  certificate: 'links/certificate',
  own_page: 'links/own-page',
} as const
/**
 * Purposes of tokens with a visible content, which earlier releases wrote. The report and the certificate shared one
 * token.
 */
const VISIBLE_PURPOSES = {
  documents: 'reports/links',
  own_page: 'participant-pages/links',
} as const
/**
 * Purposes whose keys stay valid after a rotation of SECRET_KEY, for links in earlier mails. Keys of pages end,
 * because a page also erases (docs/decisions/060).
 */
export const ROTATED_LINK_PURPOSES = [
  PURPOSES.report,
  PURPOSES.certificate,
  VISIBLE_PURPOSES.documents,
] as const

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

/** Participant of a document. */
type DocumentOwner = Participant & {
  /** True if the token is of an earlier release, which gave one token to all documents of a participant. */
  is_shared: boolean
}

/** Creates and verifies the links of participants to their documents and to their page (docs/decisions/070). */
export const createReportLinks = (secretKey: string | Uint8Array, formerKeys: FormerKeys) => {
  const documents: Record<DocumentKind, SignedLinks> = {
    report: createSignedLinks(secretKey, PURPOSES.report, formerKeys),
    certificate: createSignedLinks(secretKey, PURPOSES.certificate, formerKeys),
  }
  const pages = createSignedLinks(secretKey, PURPOSES.own_page)
  const visible = {
    documents: createVisibleLinkReader(secretKey, VISIBLE_PURPOSES.documents, formerKeys),
    pages: createVisibleLinkReader(secretKey, VISIBLE_PURPOSES.own_page),
  }
  const page = (participant: Participant): string =>
    pagePath(participant.quiz_id, writeParticipantToken(pages, participant))
  const isRightQuiz = (quiz_id: string): boolean => LOWER_UUID.test(quiz_id)
  return {
    /**
     * Returns the paths of the documents of a run, and of the participant's page if the quiz keeps pages. Adds the
     * masked address that has to be confirmed. Returns undefined if there is nothing to offer.
     */
    of: (
      participant: Participant,
      run: Parameters<typeof documentKindsOf>[0],
      {
        keeps_page = false,
        asked_email,
      }: { keeps_page?: boolean; asked_email?: string | undefined } = {},
    ): DocumentLinks | undefined => {
      const kinds = documentKindsOf(run)
      const offers = {
        ...(keeps_page && { own_page: page(participant) }),
        ...(asked_email !== undefined && { asked_email }),
      }
      if (kinds.length === 0) return Object.keys(offers).length > 0 ? offers : undefined
      const paths = kinds.map((kind) => {
        const token = writeParticipantToken(documents[kind], participant)
        return [kind, `/q/${participant.quiz_id}/${DOCUMENT_PATHS[kind]}/${token}`]
      })
      return { ...Object.fromEntries(paths), ...offers }
    },
    /** Returns the path of the page of a participant. */
    page,
    /** Returns the participant of a document; undefined if the token is forged, of another kind or of another quiz. */
    read: async (
      kind: DocumentKind,
      quiz_id: string,
      token: string,
    ): Promise<DocumentOwner | undefined> => {
      if (!isRightQuiz(quiz_id)) return undefined
      const owner = await readParticipantToken(documents[kind], quiz_id, token)
      if (owner) return { ...owner, is_shared: false }
      const shared = await readParticipantToken(visible.documents, quiz_id, token)
      return shared && { ...shared, is_shared: true }
    },
    /** Returns the participant of a page; undefined if the token is forged, older than the key or of another quiz. */
    readPage: async (quiz_id: string, token: string): Promise<Participant | undefined> =>
      isRightQuiz(quiz_id)
        ? ((await readParticipantToken(pages, quiz_id, token)) ??
          readParticipantToken(visible.pages, quiz_id, token))
        : undefined,
  }
}
/** Returns the address of the page of a participant. */
export type PageUrl = (participant: Participant) => string
/** Links of participants to their documents and to their page. */
export type ReportLinks = ReturnType<typeof createReportLinks>
