import type { Row } from './send-texts.ts'

/** Key of a map that has none, such as the parameters of an address. */
const NEW_KEY = 'utm_source'

/**
 * Puts texts at the path of a text field (text-fields.ts), in all rows that a value has. Returns the number of texts.
 */
export const putTexts = (value: Row, path: string, writeText: () => string): number => {
  const [key = '', ...rest] = path.split('.')
  const name = key.replace('[]', '')
  const keys = name === '*' ? [Object.keys(value)[0] ?? NEW_KEY] : [name]
  return keys.reduce((count, each) => count + putAt(value, each, { key, rest, writeText }), 0)
}

const putAt = (
  value: Row,
  name: string,
  { key, rest, writeText }: { key: string; rest: string[]; writeText: () => string },
): number => {
  if (rest.length === 0) {
    value[name] = key.endsWith('[]') ? [writeText()] : writeText()
    return 1
  }
  // A map that can also be a text, or that is optional, begins empty.
  if (rest[0]?.startsWith('*') && (typeof value[name] !== 'object' || value[name] === null))
    value[name] = {}
  const member = value[name]
  const rows = (Array.isArray(member) ? member : [member]).filter((row) => row !== undefined)
  return rows.reduce((count, row) => count + putTexts(row as Row, rest.join('.'), writeText), 0)
}

/** Returns the texts at the path of a text field, in all rows of a value. */
export const textsAt = (value: unknown, path: string): string[] => {
  const [key = '', ...rest] = path.split('.')
  const member = (value as Row | null)?.[key.replace('[]', '')]
  const rows = Array.isArray(member) ? member : [member]
  if (rest.length > 0) return rows.flatMap((row) => textsAt(row, rest.join('.')))
  return rows.map((text) => (typeof text === 'string' ? text : ''))
}

/** Returns the paths of a value where a text is, as text-fields.ts writes them. Keys of maps are ids. */
export const pathsOf = (value: unknown, text: string, path = ''): string[] => {
  if (value === text) return [path]
  if (Array.isArray(value)) return value.flatMap((row) => pathsOf(row, text, `${path}[]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    pathsOf(member, text, path === '' ? name : `${path}.${name}`),
  )
}
