import type { ReactNode } from 'react'
import { isSondage } from '#domain/quiz.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { frenchText, linkedText } from './french-text.ts'
import type { Run } from './run.ts'

type Props = {
  quiz: Snapshot['quiz']
  run: Run
  /** Whether the server has refused the answers. */
  is_refused: boolean
  /** The actions offered next. */
  children: ReactNode
}

const titleOf = ({ quiz, run }: Props): string => {
  if (!run.is_finished) return 'Aucune page disponible'
  if (isSondage(quiz)) return 'Merci pour votre participation !'
  return run.result?.name ?? 'Aucun résultat ne correspond à ces réponses'
}

/** The screen after the last page (spec §2; decisions « Sondage »), or the only one of a quiz without pages. */
export const Ending = (props: Props) => {
  const { quiz, run, is_refused, children } = props
  return (
    <section className="q-ending">
      {run.is_finished && <p dir="auto">{frenchText(quiz.name)}</p>}
      <h1 className="q-title" dir="auto" tabIndex={-1}>
        {frenchText(titleOf(props))}
      </h1>
      {run.result?.description && (
        <p className="q-text" dir="auto">
          {linkedText(run.result.description)}
        </p>
      )}
      {is_refused && (
        <p className="q-refused" role="status">
          Vos réponses n’ont pas été transmises : ce questionnaire n’est plus publié.
        </p>
      )}
      {run.is_finished && children}
    </section>
  )
}
