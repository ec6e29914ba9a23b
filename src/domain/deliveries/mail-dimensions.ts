import { formatPercent, shownDimensions } from '#domain/run/dimensions.ts'
import {
  type Block,
  blocksOf,
  fillRichText,
  type Insertions,
  type RichText,
} from '#domain/run/rich-text.ts'
import type { ResultMailInput } from './mail-insertions.ts'

/**
 * Returns the dimensions of a run as blocks of a mail: a list of percentages and tiers, then the texts. Empty if
 * the run shows no dimension. `read` parses the formatting of a text.
 */
export const mailDimensions = (
  { snapshot, replies }: Pick<ResultMailInput, 'snapshot' | 'replies'>,
  values: Insertions,
  read: (text: string) => RichText,
): Block[] => {
  const dimensions = shownDimensions(snapshot, replies)
  if (dimensions.length === 0) return []
  const figures = dimensions.map(({ name, percent, tier }): Block[] => [
    [`${name} : ${formatPercent(percent)}${tier ? ` (${tier.title})` : ''}`],
  ])
  const texts = dimensions.flatMap(({ name, tier, description }): Block[] => {
    const written = [tier?.text, description].flatMap((text) =>
      text ? blocksOf(fillRichText(read(text), values)) : [],
    )
    return written.length > 0 ? [[{ strong: [name] }], ...written] : []
  })
  return [{ list: figures }, ...texts]
}
