import { useEffect, useMemo, useState } from 'react'
import { mayHaveMarks, type RichSnapshot, type RichText, readTexts } from '#domain/rich-text.ts'
import type { Snapshot } from '#domain/snapshot.ts'

type Parser = typeof import('#contract/parse-rich-text.ts')
let parser: Parser | undefined

/** The parser of marks, loaded once something may have some; a text shows as typed until then, and without it. */
const useParser = (isWanted: boolean): Parser | undefined => {
  const [loaded, setLoaded] = useState(parser)
  useEffect(() => {
    if (!isWanted || loaded) return
    let isGone = false
    const load = async (): Promise<void> => {
      parser = await import('#contract/parse-rich-text.ts')
      if (!isGone) setLoaded(parser)
    }
    load().catch((error: unknown) => console.warn('Loading the marks failed', error))
    return () => {
      isGone = true
    }
  }, [isWanted, loaded])
  return loaded
}

/** What the marks of a text say. */
export const useReadText = (text: string): RichText =>
  useParser(mayHaveMarks(text))?.parseRichText(text) ?? text

/** What the marks of a snapshot's texts say. */
export const useReadSnapshot = (snapshot: Snapshot): RichSnapshot => {
  const hasMarks = useMemo(() => anyTextHasMarks(snapshot), [snapshot])
  return useParser(hasMarks)?.readSnapshot(snapshot) ?? snapshot
}

const anyTextHasMarks = (snapshot: Snapshot): boolean => {
  let isMarked = false
  readTexts(snapshot, (text) => {
    isMarked ||= mayHaveMarks(text)
    return text
  })
  return isMarked
}
