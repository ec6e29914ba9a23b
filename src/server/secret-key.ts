import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

const LENGTH = 32

/**
 * The secret every other key is derived from: SECRET_KEY, else the one kept in DATA_DIR, made on the
 * first start and readable by its owner alone.
 */
export const loadSecretKey = ({
  secret_key,
  data_dir,
}: Pick<Config, 'secret_key' | 'data_dir'>): string | Uint8Array => {
  if (secret_key) return secret_key
  const file = join(data_dir, 'secret.key')
  return readKey(file) ?? makeKey(file)
}

const readKey = (file: string): Buffer | undefined => {
  try {
    return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Written whole under another name first: a kill leaves no half key. */
const makeKey = (file: string): Buffer => {
  const key = randomBytes(LENGTH)
  const unfinished = `${file}.${process.pid}`
  const descriptor = openSync(unfinished, 'w', 0o600)
  writeSync(descriptor, key.toString('base64url'))
  fsyncSync(descriptor)
  closeSync(descriptor)
  try {
    linkSync(unfinished, file)
    return key
  } catch (error) {
    // Another process made one at the same moment: theirs is the key.
    const theirs = readKey(file)
    if (!theirs) throw error
    return theirs
  } finally {
    rmSync(unfinished)
  }
}
