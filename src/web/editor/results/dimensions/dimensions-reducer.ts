import {
  addDimension,
  addTier,
  editDimensions,
  spreadTiers,
} from '#domain/questionnaire/arrange-dimensions.ts'
import { type Dimension, nameOfDimension } from '#domain/questionnaire/dimensions.ts'
import type { DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import { type RowsAction, rowsUndoGroupKey, withRow } from '#domain/questionnaire/ordered-rows.ts'
import { withSharedSettings } from '#domain/questionnaire/shared-settings.ts'
import { type EditorDraft, newId } from '#web/editor/draft/editor-draft.ts'

/** Action on the dimensions of a draft. */
export type DimensionsAction =
  /** With a `question_id`, the question belongs to the new dimension. */
  | { type: 'dimension_added'; id: string; name: string; question_id?: string }
  | RowsAction<Dimension>
  | { type: 'tier_added'; id: string; tier_id: string }
  | ({ type: 'tier_changed'; id: string; tier_id: string } & Partial<Omit<DimensionTier, 'id'>>)
  | { type: 'tier_removed'; id: string; tier_id: string }
  | { type: 'tiers_spread'; id: string }
  | { type: 'question_assigned'; question_id: string; dimension_id: string | null }

/** Returns the draft after an action. */
export const dimensionsReducer = (draft: EditorDraft, action: DimensionsAction): EditorDraft => {
  switch (action.type) {
    case 'dimension_added': {
      const added = addDimension(draft, action)
      const { id, question_id } = action
      return added === draft || !question_id
        ? added
        : withSharedSettings(added, [question_id], { dimension_id: id })
    }
    case 'tier_added':
      return withTiers(draft, action.id, (tiers) => addTier(tiers, action.tier_id))
    case 'tier_changed': {
      const { type, id, tier_id, ...fields } = action
      return withTiers(draft, id, (tiers) =>
        withRow(tiers, tier_id, (tier) => ({ ...tier, ...fields })),
      )
    }
    case 'tier_removed':
      return withTiers(draft, action.id, (tiers) =>
        tiers.filter((tier) => tier.id !== action.tier_id),
      )
    case 'tiers_spread':
      return withTiers(draft, action.id, (tiers) => spreadTiers(tiers, newId))
    case 'question_assigned':
      return withSharedSettings(draft, [action.question_id], {
        dimension_id: action.dimension_id,
      })
    default:
      return editDimensions(draft, action)
  }
}

const withTiers = (
  draft: EditorDraft,
  id: string,
  change: (tiers: DimensionTier[]) => DimensionTier[],
): EditorDraft => ({
  ...draft,
  dimensions: withRow(draft.dimensions, id, (dimension) => ({
    ...dimension,
    tiers: change(dimension.tiers),
  })),
})

/** Returns the key of the typed field, whose successive changes form one undo step; null for other actions. */
export const dimensionsUndoGroupKey = (action: DimensionsAction): string | null =>
  action.type === 'tier_changed'
    ? Object.keys(action).concat(action.id, action.tier_id).join(' ')
    : rowsUndoGroupKey(action)

/** Returns the screen reader announcement of an action; undefined if a toast or the focused field announces it. */
export const dimensionsAnnouncement = (
  { dimensions }: Pick<EditorDraft, 'dimensions'>,
  action: DimensionsAction,
): string | undefined => {
  const nameOf = (id: string): string => nameOfDimension(dimensions, id)
  const count = dimensions.length
  switch (action.type) {
    case 'dimension_added':
      return `« ${nameOf(action.id)} » ajoutée : position ${count} sur ${count}`
    case 'moved': {
      const moved = dimensions[action.to]
      return action.is_dragged || !moved
        ? undefined
        : `« ${nameOf(moved.id)} » déplacée : position ${action.to + 1} sur ${count}`
    }
    case 'tier_removed':
      return `Palier supprimé de « ${nameOf(action.id)} »`
    case 'tiers_spread':
      return `Paliers répartis : ${nameOf(action.id)}`
    default:
      return undefined
  }
}
