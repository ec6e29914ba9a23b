import { randomBytes, timingSafeEqual } from 'node:crypto'
import { computeTag } from './hashing-threads.ts'

/** Cost of new hashes. Tests lower it if the cost is not their subject. */
export const HASHING_COST = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32
const SALT_BYTES = 16

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

const toPhc = (salt: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${HASHING_COST.memory},t=${HASHING_COST.passes},p=${HASHING_COST.parallelism}` +
  `$${unpadded(salt)}$${unpadded(tag)}`

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Format of imported bcrypt hashes; no new ones are created. */
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
const BCRYPT_SETTING = '$2b$10$'.length + 22
/** Accepted bcrypt costs. Each step doubles the work; 12 takes a third of a second. */
const BCRYPT_COSTS = { lowest: 4, highest: 12 }

/**
 * Hash that matches no password. Sign-ins of unknown accounts check this hash, so that the answer takes as long as
 * usual.
 */
export const DUMMY_HASH = toPhc(Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES))

/** Returns the argon2id hash of a password as a PHC string with salt and cost. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(SALT_BYTES)
  return toPhc(
    salt,
    await computeTag({
      algorithm: 'argon2id',
      password,
      salt,
      cost: HASHING_COST,
      tag_bytes: TAG_BYTES,
    }),
  )
}

/** Returns true for a bcrypt hash. Such hashes were imported and are replaced at the next sign-in. */
export const isBcrypt = (hash: string): boolean => BCRYPT.test(hash)

const isBcryptOf = async (password: string, hash: string): Promise<boolean> => {
  const setting = hash.slice(0, BCRYPT_SETTING)
  const found = await computeTag({ algorithm: 'bcrypt', password, setting })
  return timingSafeEqual(found, Buffer.from(hash))
}

/** Returns true if the password matches an argon2id or bcrypt hash. */
export const isPassword = async (password: string, phc: string): Promise<boolean> => {
  if (isBcrypt(phc)) return isBcryptOf(password, phc)
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(phc) ?? []
  if (!salt || !tag) throw new Error('A stored password hash is not an argon2id PHC string')
  const expected = Buffer.from(tag, 'base64')
  const cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  }
  const nonce = Buffer.from(salt, 'base64')
  const found = await computeTag({
    algorithm: 'argon2id',
    password,
    salt: nonce,
    cost,
    tag_bytes: expected.length,
  })
  return timingSafeEqual(found, expected)
}

/** Returns true for an argon2id PHC string or bcrypt hash of acceptable cost, which can be imported. */
export const isPasswordHash = (phc: string): boolean => {
  const [, bcrypt_cost] = BCRYPT.exec(phc) ?? []
  if (bcrypt_cost)
    return Number(bcrypt_cost) >= BCRYPT_COSTS.lowest && Number(bcrypt_cost) <= BCRYPT_COSTS.highest
  const [, memory, passes, parallelism] = PHC.exec(phc) ?? []
  return (
    phc.length <= 300 &&
    Number(memory) >= 8 * Number(parallelism) &&
    Number(memory) <= 262_144 &&
    Number(passes) >= 1 &&
    Number(passes) <= 10 &&
    Number(parallelism) >= 1 &&
    Number(parallelism) <= 8
  )
}
