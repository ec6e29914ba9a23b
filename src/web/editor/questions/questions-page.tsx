import { errorText } from '#web/api/error-text.ts'
import { unifiedQuery } from '#web/api/queries.ts'
import { EditorGate, type QuizDetail } from '#web/editor/editor-gate.tsx'
import { EditorSkeleton } from '#web/editor/editor-skeleton.tsx'
import { useOpened } from '#web/editor/use-opened.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Message } from '#web/ui/screen-state.tsx'
import { QuestionsEditor } from './questions-editor.tsx'

/** Step 2 of a quiz (spec §2 « Questions screen »). */
const QuestionsPage = () => <EditorGate>{(detail) => <WithContent detail={detail} />}</EditorGate>

const WithContent = ({ detail }: { detail: QuizDetail }) => {
  const { data, error } = useOpened(unifiedQuery(detail.quiz.id))
  if (data) return <QuestionsEditor detail={detail} unified={data} />
  if (!error) return <EditorSkeleton />
  return (
    <div className="p-4 sm:p-6">
      <Message
        title={errorText(error)}
        action={
          <ButtonLink to="/dashboard" variant="primary">
            Retour au dashboard
          </ButtonLink>
        }
      />
    </div>
  )
}

export default QuestionsPage
