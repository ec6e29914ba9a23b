import { z } from 'zod'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { MAX_QUERY_LENGTH } from '#domain/questionnaire/parameters.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { text, uuid } from './kit/fields.ts'
import { snapshot } from './kit/shapes.ts'

const { publicQuiz: publicQuizCalls } = calls
/** Maximum of PostgreSQL's type `integer`. */
export const MAX_POSTGRES_INTEGER = 2_147_483_647

/** Least length of the secret of a run: 128 random bits in base64. */
const MIN_RUN_SECRET_LENGTH = 22
const MAX_RUN_SECRET_LENGTH = 128

/** Calls of visitors (product 6.11, 9.1). */
export const publicQuiz = group({
  snapshot: {
    ...publicQuizCalls.snapshot,
    access: 'optional',
    limits: 'snapshot',
    query: z.object({ preview: z.literal('1').optional() }),
    answer: z.object({ snapshot: snapshot.extend({ version: z.int().nullable() }) }),
    summary: 'La version publiée ; avec preview=1 et le jeton de son propriétaire, le brouillon',
  },
  submit: {
    ...publicQuizCalls.submit,
    creates: true,
    repeats: true,
    access: 'anyone',
    limits: 'submit',
    allows_sandboxed_frames: true,
    body: z.object({
      // Reply by question id: a text, or ids of several chosen answers. All texts have MAX_REPLY_BYTES together.
      answers: z.record(
        uuid,
        z.union([
          text(LIMITS.typed_answer),
          z.array(text(LIMITS.typed_answer)).max(LIMITS.answers_per_question + 1),
        ]),
      ),
      email: text(LIMITS.email).nullish(),
      participant_uuid: uuid.optional(),
      // Secret of the run, made by its page. A repeated call gets the links of the participant only with the secret.
      run_secret: text(MAX_RUN_SECRET_LENGTH).min(MIN_RUN_SECRET_LENGTH).nullish(),
      version: z.int().min(1).max(MAX_POSTGRES_INTEGER).nullish(),
      // Number of the accepted consent wording; 0 if the box stayed unticked.
      consent_version: z.int().min(0).max(MAX_POSTGRES_INTEGER).nullish(),
      // Number of the accepted wording of the second consent, with the same meaning.
      measure_version: z.int().min(0).max(MAX_POSTGRES_INTEGER).nullish(),
      // Signs of automated submissions. The signs are stored and never cause a refusal (docs/limits.md).
      elapsed_seconds: z.int().min(0).max(MAX_POSTGRES_INTEGER).nullish(),
      is_trapped: z.boolean().optional(),
      // Parameters of the page address, by name or as a query. Undeclared names are ignored.
      parameters: z
        .union([z.record(text(LIMITS.address), text(MAX_QUERY_LENGTH)), text(MAX_QUERY_LENGTH)])
        .nullish(),
    }),
    answer: z.object({
      participant_uuid: uuid,
      result: z
        .object({
          id: uuid,
          name: z.string(),
          // Text as the creator typed it, with marks and insertions.
          description: z.string().nullable(),
          // Plain text without marks, with filled insertions.
          description_text: z.string().nullable(),
        })
        .nullable(),
      // Paths of the documents that this run gives and of the participant’s page, and the address to confirm; absent
      // without any, and in a repeated answer without the secret of the run.
      documents: z
        .object({
          report: z.string().optional(),
          certificate: z.string().optional(),
          own_page: z.string().optional(),
          // Masked address that gets a mail to confirm it, as « c***@exemple.fr ».
          asked_email: z.string().optional(),
        })
        .optional(),
    }),
    summary:
      'Enregistrer un participant une seule fois et donner le résultat ; 201, ou 200 s’il l’était déjà',
  },
})
