import { isPublished, type Quiz } from '#domain/quiz.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { TestLink } from './test-link.tsx'

/** Where a creator tries what happens to a participant, without one. */
export const TestEntry = ({ quiz }: { quiz: Pick<Quiz, 'id' | 'status'> }) => (
  <section className="flex flex-col gap-2 rounded-xl border border-line p-4">
    <h2 className="text-base font-semibold">Tout essayer sans rien envoyer</h2>
    <p className="text-sm text-ink-2">
      Répondez au quiz comme un participant : rien n’est compté ni envoyé, et vous voyez exactement
      ce que chaque outil et chaque webhook aurait reçu.
    </p>
    <div className="flex flex-wrap items-center gap-3">
      {isPublished(quiz) ? (
        <TestLink quizId={quiz.id} />
      ) : (
        <p className="text-sm">Publiez d’abord ce quiz : un test se fait sur la version publiée.</p>
      )}
      <ButtonLink to={`/quiz/${quiz.id}/essais`}>Voir les réponses de test</ButtonLink>
    </div>
  </section>
)
