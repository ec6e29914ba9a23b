import { z } from 'zod'
import { DEFAULT_QUIZ_NAME, LIMITS } from '#domain/common/vocabulary.ts'
import { isAttributeName } from '#domain/deliveries/integrations.ts'
import { ACCESS_FIELDS } from '#domain/questionnaire/fields/quiz-fields.ts'
import { revision } from './drafts.ts'
import { calls } from './kit/calls.ts'
import { group, MAX_CALL_BODY_BYTES } from './kit/endpoint.ts'
import { optionalFields, shapesOf } from './kit/field-shapes.ts'
import { filledText, slug, timestamp } from './kit/fields.ts'
import { replacedFields } from './kit/replaced-fields.ts'
import {
  answer,
  association,
  editableQuiz,
  question,
  quiz,
  quizMode,
  quizStatus,
  quizType,
  result,
} from './kit/shapes.ts'

const { quizzes: quizCalls } = calls
const oneQuiz = z.object({ quiz })
const listedQuiz = quiz
  .extend({
    /** Present only with `trash`: time of the deletion, thirty days before the quiz is deleted for ever. */
    trashed_at: timestamp.optional(),
  })
  .meta({ id: 'ListedQuiz' })
const name = filledText(LIMITS.quiz_name)
const ATTRIBUTE_NAME_RULE = 'Lettres sans accent, chiffres et _ seulement, 50 caractères au plus'
const attributeName = z
  .string()
  .max(LIMITS.integration_field, { error: ATTRIBUTE_NAME_RULE })
  .trim()
  .toUpperCase()
  .refine(isAttributeName, { error: ATTRIBUTE_NAME_RULE })

/** Calls for quizzes: list, detail, edit, publication, mode (product 13.1). */
export const quizzes = group({
  list: {
    ...quizCalls.list,
    access: 'creator',
    query: z.object({
      /** `1` lists the quizzes in the trash, most recently deleted first. */
      trash: z.literal('1').optional(),
    }),
    answer: z.object({
      quizzes: z.array(listedQuiz),
      /** Number of quizzes in the trash. */
      nb_trashed: z.int(),
    }),
    summary:
      'Les quiz du compte, du plus récemment modifié au plus ancien ; avec trash=1, ceux de la corbeille',
  },
  get: {
    ...quizCalls.get,
    access: 'quiz_owner',
    answer: z.object({
      quiz,
      questions: z.array(question),
      answers: z.array(answer),
      results: z.array(result),
      free_fields: z.array(question),
      answer_results: z.array(association),
    }),
    summary: 'Un quiz avec tout ce qui s’y modifie',
  },
  create: {
    ...quizCalls.create,
    creates: true,
    access: 'creator',
    body: z.object({ name: name.default(DEFAULT_QUIZ_NAME), type: quizType }),
    answer: oneQuiz,
    summary: 'Créer un brouillon',
  },
  update: {
    ...quizCalls.update,
    access: 'quiz_owner',
    body: editableQuiz.extend({
      name: name.optional(),
      type: quizType.optional(),
      status: quizStatus.optional(),
      kit_custom_field: filledText(LIMITS.integration_field).nullish(),
      brevo_attribute_name: attributeName.nullish(),
      ...optionalFields.quizAccess,
      based_on: revision.optional(),
      ...replacedFields(shapesOf(ACCESS_FIELDS)),
    }),
    answer: oneQuiz,
    summary: 'Changer les champs donnés ; le statut « Publié » publie, « Brouillon » retire',
  },
  remove: {
    ...quizCalls.remove,
    access: 'quiz_owner',
    query: z.object({
      /** `1` deletes at once and for ever, in the trash too. */
      permanently: z.literal('1').optional(),
    }),
    summary:
      'Mettre un quiz et ses réponses à la corbeille pour 30 jours ; avec permanently=1, les supprimer définitivement',
  },
  duplicate: {
    ...quizCalls.duplicate,
    creates: true,
    access: 'quiz_owner',
    answer: oneQuiz,
    summary: 'Créer un brouillon avec le contenu d’un autre quiz, sans ses réponses ni ses outils',
  },
  importText: {
    ...quizCalls.importText,
    creates: true,
    access: 'creator',
    // The limit of the text itself is in characters (up to three bytes each), and its refusal names
    // the line.
    body: z.object({ text: z.string() }),
    max_body_bytes: 2 * MAX_CALL_BODY_BYTES,
    answer: oneQuiz,
    summary:
      'Créer un brouillon depuis un texte (docs/text-format.md) ; 400 avec chaque ligne refusée',
  },
  text: {
    ...quizCalls.text,
    access: 'quiz_owner',
    answer: z.string(),
    answer_type: 'text/plain',
    summary: 'Le brouillon en texte, qui peut être importé (docs/text-format.md)',
  },
  publish: {
    ...quizCalls.publish,
    access: 'quiz_owner',
    answer: oneQuiz,
    summary: 'Publier : figer le brouillon en une nouvelle version, que les visiteurs voient',
  },
  checkSlug: {
    ...quizCalls.checkSlug,
    access: 'quiz_owner',
    query: z.object({ slug: slug.optional() }),
    answer: z.object({ slug: z.string().nullable() }),
    summary:
      'Si une adresse est libre pour un quiz, par défaut la sienne : 422 avec la raison sinon',
  },
  hasChanges: {
    ...quizCalls.hasChanges,
    access: 'quiz_owner',
    answer: z.object({ has_unpublished_changes: z.boolean(), revision }),
    summary: 'Si le contenu du brouillon diffère de la version publiée',
  },
  mode: {
    ...quizCalls.mode,
    access: 'quiz_owner',
    answer: z.object({ mode: quizMode }),
    summary: 'Comment un résultat est choisi',
  },
  resetMode: {
    ...quizCalls.resetMode,
    access: 'quiz_owner',
    answer: z.object({ mode: quizMode }),
    summary: 'Effacer le mode avec tous les scores, associations et seuils',
  },
})
