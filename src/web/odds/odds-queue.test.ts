import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createQueue } from './odds-queue.ts'

/** Opens a queue whose computations end when the test says so. */
const openQueue = () => {
  const begun: string[] = []
  const told: string[] = []
  let current = Promise.withResolvers<string>()
  const queue = createQueue<string, string>(
    (task) => {
      begun.push(task)
      current = Promise.withResolvers()
      return current.promise
    },
    {
      onReport: (task, report) => told.push(`${task}: ${report}`),
      onFailure: (error) => told.push(String(error)),
    },
  )
  const settle = async (how: (current: PromiseWithResolvers<string>) => void): Promise<void> => {
    how(current)
    // Waits for the promise callbacks that follow a computation.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    ...{ queue, begun, told },
    finish: (report: string) => settle(({ resolve }) => resolve(report)),
    fail: (message: string) => settle(({ reject }) => reject(new Error(message))),
  }
}

test('each task is computed and reported', async () => {
  const { queue, told, finish } = openQueue()
  queue.ask('a')
  await finish('1')
  queue.ask('b')
  await finish('2')
  assert.deepEqual(told, ['a: 1', 'b: 2'])
})

test('one computation runs at a time, and the newest waiting task is next', async () => {
  const { queue, begun, told, finish } = openQueue()
  for (const task of ['a', 'b', 'c', 'd']) queue.ask(task)
  assert.deepEqual(begun, ['a'])
  await finish('outdated')
  assert.deepEqual(begun, ['a', 'd'])
  await finish('4')
  assert.deepEqual(told, ['d: 4'])
})

test('a failure is reported unless a newer task waits, and the next task is computed', async () => {
  const { queue, told, finish, fail } = openQueue()
  queue.ask('a')
  await fail('no worker')
  queue.ask('b')
  queue.ask('c')
  await fail('outdated')
  await finish('3')
  assert.deepEqual(told, ['Error: no worker', 'c: 3'])
})

test('nothing is reported or started after the end', async () => {
  const { queue, begun, told, finish } = openQueue()
  queue.ask('a')
  queue.ask('b')
  queue.end()
  await finish('1')
  queue.ask('c')
  assert.deepEqual([begun, told], [['a'], []])
})
