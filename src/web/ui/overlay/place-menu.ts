type Size = { width: number; height: number }
type Box = { left: number; right: number; top: number; bottom: number }

/** Where a menu opens: under its opener, its end or its start in line with it, or beside an item of another menu. */
export type Side = 'below-end' | 'below-start' | 'beside'

/** Free space between a menu and the edges of the screen. */
const MARGIN = 8
const GAP = 4

/**
 * The place of a menu of this size by its opener, always inside the screen: it opens to the other side where
 * the first has no room, and scrolls in itself where neither has.
 */
export const placeMenu = (
  opener: Box,
  size: Size,
  { view, side }: { view: Size; side: Side },
): { left: number; top: number; max_height: number } => {
  const most = Math.max(0, view.height - 2 * MARGIN)
  if (side === 'beside') {
    const height = Math.min(size.height, most)
    const isRight = opener.right + size.width <= view.width - MARGIN
    return {
      left: within(isRight ? opener.right : opener.left - size.width, size.width, view.width),
      top: within(opener.top, height, view.height),
      max_height: most,
    }
  }
  const below = view.height - opener.bottom - GAP - MARGIN
  const above = opener.top - GAP - MARGIN
  const isBelow = size.height <= below || below >= above
  // An opener that was scrolled out of the screen leaves more room than the screen has.
  const max_height = Math.min(most, isBelow ? below : above)
  const height = Math.min(size.height, max_height)
  const start = side === 'below-start' ? opener.left : opener.right - size.width
  return {
    left: within(start, size.width, view.width),
    top: within(isBelow ? opener.bottom + GAP : opener.top - GAP - height, height, view.height),
    max_height,
  }
}

/** The start nearest to the wanted one that keeps a length inside the screen. */
const within = (start: number, length: number, screen: number): number =>
  Math.max(MARGIN, Math.min(start, screen - MARGIN - length))
