import { extractText, getDocumentProxy } from 'unpdf'

/** Returns the words of a PDF on one line, with single spaces. */
export const readPdf = async (pdf: Uint8Array): Promise<string> => {
  const proxy = await getDocumentProxy(Uint8Array.from(pdf))
  const { text } = await extractText(proxy, { mergePages: true })
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}
