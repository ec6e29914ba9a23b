import { readFile } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { createLruCache } from '#server/runtime/caches.ts'
import { createSharedWork } from '#server/runtime/shared-work.ts'

/** Folder of the source maps of the creators' application, which no route serves. */
const MAPS_FOLDER = new URL('../../../dist/maps/', import.meta.url)
/** Maximum sum of the sizes of the maps in memory, as JSON. In memory, a map takes about 20 times as much. */
const MAX_CACHED_BYTES = 1_048_576
/** Position in a built file, such as `questions-page-Bx3.js:1:2345`. */
const POSITION = /^([\w-]{1,100}\.js):(\d{1,7}):(\d{1,7})$/

/** Returns undefined for the error of a file that does not exist, such as that of an earlier release. Throws other errors. */
const ignoreMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
}

type LoadedMap = { map: SourceMap; bytes: number }

/** Positions in our sources of positions in the built files of the browser. */
export type SourcePositions = {
  /**
   * Returns a position such as `src/web/app/main.tsx:12:5`; undefined if the file has no map or the position is unknown. Throws
   * if the map cannot be read.
   */
  find: (position: string) => Promise<string | undefined>
}

/** Creates the reader of source maps. Each map is read at the first crash in its file. */
export const createSourcePositions = (folder = MAPS_FOLDER): SourcePositions => {
  const maps = createLruCache<LoadedMap>(MAX_CACHED_BYTES, ({ bytes }) => bytes)
  const share = createSharedWork<LoadedMap | undefined>()

  const load = async (file: string): Promise<LoadedMap | undefined> => {
    const text = await readFile(new URL(`${file}.map`, folder), 'utf8').catch(ignoreMissing)
    if (text === undefined) return undefined
    const loaded = {
      map: new SourceMap(JSON.parse(text) as SourceMapPayload),
      bytes: text.length,
    }
    maps.set(file, loaded)
    return loaded
  }

  return {
    find: async (position) => {
      const [, file, line, column] = POSITION.exec(position) ?? []
      if (file === undefined) return undefined
      const loaded = maps.get(file) ?? (await share({ key: file }, () => load(file)))
      // Browsers count lines and columns from one, source maps from zero.
      const entry = loaded?.map.findEntry(Number(line) - 1, Number(column) - 1)
      if (!entry || !('originalSource' in entry)) return undefined
      return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
    },
  }
}
