import { Variants } from '#web/player/ending/conditional-texts.tsx'
import { parts, type VariantParts } from '#web/player/parts.ts'

/** Conditional texts, for pages whose quiz has some. A run shows them without the second file. */
const VARIANTS: VariantParts = { Variants }
Object.assign(parts, VARIANTS)
