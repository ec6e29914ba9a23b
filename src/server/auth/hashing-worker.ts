/** One thread that hashes what it is sent, after whoever else wants the processor. */
import { argon2Sync } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { HashingTag, HashingTask } from './hashing-threads.ts'

/** Against the event loop's thread this one gets a twentieth where there is not enough for both. */
const BEHIND = 15

// Only Linux gives each thread a priority of its own; elsewhere this would slow the whole process down.
if (process.platform === 'linux') setPriority(BEHIND)

parentPort?.on('message', ({ id, password, salt, tag_bytes, cost }: HashingTask) => {
  const parameters = { message: password, nonce: salt, tagLength: tag_bytes, ...cost }
  const answer: HashingTag = { id, tag: argon2Sync('argon2id', parameters) }
  parentPort?.postMessage(answer)
})
