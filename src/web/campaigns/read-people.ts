import Papa from 'papaparse'
import type { PersonField } from '#domain/campaigns/people.ts'
import { rowsOfCsvFile, rowsOfText } from '#domain/campaigns/read-people-file.ts'
import { isZip } from '#domain/campaigns/read-xlsx.ts'
import type { PeopleReport, PeopleTask } from './people-worker.ts'
import workerPath from './people-worker.ts?worker&url'

/** Trusted Types API, which only some browsers have. */
type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (workerUrl: string) => string },
  ) => { createScriptURL: (workerUrl: string) => string }
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
/** URL of the worker. The security headers allow the Trusted Types policy `people-worker`. */
const workerUrl =
  trustedTypes
    ?.createPolicy('people-worker', { createScriptURL: () => workerPath })
    .createScriptURL(workerPath) ?? workerPath

/** List to read: a pasted text or a file. */
export type PeopleSource = { text: string } | { bytes: Uint8Array }

const parseCsv = Papa.parse as Parameters<typeof rowsOfText>[1]

/** Reads a list of people. The slow parts run in a web worker, which ends with the list. Rejects if the worker fails. */
export const readPeopleList = async (
  source: PeopleSource,
  fields?: (PersonField | null)[],
): Promise<PeopleReport> => {
  if ('bytes' in source && isZip(source.bytes))
    return runWorker({ source: { workbook: source.bytes }, fields })
  const found =
    'text' in source
      ? { rows: rowsOfText(source.text, parseCsv) }
      : rowsOfCsvFile(source.bytes, parseCsv)
  return 'rows' in found ? runWorker({ source: { rows: found.rows }, fields }) : found
}

const runWorker = (task: PeopleTask): Promise<PeopleReport> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(workerUrl, { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<PeopleReport>) => {
      worker.terminate()
      resolve(data)
    }
    worker.onerror = (event) => {
      event.preventDefault()
      worker.terminate()
      reject(new Error(event.message || 'The worker did not start'))
    }
    worker.postMessage(task)
  })
