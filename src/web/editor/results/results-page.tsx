import { EditorGate } from '#web/editor/editor-gate.tsx'
import { ResultsEditor } from './results-editor.tsx'

/** Step 1 of a quiz (spec §2 « Results screen »). */
const ResultsPage = () => (
  <EditorGate>{(session) => <ResultsEditor session={session} />}</EditorGate>
)

export default ResultsPage
