import { cleanEmail } from '#domain/common/addresses.ts'
import { suggestEmail } from '#domain/common/email-slips.ts'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { createIsPageSkipped } from './path.ts'
import { replyTo } from './replies.ts'
import type { RichQuestion, RichSnapshot } from './rich-text.ts'

/** Form field with the positions of the email questions about whose address a run without scripts was asked. */
export const ASKED_EMAILS_FIELD = 'asked_emails'

/** Returns the address that the reply to an email question probably means; undefined without a typing slip. */
const suggestionFor = ({ id, type }: SnapshotQuestion, replies: Replies): string | undefined =>
  type === 'email' ? suggestEmail(cleanEmail(String(replyTo(replies, id)))) : undefined

/**
 * Returns the first visited page before `page_index` with addresses that have slips, and the positions of their questions.
 * Questions in `asked` are left out. Undefined if there is nothing to ask.
 */
export const emailsToAsk = (
  snapshot: Pick<Snapshot, 'questions' | 'text_blocks'>,
  {
    page_index,
    replies,
    asked,
  }: { page_index: number; replies: Replies; asked: readonly number[] },
): { page_index: number; positions: number[] } | undefined => {
  const isSkipped = createIsPageSkipped(snapshot.questions, replies)
  for (const [index, page] of groupIntoPages(snapshot).slice(0, page_index).entries()) {
    if (isSkipped(page.number)) continue
    const positions = page.items.flatMap((item) =>
      item.kind === 'question' &&
      !asked.includes(item.question.position) &&
      suggestionFor(item.question, replies)
        ? item.question.position
        : [],
    )
    if (positions.length > 0) return { page_index: index, positions }
  }
  return undefined
}

/**
 * Returns the snapshot with the email questions at these positions as choices between the suggested and the typed address,
 * which is chosen already. Their consent boxes are left out, because the visitor has answered them.
 */
export const withEmailChoices = (
  snapshot: RichSnapshot,
  { replies, positions }: { replies: Replies; positions: readonly number[] },
): RichSnapshot => ({
  ...snapshot,
  questions: snapshot.questions.map((question): RichQuestion => {
    const suggestion = positions.includes(question.position) && suggestionFor(question, replies)
    if (!suggestion) return question
    const { consent: _, measure: __, ...asked } = question
    const typed = String(replyTo(replies, question.id))
    const choiceOf = (id: string, text: string, position: number) => ({
      ...{ id, text, position },
      ...{ score: 0, associations: [] },
    })
    return {
      ...asked,
      type: 'multiple_choice',
      help_text: 'Laquelle de ces adresses est la bonne ?',
      answers: [
        choiceOf(suggestion, suggestion, 0),
        choiceOf(typed, `${typed} (adresse saisie)`, 1),
      ],
    }
  }),
})
