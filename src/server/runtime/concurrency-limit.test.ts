import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { createConcurrencyLimit } from './concurrency-limit.ts'

const full = new Error('full')
const left = new Error('left')
const limitOf = (max_concurrent: number, max_queued: number) => {
  const limit = createConcurrencyLimit({ max_concurrent, max_queued, refusal: () => full })
  return <T>(task: () => Promise<T>) => limit({ key: 'camille' }, task)
}

/** Creates tasks that end on command. */
const openTasks = () => {
  const begun: PromiseWithResolvers<string>[] = []
  const task = () => {
    const open = Promise.withResolvers<string>()
    begun.push(open)
    return open.promise
  }
  return { begun, task }
}

test('tasks run up to the limit, wait in order, and are refused beyond the queue', async () => {
  const limit = limitOf(2, 3)
  const { begun, task } = openTasks()
  const all = Array.from({ length: 5 }, () => limit(task))
  await assert.rejects(limit(task), full)
  for (let done = 0; done < 5; done++) {
    assert.equal(begun.length, Math.min(done + 2, 5))
    begun[done]?.resolve(`${done}`)
    await all[done]
    await setImmediate()
  }
  assert.deepEqual(await Promise.all(all), ['0', '1', '2', '3', '4'])
})

test('a failed task releases its place', async () => {
  const limit = limitOf(1, 1)
  const failed = limit(() => Promise.reject(new Error('no')))
  const next = limit(async () => 'next')
  await assert.rejects(failed, /no/)
  assert.equal(await next, 'next')
  assert.equal(await limit(async () => 'again'), 'again')
})

test('a new task does not overtake waiting tasks when another ends', async () => {
  const limit = limitOf(1, 2)
  const order: string[] = []
  const first = limit(async () => order.push('first'))
  const second = limit(async () => order.push('second'))
  const third = first.then(() => limit(async () => order.push('third')))
  await Promise.all([second, third])
  assert.deepEqual(order, ['first', 'second', 'third'])
})

test('a task whose signal is already aborted never runs', async () => {
  const limit = createConcurrencyLimit({ max_concurrent: 1, max_queued: 1, refusal: () => full })
  const { begun, task } = openTasks()
  await assert.rejects(limit({ key: 'camille', signal: AbortSignal.abort(left) }, task), left)
  assert.equal(begun.length, 0)
})

test('a full queue drops the last task of the busiest key in favour of a key without tasks', async () => {
  const limit = createConcurrencyLimit({ max_concurrent: 1, max_queued: 3, refusal: () => full })
  const { begun, task } = openTasks()
  const busy = Array.from({ length: 4 }, () => limit({ key: 'busy' }, task))
  const quiet = limit({ key: 'quiet' }, task)
  await assert.rejects(busy[3] ?? Promise.resolve(), full)
  await assert.rejects(limit({ key: 'busy' }, task), full)
  begun[0]?.resolve('busy')
  await setImmediate()
  begun[1]?.resolve('busy')
  await setImmediate()
  begun[2]?.resolve('quiet')
  assert.equal(await quiet, 'quiet')
})

type State = 'waiting' | 'running' | 'ended' | 'refused' | 'aborted'
type Task = { key: string; state: State; open: PromiseWithResolvers<void>; abort: AbortController }

/** Creates a limiter and records the state of its tasks. */
const createModel = (bounds: {
  max_concurrent: number
  max_concurrent_per_key: number
  max_queued: number
  max_queued_per_key: number
}) => {
  const limit = createConcurrencyLimit({ ...bounds, refusal: () => full })
  const tasks: Task[] = []
  const started: Task[] = []
  const ofState = (state: State, key?: string): Task[] =>
    tasks.filter((task) => task.state === state && (key === undefined || task.key === key))
  const add = (key: string): void => {
    const abort = new AbortController()
    const open = Promise.withResolvers<void>()
    const task: Task = { key, state: 'waiting', open, abort }
    tasks.push(task)
    const run = async (): Promise<void> => {
      task.state = 'running'
      started.push(task)
      await open.promise
      task.state = 'ended'
    }
    limit({ key, signal: abort.signal }, run).catch((error: unknown) => {
      task.state = error === left ? 'aborted' : 'refused'
    })
  }
  return { add, ofState, started }
}

const commands = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('add'), key: fc.constantFrom('a', 'b', 'c', 'd') }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('end'), pick: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('abort'), pick: fc.nat() }) },
  ),
  { maxLength: 60 },
)
const bounds = fc.record({
  max_concurrent: fc.integer({ min: 1, max: 4 }),
  max_concurrent_per_key: fc.integer({ min: 1, max: 3 }),
  max_queued: fc.integer({ min: 0, max: 6 }),
  max_queued_per_key: fc.integer({ min: 1, max: 4 }),
})

test('the limits hold, no place stays free, and no key overtakes another twice', async () => {
  await fc.assert(
    fc.asyncProperty(bounds, commands, async (bounds, commands) => {
      const { add, ofState, started } = createModel(bounds)
      /** Number of starts of other keys while a key could have run. */
      const passed = new Map<string, Map<string, number>>()
      const keys = ['a', 'b', 'c', 'd']
      for (const command of commands) {
        const waited = new Set(keys.filter((key) => ofState('waiting', key).length > 0))
        const nb_started = started.length
        if ('key' in command) add(command.key)
        else if (command.kind === 'end') {
          const running = ofState('running')
          running[command.pick % Math.max(1, running.length)]?.open.resolve()
        } else {
          const waiting = ofState('waiting')
          const task = waiting[command.pick % Math.max(1, waiting.length)]
          task?.abort.abort(left)
          await setImmediate()
          assert.notEqual(task?.state, 'waiting')
        }
        await setImmediate()

        assert.ok(ofState('running').length <= bounds.max_concurrent)
        assert.ok(ofState('waiting').length <= bounds.max_queued)
        for (const key of keys) {
          assert.ok(ofState('running', key).length <= bounds.max_concurrent_per_key)
          assert.ok(ofState('waiting', key).length <= bounds.max_queued_per_key)
        }
        const canRun = keys.filter(
          (key) =>
            ofState('waiting', key).length > 0 &&
            ofState('running', key).length < bounds.max_concurrent_per_key,
        )
        if (canRun.length > 0) assert.equal(ofState('running').length, bounds.max_concurrent)

        for (const { key } of started.slice(nb_started)) {
          passed.delete(key)
          for (const other of keys) {
            if (other === key || !waited.has(other) || !canRun.includes(other)) continue
            const counts = passed.get(other) ?? new Map<string, number>()
            counts.set(key, (counts.get(key) ?? 0) + 1)
            passed.set(other, counts)
            assert.ok((counts.get(key) ?? 0) <= 1, `${key} started twice before ${other}`)
          }
        }
        for (const key of keys) if (!canRun.includes(key)) passed.delete(key)
      }
    }),
  )
})

test('every task that is neither refused nor aborted runs eventually', async () => {
  await fc.assert(
    fc.asyncProperty(bounds, fc.array(fc.constantFrom('a', 'b', 'c')), async (bounds, keys) => {
      const { add, ofState, started } = createModel(bounds)
      for (const key of keys) add(key)
      await setImmediate()
      while (ofState('running').length > 0) {
        ofState('running')[0]?.open.resolve()
        await setImmediate()
      }
      assert.equal(ofState('waiting').length, 0)
      assert.equal(started.length + ofState('refused').length, keys.length)
    }),
  )
})
