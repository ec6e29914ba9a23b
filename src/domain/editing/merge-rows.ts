import type { Place } from './merge-order.ts'

/** One field to which two editings gave different values, or one thing they put in two places. */
export type EditConflict = {
  /** Names it among all clashes. */
  path: string
  mine: unknown
  theirs: unknown
} & ConflictLocation

/** A field; the quiz's own has no `id`, and a place is named as the field 'place'. */
export type ConflictLocation = {
  kind: 'quiz' | 'result' | 'question' | 'answer' | 'text_block' | 'association'
  id?: string
  /** The result, for an association. */
  result_id?: string
  field: string
}

export type Choice = 'mine' | 'theirs'
/** By path. */
export type Choices = Readonly<Record<string, Choice>>
/** What two editings began with, and what each has made of it. */
export type Versions<T> = { base: T; mine: T; theirs: T }
/** The same of a row, or of a value in it; without a base both have added it. */
export type RowVersions<T> = Omit<Versions<T>, 'base'> & { base: T | undefined }

type Row = { id: string }

const pathOf = ({ kind, id, result_id, field }: ConflictLocation): string =>
  [kind, id, result_id, field].filter((part) => part !== undefined).join('/')

export type MergeContext = ReturnType<typeof createMergeContext>

/** The rules of a merge for single values and for rows, with the clashes found so far. */
export const createMergeContext = (choices: Choices) => {
  const clashes: EditConflict[] = []

  /** Whether mine counts in a clash; theirs until a choice is made. */
  const isMine = (at: ConflictLocation, values: { mine: unknown; theirs: unknown }): boolean => {
    const path = pathOf(at)
    clashes.push({ path, ...at, ...values })
    return choices[path] === 'mine'
  }

  const field = <T>(at: ConflictLocation, { base, mine, theirs }: RowVersions<T>): T => {
    if (mine === base || mine === theirs) return theirs
    if (theirs === base) return mine
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

  /** What `mergeOrders` asks of rows of a kind. */
  const isPlacedByMe =
    (kind: ConflictLocation['kind'] | ((id: string) => ConflictLocation['kind'])) =>
    (id: string, places: { mine: Place; theirs: Place }): boolean =>
      isMine({ kind: typeof kind === 'string' ? kind : kind(id), id, field: 'place' }, places)

  return { clashes, field, fields, isPlacedByMe }
}

/**
 * The rows that stay, by id: those of both, merged; those one of them added; and those that one deleted
 * after the other had edited them. A row that both have and the base has not is merged without a base:
 * which of two values is the later cannot be told.
 */
export const mergeRows = <T extends Row>(
  versions: Versions<readonly T[]>,
  {
    isEdited,
    merge,
  }: {
    isEdited: (base: T, row: T, side: Choice) => boolean
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
