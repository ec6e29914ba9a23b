import { useEffect, useState } from 'react'
import { type ParsedText, parseSteps } from '#domain/text-format-parse.ts'

/** How long nothing must have been typed before a text is read. */
const QUIET_MS = 250
/** How long reading may keep the page from anything else. */
const SLICE_MS = 12

type Read = { text: string; parsed: ParsedText }

/**
 * What a text that is being written says, read once nothing was typed for a moment, a slice at a time; undefined before
 * the first. `isCurrent` tells whether it is about the text as it stands.
 */
export const useParsedText = (text: string): { parsed?: ParsedText; isCurrent: boolean } => {
  const [read, setRead] = useState<Read>()
  useEffect(() => {
    const steps = parseSteps(text)
    const work = (): void => {
      const end = performance.now() + SLICE_MS
      do {
        const { done, value } = steps.next()
        if (done) {
          setRead({ text, parsed: value })
          return
        }
      } while (performance.now() < end)
      timer = setTimeout(work)
    }
    let timer = setTimeout(work, QUIET_MS)
    return () => clearTimeout(timer)
  }, [text])
  return read ? { parsed: read.parsed, isCurrent: read.text === text } : { isCurrent: false }
}
