import { cutText } from '#domain/cut-text.ts'

type Room = {
  widthOf: (text: string) => number
  max_width: number
  max_lines: number
}

const ELLIPSIS = '…'

/**
 * A text as lines that fit: broken between words, within a word that is wider than a line, and cut
 * with an ellipsis where the room ends.
 */
export const wrapText = (text: string, room: Room): { lines: string[]; is_cut: boolean } => {
  const lines: string[] = []
  for (const word of text.split(' ').flatMap((one) => breakWord(one, room))) {
    const line = lines.at(-1)
    const joined = line === undefined ? word : `${line} ${word}`
    if (line !== undefined && room.widthOf(joined) <= room.max_width) lines.splice(-1, 1, joined)
    else lines.push(word)
  }
  if (lines.length <= room.max_lines) return { lines, is_cut: false }
  const kept = lines.slice(0, room.max_lines)
  const last = kept.pop() ?? ''
  return { lines: [...kept, cut(last, room)], is_cut: true }
}

const breakWord = (word: string, { widthOf, max_width }: Room): string[] => {
  const pieces: string[] = ['']
  for (const character of word) {
    const longer = (pieces.at(-1) ?? '') + character
    if (longer.length === 1 || widthOf(longer) <= max_width) pieces.splice(-1, 1, longer)
    else pieces.push(character)
  }
  return pieces
}

const cut = (line: string, { widthOf, max_width }: Room): string => {
  let kept = line
  while (kept !== '' && widthOf(kept + ELLIPSIS) > max_width) kept = cutText(kept, kept.length - 1)
  return kept.trimEnd() + ELLIPSIS
}
