import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLimit } from './limit.ts'

const full = new Error('full')
const limitOf = (at_once: number, most_waiting: number) =>
  createLimit({ at_once, most_waiting, refusal: () => full })

/** Tasks that end when they are told to. */
const openTasks = () => {
  const begun: PromiseWithResolvers<string>[] = []
  const task = () => {
    const open = Promise.withResolvers<string>()
    begun.push(open)
    return open.promise
  }
  return { begun, task }
}

test('some run at once, some wait in their order, one more is refused', async () => {
  const limit = limitOf(2, 3)
  const { begun, task } = openTasks()
  const all = Array.from({ length: 5 }, () => limit(task))
  await assert.rejects(limit(task), full)
  for (let done = 0; done < 5; done++) {
    assert.equal(begun.length, Math.min(done + 2, 5))
    begun[done]?.resolve(`${done}`)
    await all[done]
    await new Promise(setImmediate)
  }
  assert.deepEqual(await Promise.all(all), ['0', '1', '2', '3', '4'])
})

test('a task that fails gives its place back', async () => {
  const limit = limitOf(1, 1)
  const failed = limit(() => Promise.reject(new Error('no')))
  const next = limit(async () => 'next')
  await assert.rejects(failed, /no/)
  assert.equal(await next, 'next')
  assert.equal(await limit(async () => 'again'), 'again')
})

test('a task that comes as another ends does not pass those that wait', async () => {
  const limit = limitOf(1, 2)
  const order: string[] = []
  const first = limit(async () => order.push('first'))
  const second = limit(async () => order.push('second'))
  const third = first.then(() => limit(async () => order.push('third')))
  await Promise.all([second, third])
  assert.deepEqual(order, ['first', 'second', 'third'])
})
