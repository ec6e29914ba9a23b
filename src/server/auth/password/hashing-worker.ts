/** Thread that hashes passwords with low priority. */
import { argon2Sync } from 'node:crypto'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync } from 'bcryptjs'
import type { HashingTag, HashingTask } from './hashing-threads.ts'

/** Nice value of the thread. It then gets about one twentieth of a core that other threads also use. */
const NICE_VALUE = 15

// Only Linux has priorities per thread; elsewhere the whole process would slow down.
if (process.platform === 'linux') setPriority(NICE_VALUE)

const compute = (task: HashingTask): Uint8Array => {
  if (task.algorithm === 'bcrypt') return Buffer.from(hashSync(task.password, task.setting))
  const { password: message, salt: nonce, tag_bytes: tagLength, cost } = task
  return argon2Sync('argon2id', { message, nonce, tagLength, ...cost })
}

parentPort?.on('message', (task: HashingTask) => {
  const answer: HashingTag = { id: task.id, tag: compute(task) }
  parentPort?.postMessage(answer)
})
