import type { ReactNode } from 'react'
import { isSondage } from '#domain/quiz.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { frenchText } from './french-text.ts'
import type { Run } from './run.ts'

type Props = {
  quiz: Snapshot['quiz']
  run: Run
  /** What is offered next. */
  children: ReactNode
}

const titleOf = ({ quiz, run }: Props): string => {
  if (!run.is_finished) return 'Aucune page disponible'
  if (isSondage(quiz)) return 'Merci pour votre participation !'
  return run.result?.name ?? 'Aucun résultat ne correspond à ces réponses'
}

/** What comes after the pages (spec §2; decisions « Sondage »), or in their place when there are none. */
export const Ending = (props: Props) => {
  const { quiz, run, children } = props
  return (
    <section className="q-ending">
      {run.is_finished && <p>{frenchText(quiz.name)}</p>}
      <h1 className="q-title" tabIndex={-1}>
        {frenchText(titleOf(props))}
      </h1>
      {run.result?.description && <p className="q-text">{frenchText(run.result.description)}</p>}
      {run.is_finished && children}
    </section>
  )
}
