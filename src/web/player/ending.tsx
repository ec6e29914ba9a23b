import type { ReactNode } from 'react'
import type { Insertions } from '#domain/insertions.ts'
import { isSondage } from '#domain/quiz.ts'
import type { RichSnapshot } from '#domain/rich-text.ts'
import { ChangingText } from './changing-text.tsx'
import { frenchText } from './french-text.ts'
import type { Refusal } from './player-api.ts'
import { RichWords } from './rich-words.tsx'
import type { Run } from './run.ts'

type Props = {
  quiz: RichSnapshot['quiz']
  run: Run
  insertions: Insertions | null
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
  const { quiz, run, insertions, refusal, children } = props
  return (
    <section className="q-ending">
      {run.is_finished && <p dir="auto">{frenchText(quiz.name)}</p>}
      <h1 className="q-title" dir="auto" tabIndex={-1}>
        {frenchText(titleOf(props))}
      </h1>
      {run.result?.description && (
        <RichWords text={run.result.description} insertions={insertions} />
      )}
      {/* Empty at first: screen readers announce the text that is added later. */}
      <p className="q-refused" role="status">
        {refusal && <ChangingText>{REFUSALS[refusal]}</ChangingText>}
      </p>
      {run.is_finished && children}
    </section>
  )
}
