import { pageWordingOf } from '#domain/run/wording/page-wording.ts'
import { parts, type WordingParts } from '#web/player/parts.ts'

/** Labels of the creator and « tu », for pages of quizzes with these settings. */
const WORDING: WordingParts = { wordingOf: pageWordingOf }
Object.assign(parts, WORDING)
