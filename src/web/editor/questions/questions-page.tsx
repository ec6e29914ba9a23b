import { EditorGate } from '#web/editor/editor-gate.tsx'
import { QuestionsEditor } from './questions-editor.tsx'

/** Step 2 of a quiz (spec §2 « Questions screen »). */
const QuestionsPage = () => (
  <EditorGate has_aside>{(session) => <QuestionsEditor session={session} />}</EditorGate>
)

export default QuestionsPage
