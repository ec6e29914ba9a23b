/** Returns React keys for texts that may be equal. */
export const distinctKeys = (texts: readonly string[]): string[] => {
  const counts = new Map<string, number>()
  return texts.map((text) => {
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    return `${count} ${text}`
  })
}
