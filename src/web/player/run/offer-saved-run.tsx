/** @jsxImportSource #web/player */
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { otherText, replyPartsOf } from '#domain/run/replies.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import { PUBLIC_RULES } from '#domain/run/scoring.ts'
import { createRenderer } from '#web/player/jsx-runtime.ts'
import { parts, type SecondFileParts } from '#web/player/parts.ts'
import { resumeRun } from './resume-run.ts'
import { visibleReplies } from './visible-replies.ts'

/** Returns true if replies have a typed text, such as a name or an address. */
export const hasTypedTexts = (
  questions: readonly Pick<SnapshotQuestion, 'id' | 'type'>[],
  replies: Replies,
): boolean =>
  questions.some((question) => {
    const filled = replyPartsOf(replies, question)
    return isChoice(question) ? filled.some(otherText) : question.type !== 'scale' && filled.length
  })

const ResumeQuestion = ({
  quiz,
  onChoice,
}: {
  quiz: RichSnapshot['quiz']
  onChoice: (resumes: boolean) => void
}) => (
  <div className="q">
    <div className="q-sheet">
      <section>
        <h1 className="q-title" dir="auto" tabIndex={-1}>
          {quiz.name}
        </h1>
        <p>Ce questionnaire a été commencé sur cet appareil, et n’est pas terminé.</p>
        <div className="q-steps">
          <button type="button" className="q-back" onClick={() => onChoice(false)}>
            {parts.wordingOf(quiz, 'Recommencer')}
          </button>
          <button type="button" className="q-next" onClick={() => onChoice(true)}>
            Reprendre
          </button>
        </div>
      </section>
    </div>
  </div>
)

/** Asks whether to continue a run whose typed texts may belong to another person. */
const ask = (container: HTMLElement, quiz: RichSnapshot['quiz']): Promise<boolean> =>
  new Promise((resolve) => {
    const onChoice = (resumes: boolean): void => {
      container.replaceChildren()
      resolve(resumes)
      // The page of the run is shown in the meantime.
      setTimeout(() => container.querySelector('h1')?.focus())
    }
    createRenderer(container)(<ResumeQuestion quiz={quiz} onChoice={onChoice} />)
  })

/**
 * Returns the saved run of a tab, adapted to the questionnaire of the page. Asks first if the run has typed texts.
 * Undefined if the visitor begins again. A finished run comes back without typed texts.
 */
export const offerSavedRun: SecondFileParts['offerSavedRun'] = async (
  saved,
  { container, snapshot, version },
) => {
  const { questions, quiz } = snapshot
  const isTyped = !saved.is_finished && hasTypedTexts(questions, saved.replies)
  if (isTyped && !saved.is_confirmed && !(await ask(container, quiz))) return undefined
  const replies = visibleReplies(snapshot, saved)
  const pages = groupIntoPages(snapshot)
  // A finished run of another version shows only its end, because the pages of the versions differ.
  const isOther = saved.is_finished && saved.version !== version
  // A run that has begun skips the welcome screen.
  const page_index = isOther ? pages.length : Math.max(0, saved.page_index)
  // The snapshot of this page cannot explain the result of another version.
  const detail = isOther ? (saved.detail ?? null) : saved.detail
  const before = { ...saved, page_index, replies, detail }
  return { ...before, ...resumeRun({ snapshot, pages, rules: PUBLIC_RULES }, before) }
}
