import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthError } from './auth-error.ts'
import { createPasswordQueue } from './password-queue.ts'

/** Tasks that end when they are told to. */
const heldTasks = () => {
  const running: PromiseWithResolvers<string>[] = []
  const task = () => {
    const held = Promise.withResolvers<string>()
    running.push(held)
    return held.promise
  }
  return { running, task }
}

test('two run at once, fifty wait their turn, one more is refused with 503', async () => {
  const queue = createPasswordQueue()
  const { running, task } = heldTasks()
  const all = Array.from({ length: 52 }, () => queue(task))
  await assert.rejects(
    queue(task),
    (error) => error instanceof AuthError && error.status === 503 && error.retry_after === 5,
  )
  for (let done = 0; done < 52; done += 1) {
    await new Promise(setImmediate)
    assert.equal(running.length, Math.min(done + 2, 52))
    running[done]?.resolve('done')
  }
  assert.deepEqual(await Promise.all(all), Array(52).fill('done'))
})

test('a task that fails gives its place back', async () => {
  const queue = createPasswordQueue({ at_once: 1, most_waiting: 1 })
  const failed = queue(() => Promise.reject(new Error('no')))
  const next = queue(async () => 'next')
  await assert.rejects(failed, /no/)
  assert.equal(await next, 'next')
  assert.equal(await queue(async () => 'again'), 'again')
})

test('a waiting task begins once the rest is over; the caller of the last one does not wait for it', async () => {
  const rests: number[] = []
  const restAfter = (took: number) => rests.push(took)
  const queue = createPasswordQueue({ at_once: 1, most_waiting: 1, restAfter })
  const order: string[] = []
  const first = queue(async () => order.push('first'))
  const second = queue(async () => order.push('second'))
  await first
  assert.deepEqual(order, ['first'])
  await second
  assert.deepEqual(order, ['first', 'second'])
  assert.equal(rests.length, 2)
})
