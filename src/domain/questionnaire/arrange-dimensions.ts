import { LIMITS } from '#domain/common/vocabulary.ts'
import { NEW_DIMENSION } from './defaults.ts'
import type { Dimension } from './dimensions.ts'
import type { DimensionTier } from './fields/list-values.ts'
import { editRows, type RowsAction } from './ordered-rows.ts'
import type { Draft } from './quiz.ts'
import { dropLostReferences } from './references.ts'

/** Edits of the dimensions of a draft. */

/** Returns the draft with a new last dimension; unchanged if it has the maximum number. */
export const addDimension = <D extends Draft>(
  draft: D,
  { id, name }: Pick<Dimension, 'id' | 'name'>,
): D => {
  const { dimensions, quiz } = draft
  if (dimensions.length >= LIMITS.dimensions) return draft
  const added = { ...NEW_DIMENSION, id, name, quiz_id: quiz.id, position: dimensions.length }
  return { ...draft, dimensions: editRows(dimensions, { type: 'added', row: added }, 'position') }
}

/** Returns the draft after an edit of its dimensions. The questions of a removed dimension then belong to none. */
export const editDimensions = <D extends Draft>(draft: D, action: RowsAction<Dimension>): D => {
  const dimensions = editRows(draft.dimensions, action, 'position')
  return action.type === 'removed'
    ? dropLostReferences({ ...draft, dimensions })
    : { ...draft, dimensions }
}

/** Titles of evenly divided tiers, by their number. */
const EVEN_TITLES = [
  ['Global'],
  ['Faible', 'Fort'],
  ['Faible', 'Moyen', 'Fort'],
  ['Faible', 'Moyen', 'Bon', 'Fort'],
  ['Très faible', 'Faible', 'Moyen', 'Fort', 'Très fort'],
]
const USUAL_TIER_COUNT = 3

/**
 * Returns tiers that divide 0 to 100 percent evenly: the given tiers with other bounds, or three new ones. Titles and
 * texts stay; a blank title gets a usual one.
 */
export const spreadTiers = (
  tiers: readonly DimensionTier[],
  newId: () => string,
): DimensionTier[] => {
  const count = tiers.length || USUAL_TIER_COUNT
  const start = (rank: number): number => Math.ceil((rank * 101) / count)
  return Array.from({ length: count }, (_, rank) => {
    const { id = newId(), title = '', text = null } = tiers[rank] ?? {}
    return {
      id,
      from_percent: start(rank),
      to_percent: start(rank + 1) - 1,
      title: title.trim() ? title : (EVEN_TITLES[count - 1]?.[rank] ?? ''),
      text,
    }
  })
}

/** Returns the tiers with a new last one, which begins after the highest bound. */
export const addTier = (tiers: readonly DimensionTier[], id: string): DimensionTier[] => {
  const highest = Math.max(-1, ...tiers.map(({ to_percent }) => to_percent))
  const from_percent = Math.min(highest + 1, 100)
  return [...tiers, { id, from_percent, to_percent: 100, title: '', text: null }]
}
