import { formatNamedMoment } from '#web/ui/moments.ts'
import './statistics.css'

const CARDS = ['results', 'scores', 'days', 'questions']

/** Shows when the figures were counted, or a placeholder before the first count. */
export const CountingNote = ({ countedAt }: { countedAt: string | null }) =>
  countedAt === null ? (
    <section aria-busy="true" aria-labelledby="counting" className="flex flex-col gap-4">
      <div role="status">
        <h2 id="counting" className="text-lg font-semibold">
          Calcul en cours…
        </h2>
        <p className="text-ink-2">
          Cette sélection compte beaucoup de participants : leurs réponses sont déjà dans le
          tableau, les chiffres s’afficheront ici dans quelques secondes.
        </p>
      </div>
      <div aria-hidden="true" className="grid gap-4 lg:grid-cols-2">
        {CARDS.map((card) => (
          <div
            key={card}
            className="counting-card flex flex-col gap-3 rounded-xl border border-line p-4"
          >
            <span className="h-4 w-2/5 rounded bg-press" />
            <span className="h-2.5 w-full rounded bg-press" />
            <span className="h-2.5 w-4/5 rounded bg-press" />
            <span className="h-2.5 w-3/5 rounded bg-press" />
          </div>
        ))}
      </div>
    </section>
  ) : (
    <p role="status" className="rounded-xl bg-brand-wash px-4 py-3">
      Chiffres de {formatNamedMoment(countedAt, 'seconds')}, mise à jour en cours…
    </p>
  )
