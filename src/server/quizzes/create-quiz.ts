import { randomUUIDv7 } from 'node:crypto'
import { replaceIds } from '#domain/questionnaire/duplicate-draft.ts'
import { imagesOf } from '#domain/questionnaire/images.ts'
import { modeAfterEdit } from '#domain/questionnaire/mode.ts'
import { sizeError } from '#domain/questionnaire/questionnaire-size.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { ParsedText } from '#domain/text-format/parse-text.ts'
import type { Db } from '#server/db/database.ts'
import { invalid, refusedText } from '#server/http/edge/errors.ts'
import { markUsed } from '#server/images/images.store.ts'
import { UUID_PATTERN } from '#server/runtime/uuid.ts'
import { insertQuiz, loadQuiz, updateQuiz } from './quizzes.store.ts'
import { saveChanges } from './save-changes.ts'
import { explainSlugRefusal } from './slugs.store.ts'

type NewQuizInput = {
  creator_id: string
  draft: Draft
  /** False if no mail server is configured: the new quiz then asks for no confirmation, which could not be sent. */
  has_mail_server: boolean
}

/**
 * Stores a draft as a new unpublished quiz of the creator, with new ids, within the caller's transaction.
 * Returns the id of the quiz. Throws a 422 if the draft breaks a rule, its slug is taken, or a picture belongs
 * to another creator.
 */
export const createQuizFromDraft = async (
  db: Db,
  { draft, ...input }: NewQuizInput,
): Promise<string> => storeNewQuiz(db, { ...input, draft: replaceIds(draft, randomUUIDv7) })

/** Stores a draft whose ids are already new, and returns the id of the quiz. */
export const storeNewQuiz = async (
  db: Db,
  { creator_id, draft, has_mail_server }: NewQuizInput,
): Promise<string> => {
  const { id: quiz_id, name, type } = draft.quiz
  await insertQuiz(db, { id: quiz_id, creator_id, name, type })
  const { quiz, quiz_mode } = await loadQuiz(db, { quiz_id, creator_id })
  const empty: Draft = {
    quiz,
    quiz_mode,
    questions: [],
    text_blocks: [],
    results: [],
    dimensions: [],
    text_variants: [],
  }
  const after = { ...draft, quiz_mode: modeAfterEdit(draft.quiz_mode, draft.questions) }
  await saveChanges(db, creator_id, empty, after)
  // `saveChanges` stores no setting that applies at once, except the opening.
  const { parameters, keeps_page, page_erases_contacts } = draft.quiz
  const confirms_email = draft.quiz.confirms_email && has_mail_server
  if (parameters.length > 0 || confirms_email || keeps_page || page_erases_contacts)
    await updateQuiz(db, quiz_id, { parameters, confirms_email, keeps_page, page_erases_contacts })
  return quiz_id
}

/**
 * Stores a text (docs/text-format.md) that was parsed as a new quiz of the creator, within the caller's transaction.
 * Returns its id and slug. Throws a 400 that names each wrong line, or a 422 if the questionnaire is too large.
 */
export const importText = async (
  db: Db,
  {
    creator_id,
    text,
    parsed,
    has_mail_server,
  }: Omit<NewQuizInput, 'draft'> & { text: string; parsed: ParsedText },
): Promise<{ quiz_id: string; slug: string | null }> => {
  if ('errors' in parsed) throw refusedLines(parsed.errors)
  const { draft, slug_line = 1 } = parsed
  const tooLarge = sizeError(draft)
  if (tooLarge) throw invalid(tooLarge)
  const { slug } = draft.quiz
  const errors = await foreignPictures(db, { creator_id, text, draft })
  const refusal = slug === null ? undefined : await explainSlugRefusal(db, slug, creator_id)
  if (refusal) errors.push({ line: slug_line, message: `${refusal}.` })
  if (errors.length > 0) throw refusedLines(errors.sort((a, b) => a.line - b.line))
  return { quiz_id: await createQuizFromDraft(db, { creator_id, draft, has_mail_server }), slug }
}

type Refusal = { line: number; message: string }

const refusedLines = (errors: readonly Refusal[]) =>
  refusedText(errors.map(({ line, message }) => `Ligne ${line} : ${message}`))

/** Returns a refusal for each line that names a picture of another creator. */
const foreignPictures = async (
  db: Db,
  { creator_id, text, draft }: { creator_id: string; text: string; draft: Draft },
): Promise<Refusal[]> => {
  const named = [...imagesOf(draft).keys()]
  if (named.length === 0) return []
  const own = await markUsed(db, creator_id, named)
  const foreign = named.filter((id) => !own.has(id))
  if (foreign.length === 0) return []
  const lines = linesOfIds(text)
  return foreign.map((id) => ({
    line: lines.get(id) ?? 1,
    message: 'Cette image n’est pas l’une des vôtres : enlevez-la, ou envoyez-la depuis l’éditeur.',
  }))
}

const IDS = new RegExp(UUID_PATTERN, 'g')

/** Maps each id in the text to the number of the first line that contains it. */
const linesOfIds = (text: string): Map<string, number> => {
  const lines = new Map<string, number>()
  for (const [index, line] of text
    .toLowerCase()
    .split(/\r\n|\r|\n/)
    .entries())
    for (const [id] of line.matchAll(IDS)) if (!lines.has(id)) lines.set(id, index + 1)
  return lines
}
