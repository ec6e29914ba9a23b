import { useState } from 'react'
import { Navigate } from 'react-router'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { areQuestionsLocked } from '#web/editor/fields/steps.ts'
import { EditorGate } from '#web/editor/frame/editor-gate.tsx'
import { QuestionsEditor } from './questions-editor.tsx'

/** Shows step 2 of a quiz (product 7.7). Redirects to step 1 while step 2 is locked. */
const QuestionsPage = () => (
  <EditorGate has_aside>{(session) => <UnlockedQuestions session={session} />}</EditorGate>
)

export default QuestionsPage

const UnlockedQuestions = ({ session }: { session: DraftSession }) => {
  // Checked only when the screen opens, so that deleting a result in another tab does not close the screen.
  const [isLocked] = useState(() => {
    const { quiz, results } = session.view().draft
    return areQuestionsLocked({ quiz, result_count: results.length })
  })
  return isLocked ? (
    <Navigate to="../results" relative="path" replace />
  ) : (
    <QuestionsEditor session={session} />
  )
}
