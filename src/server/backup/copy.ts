import { once } from 'node:events'
import type pg from 'pg'

/** Rows gather to blocks of about this size; a longer row is a block of its own. */
const BLOCK_BYTES = 64 * 1024
/** What waits for a slow reader before the database is told to wait. */
const HIGH_WATER = 16

const NEW_LINE = 10
/** A message's letter, and its length, which counts itself. */
const HEAD_BYTES = 5

const messageHead = (letter: string, bytes: number): Buffer => {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(letter, 'latin1')
  head.writeInt32BE(bytes + 4, 1)
  return head
}
const DONE = messageHead('c', 0)

/** Settles once: what the callbacks of the driver tell to whoever awaits. */
const createOutcome = () => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Whoever stopped waiting has another error to tell.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

/**
 * What a statement `COPY … TO STDOUT` in text form gives, in blocks of whole rows: memory holds a few
 * of them, as the database waits for a slow reader. A reader that stops early must end the client.
 */
export async function* copyOut(client: pg.Client, statement: string): AsyncGenerator<Buffer> {
  const blocks: Buffer[] = []
  let block = Buffer.allocUnsafe(BLOCK_BYTES)
  let used = 0
  let stream: pg.Connection['stream'] | undefined
  let isOver = false
  let failure: Error | undefined
  let wake = createOutcome()

  const flush = (): void => {
    if (used > 0) blocks.push(block.subarray(0, used))
    used = 0
  }
  client.query({
    submit: (connection: pg.Connection) => {
      stream = connection.stream
      connection.query(statement)
    },
    // The bytes are the driver's, and another row's soon.
    handleCopyData: ({ chunk }: { chunk: Buffer }) => {
      if (used + chunk.length > block.length) {
        flush()
        block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, chunk.length))
        if (blocks.length >= HIGH_WATER) stream?.pause()
        wake.resolve()
      }
      used += chunk.copy(block, used)
    },
    handleCommandComplete: flush,
    handleReadyForQuery: () => {
      isOver = true
      wake.resolve()
    },
    handleError: (error: Error) => {
      failure = error
      wake.resolve()
    },
  })
  for (;;) {
    const next = blocks.shift()
    if (failure) throw failure
    if (next) {
      yield next
      continue
    }
    if (isOver) return
    wake = createOutcome()
    stream?.resume()
    await wake.promise
  }
}

/** Gives blocks of rows to a statement `COPY … FROM STDIN`, as fast as the database takes them. */
export const copyIn = async (
  client: pg.Client,
  statement: string,
  blocks: AsyncIterable<Buffer>,
): Promise<void> => {
  const opened = Promise.withResolvers<pg.Connection['stream']>()
  const done = createOutcome()
  let stream: pg.Connection['stream'] | undefined
  client.query({
    submit: (connection: pg.Connection) => {
      stream = connection.stream
      connection.query(statement)
    },
    handleCopyInResponse: () => stream && opened.resolve(stream),
    handleCommandComplete: () => undefined,
    handleReadyForQuery: done.resolve,
    handleError: (error: Error) => {
      opened.reject(error)
      done.reject(error)
    },
  })
  const socket = await opened.promise
  try {
    for await (const block of blocks) {
      socket.write(messageHead('d', block.length))
      const isRoom = socket.write(block)
      if (!isRoom) await Promise.race([once(socket, 'drain'), done.promise])
    }
  } catch (error) {
    const reason = Buffer.from('the rows ended early\0')
    socket.write(messageHead('f', reason.length))
    socket.write(reason)
    await done.promise.catch(() => undefined)
    throw error
  }
  socket.write(DONE)
  await done.promise
}

/** The rows of a block, which ends with a whole one; text form keeps line ends out of values. */
export function* rowsOf(block: Buffer): Generator<Buffer> {
  let start = 0
  while (start < block.length) {
    const end = block.indexOf(NEW_LINE, start)
    if (end < 0) throw new Error('A block of rows ends within a row.')
    yield block.subarray(start, end)
    start = end + 1
  }
}
