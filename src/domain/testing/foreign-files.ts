import Papa from 'papaparse'
import { type ConvertedFile, convertFile } from '#domain/imports/convert-file.ts'
import { parseText } from '#domain/text-format/parse-text.ts'

/** Files of other products for tests. Complete files, written by hand, are in the folder `foreign-files`. */

/** Converts a decoded file as the browser does. */
export const convertForeignFile = (content: string, name: string): ConvertedFile =>
  convertFile(content, name, Papa.parse)

/** Returns the converted text of a file, its draft and its notes. Throws if the text has errors or ignored lines. */
export const convert = (content: string, name = 'Atelier.csv') => {
  const converted = convertForeignFile(content, name)
  if (converted.kind !== 'text') throw new Error(JSON.stringify(converted))
  const parsed = parseText(converted.text)
  if ('errors' in parsed || parsed.ignored_lines.length > 0) throw new Error(JSON.stringify(parsed))
  const remarks = converted.notes
    .map(({ line, message }) => `${line ?? '-'}: ${message}`)
    .join('\n')
  return { ...converted, draft: parsed.draft, lines: converted.text.split('\n'), remarks }
}

/** Returns a form of Typeform with these fields. */
export const typeformFile = (fields: unknown, more: object = {}): string =>
  JSON.stringify({ title: 'T', fields, thankyou_screens: [], ...more })

/** Returns an export of Typebot with these groups and edges. */
export const typebotFile = (groups: unknown, edges: unknown = []): string =>
  JSON.stringify({ version: '6', name: 'T', groups, edges })
