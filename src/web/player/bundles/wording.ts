import { pageWordingOf } from '#domain/run/wording/page-wording.ts'
import { parts, type WordingParts } from '#web/player/parts.ts'

/** Own labels and « tu », for pages whose quiz has them. */
const WORDING: WordingParts = { wordingOf: pageWordingOf }
Object.assign(parts, WORDING)
