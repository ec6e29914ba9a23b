import { z } from 'zod'
import { isAttributeName } from '#domain/integrations.ts'
import { DEFAULT_QUIZ_NAME, LIMITS } from '#domain/vocabulary.ts'
import { calls } from './calls.ts'
import { revision } from './drafts.ts'
import { group, LARGEST_BODY } from './endpoint.ts'
import { given, quizAccess } from './page-fields.ts'
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
} from './shapes.ts'
import { filledText } from './text-shapes.ts'

const { quizzes: at } = calls
const oneQuiz = z.object({ quiz })
const name = filledText(LIMITS.quiz_name)
const attributeName = z.string().trim().toUpperCase().refine(isAttributeName, {
  error: 'Lettres sans accent, chiffres et _ seulement, 50 caractères au plus',
})

/** The quiz itself: list, detail, edit, publication, mode (spec §7). */
export const quizzes = group({
  list: {
    ...at.list,
    access: 'creator',
    answer: z.object({ quizzes: z.array(quiz) }),
    summary: 'The quizzes of the creator, last changed first',
  },
  get: {
    ...at.get,
    access: 'creator',
    answer: z.object({
      quiz,
      questions: z.array(question),
      answers: z.array(answer),
      results: z.array(result),
      free_fields: z.array(question),
      answer_results: z.array(association),
    }),
    summary: 'One quiz with everything its creator edits',
  },
  create: {
    ...at.create,
    creates: true,
    access: 'creator',
    body: z.object({ name: name.default(DEFAULT_QUIZ_NAME), type: quizType }),
    answer: oneQuiz,
    summary: 'Create a draft',
  },
  update: {
    ...at.update,
    access: 'creator',
    body: editableQuiz.extend({
      name: name.optional(),
      type: quizType.optional(),
      status: quizStatus.optional(),
      kit_custom_field: filledText(LIMITS.integration_field).nullish(),
      brevo_attribute_name: attributeName.nullish(),
      ...given.quizAccess,
      based_on: revision.optional(),
    }),
    answer: oneQuiz,
    summary: "Change the given fields; status 'Publié' publishes, 'Brouillon' withdraws",
  },
  remove: { ...at.remove, access: 'creator', summary: 'Delete a quiz and its responses' },
  duplicate: {
    ...at.duplicate,
    creates: true,
    access: 'creator',
    answer: oneQuiz,
    summary: 'Create a draft with the content of another quiz, without its responses and tools',
  },
  importText: {
    ...at.importText,
    creates: true,
    access: 'creator',
    // Its own limit is in characters, which take three bytes at most, and is refused by line.
    body: z.object({ text: z.string() }),
    largest_body: 2 * LARGEST_BODY,
    answer: oneQuiz,
    summary:
      'Create a draft from a text (docs/text-format.md); 400 with every line that is refused',
  },
  text: {
    ...at.text,
    access: 'creator',
    answer: z.string(),
    answer_type: 'text/plain',
    summary: 'The draft as a text that can be imported (docs/text-format.md)',
  },
  publish: {
    ...at.publish,
    access: 'creator',
    answer: oneQuiz,
    summary: 'Freeze the draft as the next version, the one visitors take',
  },
  checkSlug: {
    ...at.checkSlug,
    access: 'creator',
    query: z.object({ slug: quizAccess.slug.unwrap().optional() }),
    answer: z.object({ slug: z.string().nullable() }),
    summary: 'Whether a slug is free for a quiz, by default its own: 422 with the reason where not',
  },
  hasChanges: {
    ...at.hasChanges,
    access: 'creator',
    answer: z.object({ has_unpublished_changes: z.boolean(), revision }),
    summary: 'Whether the draft differs in content from the published version',
  },
  mode: {
    ...at.mode,
    access: 'creator',
    answer: z.object({ mode: quizMode }),
    summary: 'How a result is chosen',
  },
  resetMode: {
    ...at.resetMode,
    access: 'creator',
    answer: z.object({ mode: quizMode }),
    summary: 'Clear the mode with every score, association and threshold',
  },
})
