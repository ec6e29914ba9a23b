/** Beginning of the header of a file in a ZIP. */
const FILE_START = /PK\p{Cc}{2}/gu
/** Offset of the file name in a header, in bytes. */
const NAME_OFFSET = 30
/** Beginning of a file name: the number of the participant. */
const NAME = /^(\d{3}) - /
/** Maximum length of a header, in bytes. Two chunks may share a header. */
const MAX_HEADER_LENGTH = 36

/**
 * Reads a streamed ZIP and reports the number of each participant whose documents begin to arrive. Throws the error of
 * the stream, also when the caller aborts the stream.
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
    for (const { index } of text.matchAll(FILE_START)) {
      const name = NAME.exec(text.slice(index + NAME_OFFSET, index + MAX_HEADER_LENGTH))
      if (name) onParticipant(Number(name[1]))
    }
    end = text.slice(-MAX_HEADER_LENGTH)
  }
}
