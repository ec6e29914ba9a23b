import { extractText, getDocumentProxy } from 'unpdf'
import { normalizeText } from '#domain/common/normalize-text.ts'

/** Returns the words of a PDF on one line, with single spaces. */
export const readPdf = async (pdf: Uint8Array): Promise<string> => {
  const proxy = await getDocumentProxy(Uint8Array.from(pdf))
  const { text } = await extractText(proxy, { mergePages: true })
  return normalizeText(text).replaceAll(/\s+/g, ' ').trim()
}

/** Returns a text without white space, because lines of a PDF break anywhere. */
export const withoutSpace = (text: string): string => normalizeText(text).replaceAll(/\s/g, '')

/** Returns the words of all pages without the footers and without white space. `title` is the title of the document. */
export const readPdfBody = async (pdf: Uint8Array, title: string): Promise<string> => {
  const { text } = await extractText(await getDocumentProxy(Uint8Array.from(pdf)))
  return text
    .map((page, index) => {
      const footer = `${withoutSpace(title)}Page${index + 1}`
      const words = withoutSpace(page)
      if (!words.startsWith(footer))
        throw new Error(`Page ${index + 1} begins with ${words.slice(0, 60)}`)
      return words.slice(footer.length)
    })
    .join('')
}
