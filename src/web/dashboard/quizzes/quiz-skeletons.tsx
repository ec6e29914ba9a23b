import {
  ACTIONS_ROW,
  CARD,
  CARD_BODY,
  CARD_GRID,
  FIGURES_ROW,
  KIND_ROW,
  MINIATURE,
  SPLIT_ROW,
} from './card-styles.ts'

const PLACES = ['1', '2', '3', '4', '5', '6']

/** Renders placeholders of the cards after a short delay. */
export const QuizSkeletons = () => (
  <>
    <p role="status" className="sr-only">
      Chargement...
    </p>
    {/* Place of the sort field. */}
    <div aria-hidden="true" className="h-10 pointer-coarse:h-11" />
    <div aria-hidden="true" className={`appear-late ${CARD_GRID}`}>
      {PLACES.map((place) => (
        <div key={place} className={CARD}>
          <div className={`${MINIATURE} bg-wash`}>
            <Bar className="h-5 w-3/5" />
          </div>
          <div className={CARD_BODY}>
            <div className={KIND_ROW}>
              <Bar className="h-5 w-20 rounded-full" />
              <Bar className="h-4 w-12" />
            </div>
            <div className={FIGURES_ROW}>
              <Bar className="h-10 w-16" />
              <Bar className="h-10 w-14" />
            </div>
            <div className={SPLIT_ROW}>
              <Bar className="h-2 w-full rounded-full" />
            </div>
            <div className={ACTIONS_ROW}>
              <Bar className="h-9 w-22" />
            </div>
          </div>
        </div>
      ))}
    </div>
  </>
)

const Bar = ({ className }: { className: string }) => (
  <div className={`rounded-md bg-press ${className}`} />
)
