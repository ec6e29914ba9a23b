/** @jsxImportSource #web/player */
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { DocumentLinks } from '#domain/reports/document.ts'
import { resultDetail } from '#domain/run/result-detail.ts'
import type { RichResult, RichSnapshot } from '#domain/run/rich-text.ts'
import { PUBLIC_RULES, shownResults } from '#domain/run/scoring.ts'
import { runStartPath } from '#domain/run/trial-runs.ts'
import type { Refusal } from '#web/player/run/player-api.ts'
import { NEW_RUN } from '#web/player/run/run.ts'
import type { ServedQuiz } from './noscript-page.tsx'
import { QuizPlayer } from './quiz-player.tsx'

/** The data of the end of a run without scripts. */
export type ServedEnding = {
  result: RichResult | null
  replies: Replies
  /** The reason why the answers were refused. */
  refusal?: Refusal
  /** Address of the same end without the automatic redirect; undefined when the result has no redirect. */
  stay_href?: string | undefined
  /** The documents of the participant. */
  documents?: DocumentLinks | undefined
  /** Content below the texts of the end page. */
  after?: ReactNode
}

/** Returns the results that are tied with the shown result; none when the replies do not lead to the shown result. */
const tiedResultsOf = (
  snapshot: RichSnapshot,
  replies: Replies,
  result: RichResult | null,
): RichResult[] => {
  const [first, ...ties] = shownResults(snapshot, replies, PUBLIC_RULES)
  return first?.id === result?.id ? ties : []
}

/** Renders the markup of the end of a run. */
export const renderEnding = (
  quiz: ServedQuiz,
  { result, replies, refusal, stay_href, documents, after }: ServedEnding,
): string => {
  const { quiz_id, snapshot, is_embedded } = quiz
  return renderToString(
    <QuizPlayer
      snapshot={snapshot}
      rules={PUBLIC_RULES}
      refusal={refusal}
      form={{ replies }}
      renderAfterEnd={() => after}
      links={{
        // The sandbox of a frame may forbid to replace the whole window, and no script notices.
        target: is_embedded ? '_blank' : undefined,
        // A shared result has the address of the quiz, after a trial run too.
        quiz_path: `/q/${quiz_id}`,
        restart: { href: `${runStartPath(quiz)}${is_embedded ? '?embed=1' : ''}` },
        stay: stay_href ? { href: stay_href } : undefined,
        documents,
      }}
      run={{
        ...NEW_RUN,
        page_index: groupIntoPages(snapshot).length,
        is_finished: true,
        replies,
        result,
        // At the moment 'page', each page has shown its corrections.
        ...(snapshot.quiz.shows_corrections === 'page' && {
          locked: snapshot.questions.map(({ id }) => id),
        }),
        detail: resultDetail(snapshot, replies),
        ties: tiedResultsOf(snapshot, replies, result),
      }}
    />,
  )
}
