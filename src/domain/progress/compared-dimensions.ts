import { comparableText } from '#domain/common/comparable-text.ts'
import type { ComparedFigure } from './compare-campaigns.ts'

/** Dimension of a version. */
type NamedDimension = { id: string; name: string }

/**
 * Returns the key by which a dimension is found in two campaigns: its id within one questionnaire, where its name may have
 * changed, and otherwise its name without case, accents and repeated spaces.
 */
export const dimensionKey = ({ id, name }: NamedDimension, is_same_quiz: boolean): string =>
  is_same_quiz ? id : `nom ${comparableText(name)}`

/** Dimensions that two campaigns have in common, and the names of the others. */
export type ComparedDimensions = { common: ComparedFigure[]; left_out: string[] }

/**
 * Returns the dimensions of two campaigns, each given by the dimensions of its answered versions, newest version first.
 * Order and names are those of the later campaign.
 */
export const compareDimensions = (
  before: readonly (readonly NamedDimension[])[],
  after: readonly (readonly NamedDimension[])[],
  is_same_quiz: boolean,
): ComparedDimensions => {
  const collect = (versions: readonly (readonly NamedDimension[])[]): Map<string, string> => {
    const names = new Map<string, string>()
    for (const dimension of versions.flat()) {
      const key = dimensionKey(dimension, is_same_quiz)
      if (!names.has(key)) names.set(key, dimension.name)
    }
    return names
  }
  const [earlier, later] = [collect(before), collect(after)]
  const common = [...later].flatMap(([key, name]) => (earlier.has(key) ? [{ key, name }] : []))
  const left_out = [...earlier, ...later].flatMap(([key, name]) =>
    earlier.has(key) && later.has(key) ? [] : [name],
  )
  return { common, left_out: [...new Set(left_out)] }
}
