/** @jsxImportSource #web/player */
import { linkButtonOf } from '#domain/questionnaire/pages.ts'
import { totalScore } from '#domain/run/scoring.ts'
import { shownTexts } from '#domain/run/text-variants.ts'
import { CreatorText } from '#web/player/content/texts.tsx'
import { parts, type VariantParts } from '#web/player/parts.ts'

/**
 * Renders the conditional texts that the run shows, in their order, each with its button. Texts for a tier of a
 * dimension wait for the second file, as the dimensions do.
 */
export const Variants: VariantParts['Variants'] = ({
  snapshot,
  run: { is_finished, replies, result },
  insertions,
  links,
}) => {
  if (!is_finished) return null
  const texts = shownTexts(snapshot, 'page', {
    replies,
    result_id: result?.id ?? null,
    score: totalScore(snapshot, replies),
    dimension_scores: parts.dimensionScores?.(snapshot, replies) ?? [],
  })
  return texts.map(({ id, text, button_text, button_url }) => {
    const button = linkButtonOf(button_text, button_url)
    return (
      <div key={id} className="q-variant">
        {text && <CreatorText text={text} insertions={insertions} />}
        {button && (
          <a
            className="q-link"
            dir="auto"
            href={(insertions && parts.fillAddress?.(button.address, insertions)) ?? button.address}
            target={links ? links.target : '_blank'}
            rel="noopener"
          >
            {button.text}
          </a>
        )}
      </div>
    )
  })
}
