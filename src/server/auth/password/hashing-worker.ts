/** Thread that hashes passwords with low priority. */
import { argon2Sync } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync } from 'bcryptjs'
import type { HashingTag, HashingTask } from './hashing-threads.ts'

/** Nice value of the thread, which then gets a twentieth of a contended core. */
const BEHIND = 15

// Only Linux has priorities per thread; elsewhere the whole process would slow down.
if (process.platform === 'linux') setPriority(BEHIND)

const compute = (task: HashingTask): Uint8Array => {
  if (task.algorithm === 'bcrypt') return Buffer.from(hashSync(task.password, task.setting))
  const { password: message, salt: nonce, tag_bytes: tagLength, cost } = task
  return argon2Sync('argon2id', { message, nonce, tagLength, ...cost })
}

parentPort?.on('message', (task: HashingTask) => {
  const answer: HashingTag = { id: task.id, tag: compute(task) }
  parentPort?.postMessage(answer)
})
