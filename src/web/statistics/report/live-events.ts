/** Yields the numbers of participants from a stream of server-sent events. */
export async function* readCounts(stream: ReadableStream<Uint8Array>): AsyncGenerator<number> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const count = line.startsWith(DATA) ? countIn(line.slice(DATA.length)) : undefined
        if (count !== undefined) yield count
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const DATA = 'data: '

const countIn = (text: string): number | undefined => {
  try {
    const data: unknown = JSON.parse(text)
    if (typeof data !== 'object' || data === null || !('nb_responses' in data)) return undefined
    return typeof data.nb_responses === 'number' ? data.nb_responses : undefined
  } catch {
    return undefined
  }
}
