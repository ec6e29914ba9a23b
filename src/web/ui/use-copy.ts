import { useEffect, useState } from 'react'

/** Time for which « Copié » is shown (product 7.15). */
const COPIED_MS = 2_000

/**
 * Returns a function that copies a text, and `isCopied`, which is true for a short time after. The function resolves
 * to false if the browser refuses. `write` writes something else to the clipboard.
 */
export const useCopy = (
  write = (text: string): Promise<void> => navigator.clipboard.writeText(text),
): { isCopied: boolean; copy: (text: string) => Promise<boolean> } => {
  const [copiedAt, setCopiedAt] = useState(0)

  useEffect(() => {
    if (copiedAt === 0) return
    const timer = setTimeout(() => setCopiedAt(0), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copiedAt])

  const copy = async (text: string): Promise<boolean> => {
    try {
      // Throws on a refusal and, without a clipboard, on insecure origins.
      await write(text)
    } catch {
      return false
    }
    setCopiedAt(Date.now())
    return true
  }

  return { isCopied: copiedAt > 0, copy }
}
