import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '#server/http/edge/errors.ts'
import type { Reports } from '#server/reports/create-reports.ts'
import { writeDocumentsZip } from './documents-zip.ts'

const PARTICIPANTS = Array.from({ length: 500 }, (_, rank) => ({
  participant_uuid: `p${rank}`,
  name: null,
}))
const LARGE = { pdf: Buffer.alloc(200_000), name_parts: ['Rapport'] }

/** Starts a ZIP of 500 participants whose documents `write` writes. */
const startZip = (write: Reports['write']) => {
  const reports = { write } as Reports
  const abort = new AbortController()
  const input = { quiz_id: 'q', participants: PARTICIPANTS, signal: abort.signal }
  return { zip: writeDocumentsZip(reports, input), abort }
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

  test('a client who leaves while the documents of others fill the queue is not served later', async () => {
    let nb_tried = 0
    const { zip, abort } = startZip(() => {
      nb_tried++
      return Promise.reject(new ApiError(503, 'reports_busy', 'Beaucoup de documents'))
    })
    zip.on('error', () => undefined)
    await nextTurn()
    abort.abort(new Error('closed'))
    await ended(zip)
    assert.equal(nb_tried, 1)
  })

  test('a document that cannot be written ends the ZIP with an error', async () => {
    const { zip } = startZip(() => Promise.reject(new Error('broken')))
    const [error] = await once(zip, 'error')
    assert.match(String(error), /broken/)
  })
})
