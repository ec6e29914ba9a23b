import { fillAddress, fillInsertions, insertionsOf } from '#domain/run/rich-text.ts'
import { linkedText } from '#web/player/content/rich-blocks.ts'
import { FilledLine, RichTextElement } from '#web/player/content/rich-text.tsx'
import { parts, type TextParts } from '#web/player/parts.ts'

/** Formatted texts, for pages whose quiz has marks, addresses or insertions. */
const TEXTS: TextParts = {
  insertionsOf: (snapshot, replies, result) =>
    insertionsOf(snapshot, replies, result, parts.dimensionInsertions?.(snapshot, replies)),
  fillInsertions,
  fillAddress,
  linkedText,
  FilledLine,
  RichTextElement,
}
Object.assign(parts, TEXTS)
