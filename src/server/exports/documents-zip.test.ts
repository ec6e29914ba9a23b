import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { JobLimitError } from '#server/heavy-work/job-errors.ts'
import { ApiError, unavailable } from '#server/http/edge/errors.ts'
import type { Reports } from '#server/reports/create-reports.ts'
import { writeDocumentsZip } from './documents-zip.ts'

const PARTICIPANTS = Array.from({ length: 500 }, (_, rank) => ({
  participant_uuid: `p${rank}`,
  name: null,
}))
const LARGE = { pdf: Buffer.alloc(200_000), name_parts: ['Rapport'] }

/** Starts a ZIP of 500 participants whose documents `write` writes. */
const startZip = (write: Reports['write'], input: object = {}) => {
  const abort = new AbortController()
  const log = { error: () => undefined }
  const common = { quiz_id: 'q', participants: PARTICIPANTS, signal: abort.signal, log }
  return { zip: writeDocumentsZip({ write }, { ...common, ...input }), abort }
}
/** Reads a ZIP to its end and returns it as text. */
const readZip = async (zip: Readable): Promise<string> =>
  Buffer.concat(await zip.toArray()).toString()
const SMALL = { pdf: Buffer.from('%PDF'), name_parts: ['Rapport'] }
const TWO = {
  participants: [
    { participant_uuid: 'p1', name: 'Ada' },
    { participant_uuid: 'p2', name: 'Léa' },
  ],
}
/** Waits until a stream is destroyed, and then lets pending work run. */
const ended = async (zip: Readable): Promise<void> => {
  if (!zip.closed) await new Promise((resolve) => zip.once('close', resolve))
  for (let turn = 0; turn < 20; turn++) await nextTurn()
}

describe('the ZIP of a creator', () => {
  test('a reader who pauses stops the writing of further documents', async () => {
    let nb_written = 0
    const { zip, abort } = startZip(async () => {
      nb_written++
      return LARGE
    })
    await once(zip, 'readable')
    for (let turn = 0; turn < 50; turn++) await nextTurn()
    assert.ok(nb_written < 10, `${nb_written} documents were written for a reader who pauses`)
    zip.on('error', () => undefined)
    abort.abort(new Error('closed'))
    await ended(zip)
  })

  test('a client who leaves ends the document that is being written, and no other begins', async () => {
    const begun: AbortSignal[] = []
    const { zip, abort } = startZip((_kind, _participant, { signal } = {}) => {
      assert.ok(signal)
      begun.push(signal)
      const { promise, reject } = Promise.withResolvers<never>()
      signal.addEventListener('abort', () => reject(signal.reason))
      return promise
    })
    zip.on('error', () => undefined)
    await nextTurn()
    assert.equal(begun.length, 1)
    abort.abort(new Error('closed'))
    await ended(zip)
    assert.equal(begun.length, 1)
  })

  test('a document that is too slow or broken is named in a list, and the others are in the ZIP', async () => {
    let nb_tried = 0
    const { zip } = startZip(async (kind, { participant_uuid }) => {
      nb_tried++
      if (participant_uuid === 'p2') return kind === 'report' ? SMALL : undefined
      throw kind === 'report' ? new JobLimitError('document', 'time') : new Error('broken')
    }, TWO)
    const text = await readZip(zip)
    assert.equal(nb_tried, 4)
    assert.match(text, /002 - Rapport - Léa\.pdf/)
    assert.doesNotMatch(text, /001 - Rapport - Ada\.pdf/)
    assert.match(text, /Documents non créés\.txt/)
  })

  test('the list names the document, the person and the reason', async () => {
    const write = () => Promise.reject(new JobLimitError('document', 'memory'))
    const text = await readZip(startZip(write, TWO).zip)
    const reason = 'Ce document demande trop de mémoire et n’a pas été préparé'
    const lines = ['001 - Rapport - Ada', '001 - Attestation - Ada', '002 - Rapport - Léa']
    for (const line of lines) assert.ok(text.includes(`\r\n${line} : ${reason}\r\n`), line)
    assert.ok(text.includes('\ufeffCes documents n’ont pas été créés :'))
  })

  test('the list says why a certificate was refused', async () => {
    const refusal = new ApiError(422, 'undrawable_name', 'L’attestation de Ada n’a pas été créée')
    const text = await readZip(startZip(() => Promise.reject(refusal), TWO).zip)
    assert.match(text, /001 - Attestation - Ada : L’attestation de Ada n’a pas été créée/)
  })

  test('documents for which the time of the ZIP does not suffice are in the list', async () => {
    const { zip } = startZip(() => assert.fail('a document was written'), { ...TWO, max_ms: -1 })
    assert.match(await readZip(zip), /Documents non créés\.txt/)
  })

  test('a complete ZIP has no list', async () => {
    assert.doesNotMatch(await readZip(startZip(async () => SMALL, TWO).zip), /non créés/)
  })

  test('the end of the process ends the ZIP with an error', async () => {
    const { zip } = startZip(() => Promise.reject(unavailable()))
    const [error] = await once(zip, 'error')
    assert.partialDeepStrictEqual({ ...error }, { status: 503 })
  })
})
