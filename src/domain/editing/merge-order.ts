/** Page of an item in a list; 0 in lists without pages. */
export type Position = { id: string; page_number: number }
/** Page and rank on the page, from 1, as shown to creators. */
export type DisplayedPosition = { page_number: number; rank: number }

type Orders = { base: readonly Position[]; mine: readonly Position[]; theirs: readonly Position[] }

/**
 * Merges two orders of one list. The result is their order, in which items that I moved or added follow their
 * predecessor in mine. Only ids in `kept` remain; if both moved an item to different places, `isMine` decides.
 */
export const mergeOrders = (
  { base, mine, theirs }: Orders,
  {
    kept,
    isMine,
  }: {
    kept: ReadonlySet<string>
    isMine: (id: string, places: { mine: DisplayedPosition; theirs: DisplayedPosition }) => boolean
  },
): Position[] => {
  if (mine === base) return theirs.filter(({ id }) => kept.has(id))
  const my = mine.filter(({ id }) => kept.has(id))
  const there = new Set(theirs.map(({ id }) => id))
  const before = new Set(base.map(({ id }) => id))
  const moved = movedIds(base, mine)
  const theirMoves = movedIds(base, theirs)
  const contested = contestedPlaces({ mine, theirs }, (id) => moved.has(id) && theirMoves.has(id))
  const isPlacedByMe = (id: string): boolean => {
    if (!there.has(id)) return true
    if (!before.has(id)) return false
    if (contested.has(id))
      return isMine(id, { mine: placeIn(mine, id), theirs: placeIn(theirs, id) })
    return moved.has(id) && !theirMoves.has(id)
  }
  const placed = new Set(my.map(({ id }) => id).filter(isPlacedByMe))
  const list = theirs.filter(({ id }) => kept.has(id) && !placed.has(id))
  for (const [index, position] of my.entries())
    if (placed.has(position.id)) insertAfter(list, position, my.slice(0, index))
  return list
}

/** Returns the items that both moved to different places: another page, or after another common item. */
const contestedPlaces = (
  { mine, theirs }: Pick<Orders, 'mine' | 'theirs'>,
  isMovedByBoth: (id: string) => boolean,
): Set<string> => {
  const [my, their] = [mine, theirs].map((side, index, sides) => {
    const other = new Set(sides[1 - index]?.map(({ id }) => id))
    return predecessors(side.filter(({ id }) => other.has(id)))
  })
  const common = [...(my?.keys() ?? [])]
  return new Set(common.filter((id) => isMovedByBoth(id) && my?.get(id) !== their?.get(id)))
}

/** Returns the page and the predecessor on that page of each item, as one string. */
const predecessors = (list: readonly Position[]): Map<string, string> =>
  new Map(
    list.map(({ id, page_number }, index) => {
      const previous = list[index - 1]
      return [id, `${page_number} ${previous?.page_number === page_number ? previous.id : ''}`]
    }),
  )

const placeIn = (list: readonly Position[], id: string): DisplayedPosition => {
  const page_number = list.find((item) => item.id === id)?.page_number ?? 0
  const page = list.filter((item) => item.page_number === page_number)
  return { page_number, rank: page.findIndex((item) => item.id === id) + 1 }
}

/** Inserts an item after the nearest of its predecessors on its page, or first on the page. */
const insertAfter = (
  list: Position[],
  position: Position,
  preceding: readonly Position[],
): void => {
  const isOnPage = ({ page_number }: Position): boolean => page_number === position.page_number
  const onPage = new Map(list.map((other, index) => [isOnPage(other) ? other.id : '', index]))
  const previous = preceding.findLast((other) => isOnPage(other) && onPage.has(other.id))
  const first = list.findIndex(({ page_number }) => page_number >= position.page_number)
  const start = first === -1 ? list.length : first
  list.splice(previous ? (onPage.get(previous.id) ?? 0) + 1 : start, 0, position)
}

/** Returns the items that are on another page or outside the longest subsequence that kept its order. */
const movedIds = (base: readonly Position[], side: readonly Position[]): Set<string> => {
  if (base === side) return new Set()
  const ranks = new Map(base.map(({ id }, rank) => [id, rank]))
  const pages = new Map(base.map(({ id, page_number }) => [id, page_number]))
  const known = side.filter(({ id }) => ranks.has(id))
  const still = longestIncreasing(known.map(({ id }) => ranks.get(id) ?? 0))
  return new Set(
    known
      .filter(({ id, page_number }, index) => !still.has(index) || pages.get(id) !== page_number)
      .map(({ id }) => id),
  )
}

/** Returns the indexes of a longest increasing subsequence. */
const longestIncreasing = (numbers: readonly number[]): Set<number> => {
  /** Index of the lowest last number of a subsequence, by its length minus 1. */
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [index, number] of numbers.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    previous[index] = low > 0 ? ends[low - 1] : undefined
    ends[low] = index
  }
  const run = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) run.add(index)
  return run
}
