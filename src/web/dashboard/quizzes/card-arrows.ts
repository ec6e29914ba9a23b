/**
 * Returns the index in a grid that an arrow key leads to from `index`; undefined if there is none. From above the gap
 * of the last row, ArrowDown leads to the last item.
 */
export const indexAfterKey = (
  key: string,
  index: number,
  { count, columns }: { count: number; columns: number },
): number | undefined => {
  const isIn = (place: number): number | undefined =>
    place >= 0 && place < count ? place : undefined
  switch (key) {
    case 'ArrowRight':
      return isIn(index + 1)
    case 'ArrowLeft':
      return isIn(index - 1)
    case 'ArrowUp':
      return isIn(index - columns)
    case 'ArrowDown': {
      const isAboveLastRow = Math.floor(index / columns) < Math.floor((count - 1) / columns)
      return isAboveLastRow ? Math.min(index + columns, count - 1) : undefined
    }
    default:
      return undefined
  }
}

/** Returns the main link of the card that an arrow key leads to from another card's main link. */
export const findCardAfterKey = (link: HTMLElement, key: string): HTMLElement | undefined => {
  const grid = link.closest('ul')
  if (!grid) return undefined
  const links = [...grid.querySelectorAll<HTMLElement>('h2 > a')]
  const columns = getComputedStyle(grid).gridTemplateColumns.split(' ').length
  const place = indexAfterKey(key, links.indexOf(link), { count: links.length, columns })
  return place === undefined ? undefined : links[place]
}
