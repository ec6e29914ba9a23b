import { useQuery } from '@tanstack/react-query'
import type { Quiz } from '#domain/quiz.ts'
import { quizSwitchesQuery } from '#web/integrations/integration-queries.ts'
import { Loading } from '#web/ui/screen-state.tsx'
import { QuizProvider } from './quiz-provider.tsx'

/** Which tools the participants of a quiz go to (spec §2 « Settings screen »). */
export const IntegrationsTab = ({ quiz, onRenamed }: { quiz: Quiz; onRenamed: () => void }) => {
  const { data: switches, error } = useQuery(quizSwitchesQuery(quiz.id))
  if (error) return <p role="alert">Les intégrations n’ont pas pu être chargées.</p>
  if (!switches) return <Loading text="Chargement..." />
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <p className="text-sm text-ink-2">
        Les participants qui donnent leur adresse e-mail sont ajoutés aux outils activés ici, avec
        leur résultat.
      </p>
      {(['convertkit', 'systemio', 'brevo'] as const).map((provider) => (
        <QuizProvider
          key={provider}
          provider={provider}
          quiz={quiz}
          switches={switches}
          onRenamed={onRenamed}
        />
      ))}
    </div>
  )
}
