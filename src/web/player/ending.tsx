import { isSondage } from '#domain/quiz.ts'
import type { Snapshot, SnapshotResult } from '#domain/snapshot.ts'

type Props = {
  quiz: Snapshot['quiz']
  result: SnapshotResult | null
  /** Absent: the run cannot be taken again from here. */
  onRestart?: () => void
}

const titleOf = ({ quiz, result }: Props): string => {
  if (isSondage(quiz)) return 'Merci pour votre participation !'
  return result?.name ?? 'Aucun résultat ne correspond à ces réponses'
}

/** What a run ends on (spec §2; decisions « Sondage »). */
export const Ending = (props: Props) => (
  <section className="q-ending">
    <p className="q-eyebrow">{props.quiz.name}</p>
    <h1 className="q-title" tabIndex={-1}>
      {titleOf(props)}
    </h1>
    {props.result?.description && <p className="q-text">{props.result.description}</p>}
    {props.onRestart && (
      <button type="button" className="q-next" onClick={props.onRestart}>
        Recommencer
      </button>
    )}
  </section>
)
