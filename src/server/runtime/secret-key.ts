import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from '#server/config/config.ts'

const LENGTH = 32

/** What a SECRET_KEY begins with that says the bytes of another installation's `secret.key`. */
const AS_BYTES = 'base64url:'

type Place = Pick<Config, 'secret_key' | 'data_dir'>

/**
 * The secret every other key is derived from: SECRET_KEY, else the one kept in DATA_DIR, made on the
 * first start and readable by its owner alone. A ConfigError when what is kept is no key.
 */
export const loadSecretKey = (place: Place): string | Uint8Array =>
  findSecretKey(place) ?? loadKey(keyFile(place), IF_BROKEN)

/** The same, undefined where none was made yet. */
export const findSecretKey = (place: Place): string | Uint8Array | undefined => {
  const { secret_key } = place
  if (!secret_key) return readKey(keyFile(place), IF_BROKEN)
  if (!secret_key.startsWith(AS_BYTES)) return secret_key
  const bytes = Buffer.from(secret_key.slice(AS_BYTES.length), 'base64url')
  if (bytes.length !== LENGTH)
    throw new ConfigError(`SECRET_KEY: after ${AS_BYTES} must come what a secret.key holds`)
  return bytes
}

const keyFile = ({ data_dir }: Place): string => join(data_dir, 'secret.key')

const IF_BROKEN = 'put the one that was there back from a backup'

/** The key of a file, made when there is none. A ConfigError with the remedy when what is there is no key. */
export const loadKey = (file: string, if_broken: string): Buffer =>
  readKey(file, if_broken) ?? makeKey(file, if_broken)

/** The key of a file, undefined where there is none. A ConfigError with the remedy when what is there is no key. */
export const readKey = (file: string, if_broken: string): Buffer | undefined => {
  const key = readText(file)
  if (key === undefined) return undefined
  const bytes = Buffer.from(key.trim(), 'base64url')
  // A short key would open every lock; a new one would open none of those that the old one closed.
  if (bytes.length !== LENGTH) throw new ConfigError(`${file} is no key: ${if_broken}`)
  return bytes
}

const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Written whole under another name first: a kill, or a power cut, leaves no half key. */
const makeKey = (file: string, if_broken: string): Buffer => {
  const key = randomBytes(LENGTH)
  const unfinished = `${file}.${process.pid}`
  writeSynced(unfinished, key.toString('base64url'))
  try {
    linkSync(unfinished, file)
    return key
  } catch (error) {
    // Another process made one at the same moment: theirs is the key.
    const theirs = readKey(file, if_broken)
    if (!theirs) throw error
    return theirs
  } finally {
    rmSync(unfinished)
    syncFolder(dirname(file))
  }
}

const writeSynced = (file: string, text: string): void => {
  const descriptor = openSync(file, 'w', 0o600)
  writeSync(descriptor, text)
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Puts the names in a folder on the disk. */
export const syncFolder = (folder: string): void => {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
