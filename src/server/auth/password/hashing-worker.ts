/** Program of a thread that hashes passwords with low priority. */
import { argon2Sync } from 'node:crypto'
import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { hashSync } from 'bcryptjs'
import type { HashingTask } from './hashing-threads.ts'

// Only Linux has priorities per thread; elsewhere the whole process would slow down.
if (process.platform === 'linux') setPriority(workerData.nice_value)

export default (task: HashingTask): Uint8Array => {
  if (task.algorithm === 'bcrypt') return Buffer.from(hashSync(task.password, task.setting))
  const { password: message, salt: nonce, tag_bytes: tagLength, cost } = task
  return argon2Sync('argon2id', { message, nonce, tagLength, ...cost })
}
