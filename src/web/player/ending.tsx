import type { ReactNode } from 'react'
import { isSondage } from '#domain/quiz.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { ChangingText } from './changing-text.tsx'
import { frenchText, linkedText } from './french-text.ts'
import type { Refusal } from './player-api.ts'
import type { Run } from './run.ts'

type Props = {
  quiz: Snapshot['quiz']
  run: Run
  /** Why the server has refused the answers. */
  refusal: Refusal | undefined
  /** The actions offered next. */
  children: ReactNode
}

const REFUSALS: Record<Refusal, string> = {
  withdrawn: 'Vos réponses n’ont pas été transmises : ce questionnaire n’est plus publié.',
  closed: 'Vos réponses n’ont pas été transmises : ce questionnaire est clos.',
  refused: 'Vos réponses n’ont pas été transmises.',
}

const titleOf = ({ quiz, run }: Props): string => {
  if (!run.is_finished) return 'Aucune page disponible'
  if (isSondage(quiz)) return 'Merci pour votre participation !'
  return run.result?.name ?? 'Aucun résultat ne correspond à ces réponses'
}

/** The screen after the last page (spec §2; decisions « Sondage »), or the only one of a quiz without pages. */
export const Ending = (props: Props) => {
  const { quiz, run, refusal, children } = props
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
      {/* Empty at first: screen readers announce the text that is added later. */}
      <p className="q-refused" role="status">
        {refusal && <ChangingText>{REFUSALS[refusal]}</ChangingText>}
      </p>
      {run.is_finished && children}
    </section>
  )
}
