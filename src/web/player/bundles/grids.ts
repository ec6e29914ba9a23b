import { renderItems } from '#web/player/fields/grid.tsx'
import { type GridParts, parts } from '#web/player/parts.ts'

/** Grids, for pages whose quiz has one. */
const GRIDS: GridParts = { renderItems }
Object.assign(parts, GRIDS)
