import { foldText } from './lines.ts'
import type { Codec } from './values.ts'

/** Settings « Clé : valeur » of the text format, for reading and printing (docs/text-format.md). */

/** Setting: name, reader into a row and writer; `write` returns null if the setting is omitted. */
export type Key<Row> = {
  key: string
  /** Field that the setting sets; absent if there are several. */
  field?: keyof Row
  /** A word, a text of several lines, or the long text of a part, which needs no key. */
  kind: 'word' | 'text' | 'long'
  read: (text: string) => Partial<Row>
  write: (row: Row) => string | null
  /** Condition on the row, and the refusal for other rows. */
  only?: { holds: (row: Row) => boolean; refusal: string }
}
/** Settings of a part in printing order, by folded name. */
export type Keys<Row> = ReadonlyMap<string, Key<Row>>
/** Returns builders of settings of a row. */
export const keysOf = <Row>() => {
  const setting = <Name extends keyof Row>(
    key: string,
    field: Name,
    { read, write }: Codec<Row[Name]>,
    only?: Key<Row>['only'],
  ): Key<Row> => ({
    key,
    field,
    kind: 'word',
    read: (text) => ({ [field]: read(text) }) as unknown as Partial<Row>,
    write: (row) => write(row[field]),
    ...(only && { only }),
  })
  const text = <Name extends keyof Row>(
    key: string,
    field: Name,
    codec: Codec<Row[Name]>,
    only?: Key<Row>['only'],
  ): Key<Row> => ({ ...setting(key, field, codec, only), kind: 'text' })
  const long = <Name extends keyof Row>(
    key: string,
    field: Name,
    codec: Codec<Row[Name]>,
  ): Key<Row> => ({ ...setting(key, field, codec), kind: 'long' })
  return { setting, text, long }
}

/** Returns settings by their folded names. */
export const byName = <Row>(keys: readonly Key<Row>[]): Keys<Row> =>
  new Map(keys.map((key) => [foldText(key.key), key]))

/** No settings. */
export const NO_KEYS: Keys<object> = byName<object>([])
