/** Size, pointer and preferences that media queries ask for. */
export type MediaState = {
  width: number
  height: number
  has_touch?: boolean
  colorScheme?: string
  reducedMotion?: string
}

const REM_PX = 16

/** Returns true if a media query matches. Knows sizes, colour scheme, motion and kinds of pointers; throws for others. */
const matchesMedia = (query: string, state: MediaState): boolean =>
  query
    .split(/\s+or\s+/)
    .some((choice) => choice.split(/\s+and\s+/).every((part) => matchesPart(part.trim(), state)))

const matchesPart = (part: string, state: MediaState): boolean => {
  const { has_touch = false, colorScheme = 'light', reducedMotion = 'no-preference' } = state
  const range = /^\((min|max)-(width|height):\s*([\d.]+)(px|rem|em)\)$/.exec(part)
  const comparison = /^\((width|height)\s*(<=|>=|<|>)\s*([\d.]+)(px|rem|em)\)$/.exec(part)
  const [, side, operator, limit, unit] = comparison ?? [
    '',
    range?.[2],
    range?.[1] === 'min' ? '>=' : '<=',
    range?.[3],
    range?.[4],
  ]
  if (side === 'width' || side === 'height')
    return compare(state[side], operator ?? '', Number(limit) * (unit === 'px' ? 1 : REM_PX))
  if (part.startsWith('(prefers-color-scheme')) return part.includes(colorScheme)
  if (part.startsWith('(prefers-reduced-motion')) return reducedMotion === 'reduce'
  if (/^\((?:any-)?pointer: coarse\)$/.test(part) || part === '(hover: none)') return has_touch
  if (/^\((?:any-)?pointer: fine\)$/.test(part) || part === '(hover: hover)') return !has_touch
  if (part.startsWith('(prefers-contrast') || part.startsWith('(forced-colors')) return false
  throw new Error(`The DOM does not know the media query ${part}`)
}

const compare = (size: number, operator: string, limit: number): boolean => {
  switch (operator) {
    case '<':
      return size < limit
    case '>':
      return size > limit
    case '<=':
      return size <= limit
    default:
      return size >= limit
  }
}

/** Creates `matchMedia` of a window, and the function that tells its queries that the state has changed. */
export const createMedia = (state: MediaState) => {
  type Listener = (event: { matches: boolean; media: string }) => void
  const listened = new Map<Listener, { query: string; was: boolean }>()
  const matchMedia = (query: string) => ({
    media: query,
    get matches() {
      return matchesMedia(query, state)
    },
    addEventListener: (_type: string, listener: Listener): void => {
      listened.set(listener, { query, was: matchesMedia(query, state) })
    },
    removeEventListener: (_type: string, listener: Listener): void => {
      listened.delete(listener)
    },
  })
  const announceChange = (): void => {
    for (const [listener, known] of listened) {
      const matches = matchesMedia(known.query, state)
      if (matches === known.was) continue
      known.was = matches
      listener({ matches, media: known.query })
    }
  }
  return { matchMedia, announceChange }
}
