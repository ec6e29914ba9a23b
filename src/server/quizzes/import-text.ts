import { imagesOf } from '#domain/pictured.ts'
import { sizeError } from '#domain/questionnaire-size.ts'
import type { Draft } from '#domain/quiz.ts'
import { type ParsedText, parseSteps } from '#domain/text-format-parse.ts'
import { findTimeZone } from '#server/account/time-zone.store.ts'
import type { Db } from '#server/db/database.ts'
import { invalid, refusedText } from '#server/http/errors.ts'
import { markUsed } from '#server/images/images.store.ts'
import { takeTurns } from '#server/runtime/take-turns.ts'
import { UUID_PATTERN } from '#server/uuid.ts'
import { createQuizFromDraft } from './import-quiz.ts'
import { refusalOfNewSlug } from './slugs.store.ts'

/**
 * Stores a text (docs/text-format.md) as a new quiz of its creator, within the caller's transaction. Returns its id and its
 * address. Throws a 400 that names each wrong line, or a 422 for a questionnaire that is too large; nothing is stored then.
 */
export const importText = async (
  db: Db,
  { creator_id, text }: { creator_id: string; text: string },
): Promise<{ quiz_id: string; slug: string | null }> => {
  const parsed = await runInTurns(parseSteps(text, await findTimeZone(db, creator_id)))
  if ('errors' in parsed) throw refusedLines(parsed.errors)
  const { draft, slug_line = 1 } = parsed
  const tooLarge = sizeError(draft)
  if (tooLarge) throw invalid(tooLarge)
  const { slug } = draft.quiz
  const errors = await foreignPictures(db, { creator_id, text, draft })
  const refusal = slug === null ? undefined : await refusalOfNewSlug(db, slug, creator_id)
  if (refusal) errors.push({ line: slug_line, message: `${refusal}.` })
  if (errors.length > 0) throw refusedLines(errors.sort((a, b) => a.line - b.line))
  return { quiz_id: await createQuizFromDraft(db, { creator_id, draft }), slug }
}

/** Returns the result of the steps; other work gets its turn between them. */
const runInTurns = async (steps: Generator<undefined, ParsedText>): Promise<ParsedText> => {
  const pause = takeTurns()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pause()
  }
}

type Refusal = { line: number; message: string }

const refusedLines = (errors: readonly Refusal[]) =>
  refusedText(errors.map(({ line, message }) => `Ligne ${line} : ${message}`))

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

/** The first line that names each id. */
const linesOfIds = (text: string): Map<string, number> => {
  const lines = new Map<string, number>()
  for (const [index, line] of text
    .toLowerCase()
    .split(/\r\n|\r|\n/)
    .entries())
    for (const [id] of line.matchAll(IDS)) if (!lines.has(id)) lines.set(id, index + 1)
  return lines
}
