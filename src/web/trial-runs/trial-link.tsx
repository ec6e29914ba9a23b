import { useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { isPublished, type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { OutsideLink } from '#web/ui/form/link-field.tsx'
import { trialLinkQuery } from './trial-run-queries.ts'

const LABEL = 'Répondre en test'

/** Renders a link that opens the published quiz as a trial in a new tab. */
export const TrialLink = ({ quizId }: { quizId: string }) => {
  const { data, error } = useQuery(trialLinkQuery(quizId))
  // An older link still opens, so an error only shows without a link.
  if (error && !data)
    return (
      <p role="alert" className="text-sm text-bad">
        {failureText(error, 'Le lien de test n’a pas pu être créé.')}
      </p>
    )
  if (!data) return <span className="text-sm text-ink-2">{LABEL}…</span>
  return (
    <OutsideLink href={data.url} icon={<FlaskConical aria-hidden="true" />}>
      {LABEL}
    </OutsideLink>
  )
}

/** Renders the entry to a trial run, which shows the effects on a participant without creating one. */
export const TrialRunLink = ({ quiz }: { quiz: Pick<Quiz, 'id' | 'status' | 'type'> }) => (
  <section className="flex flex-col gap-2 rounded-xl border border-line p-4">
    <h2 className="text-base font-semibold">Tout tester sans rien envoyer</h2>
    <p className="text-sm text-ink-2">
      Répondez au {quizNoun(quiz)} comme un participant : rien n’est compté ni envoyé, et vous voyez
      exactement ce que chaque outil et chaque webhook aurait reçu.
    </p>
    <div className="flex flex-wrap items-center gap-3">
      {isPublished(quiz) ? (
        <TrialLink quizId={quiz.id} />
      ) : (
        <p className="text-sm">
          Publiez d’abord ce {quizNoun(quiz)} : un test se fait sur la version publiée.
        </p>
      )}
      <ButtonLink to={`/quiz/${quiz.id}/essais`}>Voir les réponses de test</ButtonLink>
    </div>
  </section>
)
