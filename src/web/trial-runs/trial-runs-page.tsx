import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { settingsPath } from '#domain/common/settings-path.ts'
import { isPublished, quizNoun } from '#domain/questionnaire/quiz.ts'
import { MAX_TRIAL_RUNS, TRIAL_RUN_RETENTION_DAYS } from '#domain/run/trial-runs.ts'
import { quizQuery } from '#web/api/queries.ts'
import { QuizFailure } from '#web/ui/feedback/quiz-failure.tsx'
import { Loading, Message } from '#web/ui/feedback/screen-state.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { ScreenHeader } from '#web/ui/screen-header.tsx'
import { TrialLink } from './trial-link.tsx'
import { TrialRunCard } from './trial-run-card.tsx'
import { trialRunsQuery } from './trial-run-queries.ts'

/**
 * Renders the answers of the trial runs of a quiz, and the requests that each tool and webhook would have received.
 */
const TrialRunsPage = () => {
  const { id = '' } = useParams()
  return <TrialRuns key={id} quizId={id} />
}

const TrialRuns = ({ quizId }: { quizId: string }) => {
  const quiz = useQuery(quizQuery(quizId))
  const listed = useQuery(trialRunsQuery(quizId))
  const error = quiz.error ?? listed.error
  if (!quiz.data || !listed.data)
    return error ? <QuizFailure error={error} /> : <Loading text="Chargement..." />
  const { runs } = listed.data
  const trialLink = isPublished(quiz.data.quiz) ? (
    <TrialLink quizId={quizId} />
  ) : (
    <p className="text-sm">
      Publiez d’abord ce {quizNoun(quiz.data.quiz)} : un test se fait sur la version publiée.
    </p>
  )
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 p-4 sm:p-6">
      <ScreenHeader
        title={`Réponses de test : ${quiz.data.quiz.name}`}
        back={{ to: settingsPath(quizId, 'automatisations'), label: 'Retour aux réglages' }}
      />
      <p className="text-sm text-ink-2">
        <HelpLink about="réponses de test" page="tests#repondre-en-test" />
        {`Rien de ces réponses n’est compté ni envoyé. Les ${MAX_TRIAL_RUNS} dernières restent ${TRIAL_RUN_RETENTION_DAYS} jours. Ce qui aurait été envoyé suit les réglages actuels du ${quizNoun(quiz.data.quiz)}.`}
      </p>
      {runs.length === 0 ? (
        <Message
          title="Aucune réponse de test"
          text={`Répondez au ${quizNoun(quiz.data.quiz)} en test : ce que chaque outil aurait reçu s’affiche ici.`}
          action={trialLink}
        />
      ) : (
        <>
          {trialLink}
          <ul className="flex flex-col gap-3">
            {runs.map((run, index) => (
              <TrialRunCard key={run.id} quizId={quizId} run={run} isNewest={index === 0} />
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

export default TrialRunsPage
