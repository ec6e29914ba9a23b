import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from '#server/config/config.ts'

const LENGTH = 32

/** Prefix of a SECRET_KEY that gives the bytes of another installation's `secret.key`. */
const AS_BYTES = 'base64url:'

type Place = Pick<Config, 'secret_key' | 'data_dir'>

/**
 * Returns the secret that every other key is derived from: SECRET_KEY, or a file in DATA_DIR. The first start creates
 * the file for its owner alone. Throws a ConfigError if the file holds no key.
 */
export const loadSecretKey = (place: Place): string | Uint8Array =>
  findSecretKey(place) ?? loadKey(keyFile(place), IF_BROKEN)

/** Returns the secret that every other key is derived from; undefined if none was created yet. */
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

/**
 * Returns the key of a file and creates it if there is none. Throws a ConfigError with the remedy if the file holds
 * no key.
 */
export const loadKey = (file: string, if_broken: string): Buffer =>
  readKey(file, if_broken) ?? makeKey(file, if_broken)

/**
 * Returns the key of a file; undefined if there is no file. Throws a ConfigError with the remedy if the file holds no
 * key.
 */
export const readKey = (file: string, if_broken: string): Buffer | undefined => {
  const key = readText(file)
  if (key === undefined) return undefined
  const bytes = Buffer.from(key.trim(), 'base64url')
  // A truncated key must not be used, and a new one could not decrypt existing data.
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

/**
 * Writes the key to a temporary file and hard-links it to its name, so that a kill or a power cut leaves no partial key.
 * The link fails if another process was first.
 */
const makeKey = (file: string, if_broken: string): Buffer => {
  const key = randomBytes(LENGTH)
  const unfinished = `${file}.${process.pid}`
  writeSynced(unfinished, key.toString('base64url'))
  try {
    linkSync(unfinished, file)
    return key
  } catch (error) {
    // Another process created a key at the same moment, so its key is used.
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

/** Flushes the names in a folder to the disk. */
export const syncFolder = (folder: string): void => {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
