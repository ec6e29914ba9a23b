import type { PeopleList, PersonField } from '#domain/campaigns/people.ts'
import type { Inflate, PeopleRows } from '#domain/campaigns/people-rows.ts'
import { readPeople } from '#domain/campaigns/read-people.ts'
import { readXlsxRows } from '#domain/campaigns/read-xlsx.ts'

/** List to read: rows or a workbook, and the meanings of its columns if the creator chose them. */
export type PeopleTask = {
  source: { rows: string[][] } | { workbook: Uint8Array }
  fields?: (PersonField | null)[] | undefined
}
/** People of a list, or the French reason why the list is not read. */
export type PeopleReport = { list: PeopleList } | { refusal: string }

/** Decompresses a part of a workbook, and stops beyond the limit. */
const inflate: Inflate = async (bytes, max_bytes) => {
  try {
    const stream = new Blob([bytes as BlobPart])
      .stream()
      .pipeThrough(new DecompressionStream('deflate-raw'))
    const reader = stream.getReader()
    const chunks: Uint8Array[] = []
    let size = 0
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.length
      if (size > max_bytes) {
        await reader.cancel()
        return undefined
      }
      chunks.push(value)
    }
    const whole = new Uint8Array(size)
    let at = 0
    for (const chunk of chunks) {
      whole.set(chunk, at)
      at += chunk.length
    }
    return whole
  } catch {
    return undefined
  }
}

const read = async ({ source, fields }: PeopleTask): Promise<PeopleReport> => {
  const found: PeopleRows = 'rows' in source ? source : await readXlsxRows(source.workbook, inflate)
  return found.refusal === undefined ? { list: readPeople(found.rows, fields) } : found
}

/** Web worker that reads lists of people: receives a list and posts its people. */
addEventListener('message', ({ data }: MessageEvent<PeopleTask>) => {
  read(data).then(postMessage, (error: unknown) => {
    // Reaches `onerror` of the page.
    setTimeout(() => {
      throw error
    })
  })
})
