import { z } from 'zod'
import { MAX_ZIPPED_PARTICIPANTS } from '#domain/reports/document.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { timestamp, uuid } from './kit/fields.ts'
import { participantFilters, searchedText } from './participant-filters.ts'

const { documents: documentCalls } = calls

/** Files with documents: of one participant, of many as a ZIP, and of the draft with sample replies. */
const DOCUMENT_FILES = [
  'report',
  'certificate',
  'zip',
  'report_preview',
  'certificate_preview',
] as const

/** Order of documents. `participant_uuids`, the filters and the search select the participants of a ZIP. */
export const documentOrder = participantFilters.extend({
  file: z.enum(DOCUMENT_FILES),
  /** Participant of a report or a certificate. */
  participant_uuid: uuid.optional(),
  /** Search, as in the list of participants; 422 if the quiz is too large for the search. */
  search: searchedText.optional(),
  participant_uuids: z.array(uuid).min(1).max(MAX_ZIPPED_PARTICIPANTS).optional(),
})

/** Reports and certificates for the creator, as PDF. */
export const documents = group({
  link: {
    ...documentCalls.link,
    access: 'quiz_owner',
    key_scope: 'lecture',
    body: documentOrder,
    answer: z.object({
      /** Address on this server that downloads the file once, without a token of the session. */
      url: z.string(),
      file_name: z.string(),
      /** Participants of a ZIP, at most 500; 1 for the other files. */
      nb_participants: z.int(),
      /** Pages of the preview of a certificate, which has one if its text is short enough; null for the other files. */
      nb_pages: z.int().nullable(),
      /**
       * Names in a ZIP that no document can write in full, cut to 80 letters. Their certificates are left out, and their
       * reports show « […] » in place of the missing characters.
       */
      undrawable_names: z.array(z.string()),
      expires_at: timestamp,
    }),
    summary:
      'Un lien de courte durée vers un rapport ou une attestation en PDF, ou vers ceux de 500 participants au plus en ZIP',
  },
})
