import { fillAddress, fillInsertions, insertionsOf } from '#domain/run/rich-text.ts'
import { parts } from '#web/player/parts.ts'

/** Loads the rules of the part `texts`. Its components need a build. */
Object.assign(parts, { insertionsOf, fillInsertions, fillAddress })
