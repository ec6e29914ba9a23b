/** The lines of a pasted list, trimmed, without the blank ones; undefined for a text of one line. */
export const pastedLines = (text: string): string[] | undefined => {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length > 1 ? lines : undefined
}
