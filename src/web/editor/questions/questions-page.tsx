import { unifiedQuery } from '#web/api/queries.ts'
import { EditorGate, type QuizDetail } from '#web/editor/editor-gate.tsx'
import { useOpened } from '#web/editor/use-opened.ts'
import { Loading, Message } from '#web/ui/screen-state.tsx'
import { QuestionsEditor } from './questions-editor.tsx'

/** Step 2 of a quiz (spec §2 « Questions screen »). */
const QuestionsPage = () => <EditorGate>{(detail) => <WithContent detail={detail} />}</EditorGate>

const WithContent = ({ detail }: { detail: QuizDetail }) => {
  const { data, error } = useOpened(unifiedQuery(detail.quiz.id))
  if (data) return <QuestionsEditor detail={detail} unified={data} />
  return error ? <Message title={`Erreur: ${error.message}`} /> : <Loading text="Chargement..." />
}

export default QuestionsPage
