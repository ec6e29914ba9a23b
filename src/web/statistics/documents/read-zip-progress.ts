/** Beginning of a file in a ZIP, up to the number of the participant in its name. */
const FILE_START = /PK\p{Cc}{2}[\s\S]{26}(\d{3}) - /gu
/** Longest beginning of a file, which two chunks may share. */
const OVERLAP = 36

/**
 * Reads a streamed ZIP and reports the number of the last participant whose documents have begun. Throws the reason of
 * the stream when it is aborted.
 */
export const readZip = async (
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onParticipant: (rank: number) => void,
): Promise<Blob> => {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const decoder = new TextDecoder('latin1')
  let end = ''
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Blob(chunks, { type: 'application/zip' })
    chunks.push(value)
    const text = end + decoder.decode(value)
    for (const [, rank] of text.matchAll(FILE_START)) onParticipant(Number(rank))
    end = text.slice(-OVERLAP)
  }
}
