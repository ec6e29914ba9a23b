import { hash } from 'node:crypto'
import { rowsOf } from './copy.ts'

/** How many rows, and a sum of them that no order changes. */
export type Digest = { rows: number; sha256_sum: string }

const LANES = 8

/**
 * Counts rows and adds up the SHA-256 of each, lane by lane: two tables with the same digest hold the
 * same rows, in whatever order each was read.
 */
export const createRowDigest = () => {
  const sum = new Uint32Array(LANES)
  let rows = 0
  return {
    add: (block: Buffer): void => {
      for (const row of rowsOf(block)) {
        const digest = hash('sha256', row, 'buffer')
        for (let lane = 0; lane < LANES; lane++)
          sum[lane] = (sum[lane] ?? 0) + digest.readUInt32BE(lane * 4)
        rows++
      }
    },
    end: (): Digest => ({
      rows,
      sha256_sum: Array.from(sum, (lane) => lane.toString(16).padStart(8, '0')).join(''),
    }),
  }
}
