import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { unzipBytes } from '#server/testing/network/bodies/unzip.ts'
import type { SignedUp, TestApp } from './test-app.ts'

type CampaignKey = { id: string; campaignId: string }

const MAX_READS = 300
const READ_INTERVAL_MS = 100

/** Waits until the file for the audit of a campaign is no longer written. */
const waitForFile = async ({ client }: SignedUp, key: CampaignKey) => {
  for (let reads = 0; reads < MAX_READS; reads++) {
    const { file } = await client.evidence.get(key)
    if (file?.status !== 'writing') return file
    await pause(READ_INTERVAL_MS)
  }
  throw new Error('the file was not written')
}

/** Writes and downloads the file for the audit of a campaign. Returns its parts by name. */
export const downloadFile = async (
  app: Pick<TestApp, 'raw'>,
  creator: SignedUp,
  key: CampaignKey,
): Promise<Record<string, Buffer>> => {
  const { file } = await creator.client.evidence.create(key)
  assert.equal(file.status, 'writing')
  const written = await waitForFile(creator, key)
  assert.equal(written?.status, 'ready', JSON.stringify(written))
  assert.equal(written.nb_done, written.nb_total)
  const { url } = await creator.client.evidence.link(key)
  const { statusCode, headers, rawPayload } = await app.raw({ method: 'GET', url })
  assert.deepEqual([statusCode, headers['content-type']], [200, 'application/zip'])
  assert.equal(rawPayload.length, written.size_bytes)
  assert.equal((await app.raw({ method: 'GET', url })).statusCode, 403)
  return unzipBytes(rawPayload)
}
