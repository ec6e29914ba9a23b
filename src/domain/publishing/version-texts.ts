import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { CERTIFICATE_TEXT } from '#domain/reports/certificate.ts'
import { addQuestionNotes, NO_NOTES } from '#domain/run/question-notes.ts'
import { readTexts } from '#domain/run/rich-text.ts'

/**
 * Returns the formatted texts of a version, each once: of its pages, with and without the note at the email question, of
 * its documents and of its mails.
 */
export const textsOfVersion = (snapshot: Snapshot): string[] => {
  const texts = new Set([snapshot.quiz.certificate_text ?? CERTIFICATE_TEXT])
  const mailed = addQuestionNotes(snapshot, { ...NO_NOTES, is_mailed: true })
  for (const shown of [snapshot, mailed])
    readTexts(shown, (text) => {
      texts.add(text)
      return text
    })
  return [...texts]
}
