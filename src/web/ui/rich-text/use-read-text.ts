import { useEffect, useState } from 'react'
import { mayHaveMarks, type RichText } from '#domain/run/rich-text.ts'

/** Module that parses marks, loaded on demand. */
export type Parser = typeof import('#contract/parse-rich-text.ts')
let parser: Parser | undefined

/**
 * Returns the parser of marks, loaded as soon as a text may have marks. Until then, and if loading fails, texts are
 * shown as typed.
 */
export const useParser = (isWanted: boolean): Parser | undefined => {
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

/** Returns a text with its marks parsed. */
export const useReadText = (text: string): RichText =>
  useParser(mayHaveMarks(text))?.parseRichText(text) ?? text
