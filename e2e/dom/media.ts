/** Size and preferences that media queries ask for. */
export type MediaState = {
  width: number
  height: number
  colorScheme?: string
  reducedMotion?: string
}

const REM_PX = 16

const lengthOf = (number: string, unit: string): number =>
  Number(number) * (unit === 'px' ? 1 : REM_PX)

/** Returns true if a media query matches. Knows widths, colour scheme, motion and kinds of pointers; throws for others. */
export const matchesMedia = (query: string, state: MediaState): boolean =>
  query.split(/\s+and\s+/).every((part) => matchesPart(part.trim(), state))

const matchesPart = (
  part: string,
  { width, colorScheme = 'light', reducedMotion = 'no-preference' }: MediaState,
): boolean => {
  const range = /^\((min|max)-width:\s*([\d.]+)(px|rem|em)\)$/.exec(part)
  if (range) {
    const limit = lengthOf(range[2] ?? '', range[3] ?? '')
    return range[1] === 'min' ? width >= limit : width <= limit
  }
  const comparison = /^\(width\s*(<=|>=|<|>)\s*([\d.]+)(px|rem|em)\)$/.exec(part)
  if (comparison) {
    const limit = lengthOf(comparison[2] ?? '', comparison[3] ?? '')
    switch (comparison[1]) {
      case '<':
        return width < limit
      case '>':
        return width > limit
      case '<=':
        return width <= limit
      default:
        return width >= limit
    }
  }
  if (part.startsWith('(prefers-color-scheme')) return part.includes(colorScheme)
  if (part.startsWith('(prefers-reduced-motion')) return reducedMotion === 'reduce'
  if (/^\((?:any-)?pointer: coarse\)$/.test(part) || part === '(hover: none)') return false
  if (/^\((?:any-)?pointer: fine\)$/.test(part) || part === '(hover: hover)') return true
  if (part.startsWith('(prefers-contrast') || part.startsWith('(forced-colors')) return false
  throw new Error(`The DOM does not know the media query ${part}`)
}
