import { CARD, CARD_GRID } from './card-styles.ts'

const PLACES = ['1', '2', '3', '4', '5', '6']

/** Placeholders of the cards, shown when loading takes long enough to be noticed. */
export const QuizSkeletons = () => (
  <>
    <p role="status" className="sr-only">
      Chargement...
    </p>
    <div aria-hidden="true" className={`appear-late ${CARD_GRID}`}>
      {PLACES.map((place) => (
        <div key={place} className={CARD}>
          <div className="flex h-9 items-center">
            <Bar className="h-5 w-3/5" />
          </div>
          <div className="flex h-8 items-center gap-3 max-sm:h-11">
            <Bar className="h-5 w-20 rounded-full" />
            <Bar className="h-4 w-28" />
          </div>
          <Bar className="h-9 w-22 max-sm:h-11" />
        </div>
      ))}
    </div>
  </>
)

const Bar = ({ className }: { className: string }) => (
  <div className={`rounded-md bg-press ${className}`} />
)
