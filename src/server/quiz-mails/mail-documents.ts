import type { ButtonLabels } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { DOCUMENT_KINDS, type DocumentKind } from '#domain/reports/document.ts'
import type { Block } from '#domain/run/rich-text.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'
import { documentFileName } from '#server/http/pages/file-names.ts'
import type { Attachment } from '#server/mails/transport.ts'
import type { Reports } from '#server/reports/create-reports.ts'
import type { ParticipantKey } from '#server/reports/reports.store.ts'

/** Maximum size of all attachments of a mail; documents beyond it are linked. */
const MAX_ATTACHED_BYTES = 1_048_576
/** Time limit for writing each document of a mail; a document beyond it is linked. */
const MAX_WAIT_MS = 10_000

/** Default texts of the links in a mail, each with the field of the label that replaces the text. */
const LINKS = {
  report: { text: 'Télécharger votre rapport (PDF)', label: 'report_label' },
  certificate: { text: 'Télécharger votre attestation (PDF)', label: 'certificate_label' },
} as const satisfies Record<DocumentKind, { text: string; label: keyof ButtonLabels }>

const linkTextOf = ({ quiz }: Snapshot, kind: DocumentKind): string => {
  const { text, label } = LINKS[kind]
  return quiz[label] ?? wordingOf(quiz, text)
}

/** Documents of a result mail: attached, or as links below its text. */
export type MailDocuments = { attachments: Attachment[]; links: Block[] }

/**
 * Returns the documents that a run gives. A document is linked if it is too large, takes too long or cannot be written, and
 * in a mail that shows the result. Never throws, so that the mail is sent in every case.
 */
export const loadMailDocuments = async (
  { reports, public_url }: { reports: Reports; public_url: string },
  key: ParticipantKey,
  { shows_result, ...run }: Parameters<Reports['links']['of']>[1] & { shows_result?: boolean },
): Promise<MailDocuments> => {
  const paths = reports.links.of(key, run)
  const documents: MailDocuments = { attachments: [], links: [] }
  if (!paths) return documents
  let free = MAX_ATTACHED_BYTES
  for (const kind of DOCUMENT_KINDS) {
    const path = paths[kind]
    if (!path) continue
    // A slow report leaves the certificate its own time.
    const signal = AbortSignal.timeout(MAX_WAIT_MS)
    const written = await reports.write(kind, key, { signal }).catch(() => undefined)
    const isAttached = written !== undefined && written.pdf.length <= free
    if (isAttached) {
      free -= written.pdf.length
      documents.attachments.push({
        filename: documentFileName(written.name_parts),
        content: written.pdf,
      })
    }
    if (!isAttached || shows_result)
      documents.links.push([{ a: [linkTextOf(run.snapshot, kind)], href: public_url + path }])
  }
  return documents
}

/** Returns the paragraph with the link to the page of the participant; empty without a page. */
export const pageLinks = (page_url: string | null): Block[] =>
  page_url === null ? [] : [[{ a: ['Ouvrir ma page'], href: page_url }]]
