import { isSameContent } from '#domain/common/same-content.ts'
import type { DisplayedPosition } from './merge-order.ts'

/** Conflict of two edits: a field with two different values, or an item at two different places. */
export type EditConflict = {
  /** Unique name of the conflict. */
  path: string
  mine: unknown
  theirs: unknown
} & ConflictLocation

/** Location of a conflict. The quiz has no `id`, and the position of an item is the field 'place'. */
export type ConflictLocation = {
  kind:
    | 'quiz'
    | 'result'
    | 'question'
    | 'answer'
    | 'text_block'
    | 'association'
    | 'dimension'
    | 'text_variant'
  id?: string
  /** Result of an association. */
  result_id?: string
  field: string
}

/** Side of a merge: my edit or their edit. */
export type MergeSide = 'mine' | 'theirs'
/** Chosen sides by conflict path. */
export type ConflictChoices = Readonly<Record<string, MergeSide>>
/** Common base of two edits, and the two edited versions. */
export type MergeVersions<T> = { base: T; mine: T; theirs: T }
/** Versions of a row or of a value. Without a base, both edits have added it. */
export type RowVersions<T> = Omit<MergeVersions<T>, 'base'> & { base: T | undefined }

type Row = { id: string }

const pathOf = ({ kind, id, result_id, field }: ConflictLocation): string =>
  [kind, id, result_id, field].filter((part) => part !== undefined).join('/')

/** Merge rules with the conflicts found so far. */
export type MergeContext = ReturnType<typeof createMergeContext>

/** Returns the merge rules for fields and positions, which collect conflicts. `choices` decides conflicts. */
export const createMergeContext = (choices: ConflictChoices) => {
  const conflicts: EditConflict[] = []

  /** Records a conflict and returns true if my value is chosen. Without a choice, their value counts. */
  const isMine = (at: ConflictLocation, values: { mine: unknown; theirs: unknown }): boolean => {
    const path = pathOf(at)
    conflicts.push({ path, ...at, ...values })
    return choices[path] === 'mine'
  }

  const field = <T>(at: ConflictLocation, { base, mine, theirs }: RowVersions<T>): T => {
    if (isSameContent(mine, base) || isSameContent(mine, theirs)) return theirs
    if (isSameContent(theirs, base)) return mine
    return isMine(at, { mine, theirs }) ? mine : theirs
  }

  const fields = <T extends object>(
    at: Omit<ConflictLocation, 'field'>,
    names: readonly (keyof T & string)[],
    { base, mine, theirs }: RowVersions<T>,
  ): T => {
    const merged = { ...theirs }
    for (const name of names)
      merged[name] = field(
        { ...at, field: name },
        { base: base?.[name], mine: mine[name], theirs: theirs[name] },
      )
    return merged
  }

  /** Returns the callback of `mergeOrders` for rows of a kind. */
  const isPlacedByMe =
    (kind: ConflictLocation['kind'] | ((id: string) => ConflictLocation['kind'])) =>
    (id: string, places: { mine: DisplayedPosition; theirs: DisplayedPosition }): boolean =>
      isMine({ kind: typeof kind === 'string' ? kind : kind(id), id, field: 'place' }, places)

  return { conflicts, field, fields, isPlacedByMe }
}

/**
 * Returns the remaining rows by id: merged rows, added rows, and rows that one edit deleted and the other changed. A
 * row that both added is merged without a base, because no one knows which value is newer.
 */
export const mergeRows = <T extends Row>(
  versions: MergeVersions<readonly T[]>,
  {
    isEdited,
    merge,
  }: {
    isEdited: (base: T, row: T, side: MergeSide) => boolean
    merge: (versions: RowVersions<T>) => T
  },
): Map<string, T> => {
  const [base, mine, theirs] = [versions.base, versions.mine, versions.theirs].map(byId)
  const kept = new Map<string, T>()
  for (const id of new Set([...(theirs?.keys() ?? []), ...(mine?.keys() ?? [])])) {
    const [old, my, their] = [base?.get(id), mine?.get(id), theirs?.get(id)]
    if (my && their) kept.set(id, my === their ? my : merge({ base: old, mine: my, theirs: their }))
    else if (my && (!old || isEdited(old, my, 'mine'))) kept.set(id, my)
    else if (their && (!old || isEdited(old, their, 'theirs'))) kept.set(id, their)
  }
  return kept
}

const byId = <T extends Row>(rows: readonly T[]): Map<string, T> =>
  new Map(rows.map((row) => [row.id, row]))
