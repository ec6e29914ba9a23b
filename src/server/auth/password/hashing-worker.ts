/** One thread that hashes passwords, at a lower priority than the rest of the process. */
import { argon2Sync } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync } from 'bcryptjs'
import type { HashingTag, HashingTask } from './hashing-threads.ts'

/** Against the event loop's thread this one gets a twentieth where there is not enough for both. */
const BEHIND = 15

// Only Linux gives each thread a priority of its own; elsewhere this would slow the whole process down.
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
