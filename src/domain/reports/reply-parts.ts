import { tiePunctuation } from '#domain/common/french-spacing.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import {
  correctionOf,
  correctionsOf,
  correctionsSummary,
  VERDICT_LABELS,
  VERDICT_SIGNS,
} from '#domain/run/corrections/corrections.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { replyTexts } from '#domain/run/replies.ts'
import {
  type Block,
  blocksOf,
  fillInsertions,
  fillRichText,
  type Insertions,
} from '#domain/run/rich-text.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'
import { type DocumentPart, type ParseText, pictureParts } from './document.ts'

/** Text for a blank reply. */
const NO_REPLY = 'Sans réponse'

const showsCorrections = ({ quiz }: Pick<Snapshot, 'quiz'>): boolean =>
  (quiz.shows_corrections ?? 'never') !== 'never'

/** Returns the replies of a run, with verdicts and explanations if the quiz shows corrections. */
export const replyParts = (
  { snapshot, replies }: { snapshot: Snapshot; replies: Replies },
  values: Insertions,
  read: ParseText,
): DocumentPart[] => {
  const visited = visitedQuestions(snapshot.questions, replies)
  if (visited.length === 0) return []
  const parts = visited.flatMap((question, rank): DocumentPart[] => {
    const answers = replyTexts(question, replies)
    return [
      ...(question.grid_title
        ? [{ kind: 'heading' as const, level: 3 as const, text: question.grid_title }]
        : []),
      {
        kind: 'reply',
        question: `${rank + 1}. ${fillInsertions(question.text, values)}`,
        answers: answers.length > 0 ? answers : [NO_REPLY],
        ...(showsCorrections(snapshot)
          ? correctionParts(question, replies, { values, read })
          : { notes: [] }),
      },
      ...pictureParts(question),
    ]
  })
  const corrections = showsCorrections(snapshot) ? correctionsOf(snapshot.questions, replies) : []
  return [
    { kind: 'heading', level: 2, text: wordingOf(snapshot.quiz, 'Vos réponses') },
    ...(corrections.length > 0
      ? [{ kind: 'note' as const, text: correctionsSummary(corrections) }]
      : []),
    ...parts,
  ]
}

/**
 * Returns the verdict on a reply, the right answers that were not chosen, and the explanation. Returns nothing for a
 * question without a right answer.
 */
const correctionParts = (
  question: SnapshotQuestion,
  replies: Replies,
  { values, read }: { values: Insertions; read: ParseText },
): { notes: string[]; explanation?: Block[] } => {
  const correction = correctionOf(question, replies)
  if (!correction) return { notes: [] }
  const { verdict, answers } = correction
  const missed = answers.filter(({ is_right, is_chosen }) => is_right && !is_chosen)
  const title = missed.length > 1 ? 'Bonnes réponses' : 'Bonne réponse'
  const solution = tiePunctuation(`${title} : ${missed.map(({ text }) => text).join(', ')}`)
  const explanation = question.explanation
    ? blocksOf(fillRichText(read(question.explanation), values))
    : []
  return {
    notes: [
      `${VERDICT_SIGNS[verdict]} ${VERDICT_LABELS[verdict]}`,
      ...(missed.length > 0 ? [solution] : []),
    ],
    ...(explanation.length > 0 && { explanation }),
  }
}
