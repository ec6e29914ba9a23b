import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { validationFailed } from '#server/auth/auth-error.ts'
import { type Chain, readAddress } from './signed-message.ts'

/** Returns the bytes of a signature in the chain's notation. Throws 400 `validation_failed`. */
export const readSignature = (chain: Chain, text: string): Buffer => {
  if (chain === 'ethereum') {
    const [, hex] = /^0x([0-9a-f]{130})$/i.exec(text) ?? []
    if (!hex) throw validationFailed('signature must be 65 bytes as 0x and 130 hexadecimal digits')
    return Buffer.from(hex, 'hex')
  }
  const bytes = /^[\w+/-]{86}(?:==)?$/.test(text) ? Buffer.from(text, 'base64') : undefined
  if (bytes?.length !== 64) throw validationFailed('signature must be 64 bytes in base64')
  return bytes
}

/** Returns the hash of a message with the prefix of personal_sign. */
const ethereumHash = (message: Buffer): Uint8Array =>
  keccak_256(
    Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`), message]),
  )

/** Returns the address that signed a message; undefined if the signature is invalid. */
const ethereumSigner = (message: Buffer, signature: Buffer): string | undefined => {
  const last = signature[64] ?? 0
  const recovery = last >= 27 ? last - 27 : last
  if (recovery > 1) return undefined
  try {
    const recovered = Buffer.concat([Buffer.from([recovery]), signature.subarray(0, 64)])
    const hash = ethereumHash(message)
    const compressed = secp256k1.recoverPublicKey(recovered, hash, { prehash: false })
    const point = secp256k1.Point.fromBytes(compressed).toBytes(false)
    return `0x${Buffer.from(keccak_256(point.subarray(1))).toString('hex', 12)}`
  } catch {
    return undefined
  }
}

/** Returns the message in the off-chain format of Solana, which Ledger devices sign instead of the plain message. */
const ledgerEnvelope = (domain: string, key: Uint8Array, message: Buffer): Buffer => {
  const application = Buffer.alloc(32)
  application.write(domain)
  const length = Buffer.alloc(2)
  length.writeUInt16LE(message.length)
  const [version, format, signers] = [0, 0, 1]
  return Buffer.concat([
    Buffer.from([0xff]),
    Buffer.from('solana offchain'),
    Buffer.from([version]),
    application,
    Buffer.from([format, signers]),
    key,
    length,
    message,
  ])
}

const isSignedOnSolana = (message: Buffer, signature: Buffer, address: string, domain: string) => {
  const key = readAddress(address)
  if (!key) return false
  const candidates = [
    message,
    ...[domain, ''].map((application) => ledgerEnvelope(application, key, message)),
  ]
  return candidates.some((signed) => {
    try {
      return ed25519.verify(signature, signed, key, { zip215: false })
    } catch {
      return false
    }
  })
}

/** Returns true if the owner of the address signed the message. */
export const isSignedBy = (
  chain: Chain,
  text: string,
  signature: Buffer,
  { address, domain }: { address: string; domain: string },
): boolean => {
  const message = Buffer.from(text)
  return chain === 'ethereum'
    ? ethereumSigner(message, signature) === address
    : isSignedOnSolana(message, signature, address, domain)
}
