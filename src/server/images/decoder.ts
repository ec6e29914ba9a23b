import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import {
  type DecoderRefusal,
  MAX_ANSWER_BYTES,
  READY,
  type ReadPicture,
  readAnswer,
} from './decoder-answer.ts'

const MIB = 1_048_576
const MAX_START_MS = 10_000

/** Program and limits of a decoder. */
export type DecoderSettings = {
  program: string
  /** Maximum time of a decoder in seconds. */
  max_s: number
  /** Maximum resident memory of a decoder in bytes, which it checks every ten milliseconds. */
  max_resident_bytes: number
  /** Maximum data memory of a decoder in bytes (RLIMIT_DATA); about 600 MiB are reserved but not used. */
  max_data_bytes: number
}

/** The largest AVIF (40 megapixels, 12 bits, transparency) takes 1,073 MiB, every other image less. */
const DECODER_SETTINGS: DecoderSettings = {
  program: fileURLToPath(new URL('./decoder-main.ts', import.meta.url)),
  max_s: 10,
  max_resident_bytes: 1_280 * MIB,
  max_data_bytes: 2_048 * MIB,
}

/**
 * Returns a shell script that sets kernel limits, which Node cannot set: core dumps, files, processor time, memory.
 */
const limitedStart = ({ max_s, max_data_bytes }: DecoderSettings): string =>
  [
    'ulimit -c 0',
    'ulimit -f 0',
    `ulimit -t ${2 * max_s}`,
    `ulimit -d ${max_data_bytes / 1_024}`,
    'exec "$@"',
  ].join('; ')

/** Starts a decoder with an empty environment. Its fourth pipe closes when this process ends. */
const startDecoder = (settings: DecoderSettings) => {
  const { program, max_resident_bytes } = settings
  const command = [process.execPath, program, String(max_resident_bytes)]
  return spawn('/bin/sh', ['-c', limitedStart(settings), 'sh', ...command], {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
}

/**
 * Decodes an image in its own process, which is killed beyond its limits. Returns the image or the reason of its
 * refusal; `exhausted` if the decoder ended without an answer. Throws if the decoder did not start, and the reason of
 * `signal` once that is aborted.
 */
export const decode = async (
  bytes: Buffer,
  { signal, ...settings }: Partial<DecoderSettings> & { signal?: AbortSignal | undefined } = {},
): Promise<ReadPicture | { refusal: DecoderRefusal }> => {
  const { max_s, ...others } = { ...DECODER_SETTINGS, ...settings }
  signal?.throwIfAborted()
  const child = startDecoder({ max_s, ...others })
  const closed = once(child, 'close')
  // Without a free file descriptor the child has no pipes, and its error arrives as an event.
  if (child.pid === undefined) await closed
  const kill = (): boolean => child.kill('SIGKILL')
  signal?.addEventListener('abort', kill)
  let timer = setTimeout(kill, MAX_START_MS)
  const onStart = (): void => {
    clearTimeout(timer)
    timer = setTimeout(kill, max_s * 1_000)
  }
  // The exit of a decoder that ends early tells why.
  child.stdin.on('error', () => undefined).end(bytes)
  const answer = collect(child, child.stdout, {
    max_bytes: MAX_ANSWER_BYTES,
    onStart,
  })
  const reason = collect(child, child.stderr, { max_bytes: MAX_REASON_BYTES })
  try {
    await closed
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', kill)
  }
  signal?.throwIfAborted()
  const whole = Buffer.concat(answer)
  if (whole[0] !== READY.charCodeAt(0))
    throw new Error(`The decoder of pictures did not start: ${Buffer.concat(reason)}`)
  return readAnswer(whole) ?? { refusal: 'exhausted' }
}

const MAX_REASON_BYTES = 65_536

type Bounds = { max_bytes: number; onStart?: () => void }

/** Collects the output of a decoder and kills it if it writes more than `max_bytes`. */
const collect = (
  child: ChildProcess,
  stream: Readable,
  { max_bytes, onStart }: Bounds,
): Buffer[] => {
  const chunks: Buffer[] = []
  let received = 0
  stream.on('data', (chunk: Buffer) => {
    if (received === 0) onStart?.()
    received += chunk.length
    if (received > max_bytes) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  return chunks
}
