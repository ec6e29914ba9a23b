import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { isPublished } from '#domain/quiz.ts'
import { MOST_TEST_RUNS, TEST_RUN_DAYS } from '#domain/test-runs.ts'
import { quizQuery } from '#web/api/queries.ts'
import { QuizFailure } from '#web/ui/quiz-failure.tsx'
import { ScreenHeader } from '#web/ui/screen-header.tsx'
import { Loading, Message } from '#web/ui/screen-state.tsx'
import { testRunsQuery } from './queries.ts'
import { TestLink } from './test-link.tsx'
import { TestRunCard } from './test-run-card.tsx'

/** What was answered in tests of a quiz, and what each tool and webhook would have been sent. */
const TestRunsPage = () => {
  const { id = '' } = useParams()
  return <TestRuns key={id} quizId={id} />
}

const TestRuns = ({ quizId }: { quizId: string }) => {
  const quiz = useQuery(quizQuery(quizId))
  const listed = useQuery(testRunsQuery(quizId))
  const error = quiz.error ?? listed.error
  if (!quiz.data || !listed.data)
    return error ? <QuizFailure error={error} /> : <Loading text="Chargement..." />
  const { runs } = listed.data
  const way = isPublished(quiz.data.quiz) ? (
    <TestLink quizId={quizId} />
  ) : (
    <p className="text-sm">Publiez d’abord ce quiz : un test se fait sur la version publiée.</p>
  )
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 p-4 sm:p-6">
      <ScreenHeader
        title={`Réponses de test : ${quiz.data.quiz.name}`}
        back={{ to: `/quiz/${quizId}/settings`, label: 'Retour aux paramètres' }}
      />
      <p className="text-sm text-ink-2">
        {`Rien de ces réponses n’est compté ni envoyé. Les ${MOST_TEST_RUNS} dernières restent ${TEST_RUN_DAYS} jours. Ce qui aurait été envoyé suit les réglages actuels du quiz.`}
      </p>
      {runs.length === 0 ? (
        <Message
          title="Aucune réponse de test"
          text="Répondez au quiz en test : ce que chaque outil aurait reçu s’affiche ici."
          action={way}
        />
      ) : (
        <>
          {way}
          <ul className="flex flex-col gap-3">
            {runs.map((run, index) => (
              <TestRunCard key={run.id} quizId={quizId} run={run} isNewest={index === 0} />
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

export default TestRunsPage
