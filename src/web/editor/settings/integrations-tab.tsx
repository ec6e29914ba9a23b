import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import type { EditorDraft } from '#web/editor/draft/editor-draft.ts'
import { quizSwitchesQuery } from '#web/integrations/integration-queries.ts'
import { sentenceOf } from '#web/integrations/use-alerted.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Loading } from '#web/ui/screen-state.tsx'
import { QuizProvider } from './quiz-provider.tsx'

/** The tools that the participants of a quiz are forwarded to (spec §2 « Settings screen »). */
export const IntegrationsTab = ({
  session,
  draft,
}: {
  session: DraftSession
  draft: EditorDraft
}) => {
  const { quiz } = draft
  // Kept for this visit: a second switch may be clicked while the first is being stored.
  const [isAnswered, setAnswered] = useState(false)
  const query = useQuery(quizSwitchesQuery(quiz.id))
  const { data: switches, error } = query
  if (!switches && error) {
    const text = sentenceOf(error, 'Les intégrations n’ont pas pu être chargées.')
    return <LoadFailure text={text} query={query} />
  }
  if (!switches) return <Loading text="Chargement..." />
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <p className="text-sm text-ink-2">
        {quiz.consent_mode === 'box'
          ? 'Les participants qui donnent leur adresse e-mail et cochent la case sont ajoutés aux outils activés ici, avec leur résultat.'
          : 'Les participants qui donnent leur adresse e-mail sont ajoutés aux outils activés ici, avec leur résultat.'}
      </p>
      {(['convertkit', 'systemio', 'brevo'] as const).map((provider) => (
        <QuizProvider
          key={provider}
          provider={provider}
          session={session}
          draft={draft}
          switches={switches}
          asksFirst={!switches.has_been_enabled && !isAnswered}
          onAnswered={() => setAnswered(true)}
        />
      ))}
    </div>
  )
}
