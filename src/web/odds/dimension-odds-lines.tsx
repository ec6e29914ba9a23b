import type { DimensionOdds, ImpossibleTier } from '#domain/odds/dimension-odds.ts'
import type { ExtremeOdds } from '#domain/odds/joint-dimensions.ts'
import { emptyInsertions, probabilityLabel } from './odds-labels.ts'
import { tierImpossibilityReason } from './tier-labels.ts'

/**
 * Shows the probability of each tier of each dimension, and the share of runs in which each insertion is empty. Renders
 * nothing without dimensions.
 */
export const DimensionOddsLines = ({
  dimensions,
  impossible_tiers,
  extremes,
}: {
  dimensions: readonly DimensionOdds[]
  impossible_tiers: readonly ImpossibleTier[]
  extremes: ExtremeOdds | null
}) =>
  dimensions.length > 0 && (
    <>
      <TierLines dimensions={dimensions} impossible_tiers={impossible_tiers} />
      {extremes && <EmptyInsertions dimensions={dimensions} extremes={extremes} />}
    </>
  )

const TierLines = ({
  dimensions,
  impossible_tiers,
}: {
  dimensions: readonly DimensionOdds[]
  impossible_tiers: readonly ImpossibleTier[]
}) => (
  <ul aria-label="Dimensions" className="flex flex-col gap-3 text-sm">
    {dimensions.map(({ id, name, tiers, no_tier_probability, hidden_probability, ...odds }) => (
      <li key={id} className="flex flex-col gap-1">
        <span className="font-medium wrap-anywhere" dir="auto">
          {name}
        </span>
        <ul className="flex flex-col gap-1 text-xs">
          {tiers.map((tier) => {
            const found = impossible_tiers.find(({ tier_id }) => tier_id === tier.id)
            const isUnseen = tier.probability === 0 && !odds.is_exact
            return (
              <Line key={tier.id} name={tier.title}>
                {found
                  ? `ne peut pas sortir\u00a0: ${tierImpossibilityReason(found.why)}`
                  : probabilityLabel(isUnseen ? Number.MIN_VALUE : tier.probability)}
              </Line>
            )
          })}
          {tiers.length > 0 && no_tier_probability > 0 && (
            <Line name="Aucun palier">{probabilityLabel(no_tier_probability)}</Line>
          )}
          {hidden_probability > 0 && (
            <Line name="Non affichée">{probabilityLabel(hidden_probability)}</Line>
          )}
        </ul>
      </li>
    ))}
  </ul>
)

/** Shows for each insertion of dimensions how often a run leaves it empty. */
const EmptyInsertions = ({
  dimensions,
  extremes,
}: {
  dimensions: readonly DimensionOdds[]
  extremes: ExtremeOdds
}) => (
  <details className="text-xs">
    <summary className="py-1 text-sm font-medium">Insertions vides</summary>
    <p className="text-ink-2">
      Part des parcours où rien n’est inséré : une dimension sans réponse n’a pas de pourcentage, et
      des dimensions égales n’ont ni point fort ni point faible.
    </p>
    <ul aria-label="Insertions vides" className="mt-1 flex flex-col gap-1">
      {emptyInsertions(dimensions, extremes).map(({ name, label }) => (
        <Line key={name} name={`{{${name}}}`}>
          {label}
        </Line>
      ))}
    </ul>
  </details>
)

const Line = ({ name, children }: { name: string; children: string }) => (
  <li className="flex flex-wrap justify-between gap-x-3">
    <span className="min-w-0 wrap-anywhere" dir="auto">
      {name}
    </span>
    <span className="tabular-nums">{children}</span>
  </li>
)
