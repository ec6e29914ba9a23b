import { useEffect, useMemo, useReducer } from 'react'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { mayHaveMarks, type RichSnapshot, type RichText, readTexts } from '#domain/run/rich-text.ts'
import { type Parser, useParser } from '#web/ui/rich-text/use-read-text.ts'

/** Milliseconds of parsing before the browser gets its turn. */
const MAX_TURN_MS = 8
/**
 * Largest number of cached texts, so that an edit parses only the changed text; the largest questionnaire has about
 * 1,100.
 */
const MAX_CACHED_TEXTS = 2_000
const parsedTexts = new Map<string, RichText>()

/** Parses texts until the time of a turn is over; returns the remaining texts. */
const parseForOneTurn = (parse: Parser['parseRichText'], texts: readonly string[]): string[] => {
  const ends_at = performance.now() + MAX_TURN_MS
  let count = 0
  while (count < texts.length && performance.now() < ends_at) {
    const text = texts[count++] ?? ''
    if (parsedTexts.size >= MAX_CACHED_TEXTS) parsedTexts.clear()
    parsedTexts.set(text, parse(text))
  }
  return texts.slice(count)
}

const listUnparsedTexts = (snapshot: Snapshot): string[] => {
  const unread = new Set<string>()
  readTexts(snapshot, (text) => {
    if (mayHaveMarks(text) && !parsedTexts.has(text)) unread.add(text)
    return text
  })
  return [...unread]
}

/**
 * Returns the snapshot with its texts parsed. Parsing many texts takes several turns of the event loop, so that
 * typing never waits. Texts of later turns are shown as typed until then.
 */
export const useReadSnapshot = (snapshot: Snapshot): RichSnapshot => {
  const hasMarks = useMemo(() => anyTextHasMarks(snapshot), [snapshot])
  const parse = useParser(hasMarks)?.parseRichText
  const [nb_turns, countTurn] = useReducer((count: number) => count + 1, 0)
  const { read, left } = useMemo(() => {
    const left = parse && nb_turns >= 0 ? parseForOneTurn(parse, listUnparsedTexts(snapshot)) : []
    return {
      read: readTexts(snapshot, (text) => parsedTexts.get(text) ?? text),
      left,
    }
  }, [snapshot, parse, nb_turns])
  useEffect(() => {
    if (left.length === 0) return
    const timer = setTimeout(countTurn, 0)
    return () => clearTimeout(timer)
  }, [left])
  return read
}

const anyTextHasMarks = (snapshot: Snapshot): boolean => {
  let isMarked = false
  readTexts(snapshot, (text) => {
    isMarked ||= mayHaveMarks(text)
    return text
  })
  return isMarked
}
