import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

/** Folder of the project. */
export const ROOT = join(import.meta.dirname, '../../../..')

type Node = { type: string; value?: unknown; quasis?: { value: { cooked: string } }[] }

const textOf = ({ type, value, quasis }: Node): string | undefined => {
  if (type === 'TemplateLiteral') return quasis?.map((quasi) => quasi.value.cooked).join('…')
  const isText = (type === 'Literal' || type === 'JSXText') && typeof value === 'string'
  return isText ? value : undefined
}

/** Returns all string literals, templates and JSX texts below a node of a syntax tree. */
const collectTexts = (node: unknown): string[] => {
  if (node === null || typeof node !== 'object') return []
  const text = 'type' in node ? textOf(node as Node) : undefined
  const own = text === undefined ? [] : [text.replaceAll(/\s+/g, ' ').trim()]
  return [...own, ...Object.values(node).flatMap(collectTexts)]
}

/** Text of the source, with the path of its file below `src`. */
export type SourceText = { file: string; text: string }

const readTexts = (file: string): SourceText[] =>
  collectTexts(parseSync(file, readFileSync(join(ROOT, 'src', file), 'utf8')).program).map(
    (text) => ({ file, text }),
  )

/** Returns all texts of the source without tests. Each run of white space is one space. */
export const readSourceTexts = (): SourceText[] =>
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|(?:^|\/)testing\//.test(file))
    .flatMap(readTexts)
