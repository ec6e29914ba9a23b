import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

const base58 = (bytes: Uint8Array): string => {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(Math.max(zeros, 0)) + text
}

/** Creates an Ethereum wallet with the interface of a browser extension. */
export const createEthereumWallet = () => {
  const { secretKey, publicKey } = secp256k1.keygen()
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  const address = `0x${Buffer.from(keccak_256(point.subarray(1))).toString('hex', 12)}`
  const sign = (message: string): string => {
    const bytes = Buffer.from(message)
    const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`)
    const hash = keccak_256(Buffer.concat([prefix, bytes]))
    const [recovery = 0, ...rest] = secp256k1.sign(hash, secretKey, {
      prehash: false,
      format: 'recovered',
    })
    return `0x${Buffer.from([...rest, recovery + 27]).toString('hex')}`
  }
  return {
    address,
    sign,
    /** Provider with the EIP-1193 methods that the official client calls. */
    provider: {
      request: async ({ method, params }: { method: string; params?: unknown }) => {
        if (method === 'eth_chainId') return '0x1'
        if (method !== 'personal_sign') return [address]
        const [hex] = params as string[]
        return sign(Buffer.from((hex ?? '').slice(2), 'hex').toString())
      },
    },
  }
}

/** Creates a Solana wallet, which signs any bytes. */
export const createSolanaWallet = () => {
  const { secretKey, publicKey } = ed25519.keygen()
  const address = base58(publicKey)
  const sign = (bytes: Uint8Array): Uint8Array => ed25519.sign(bytes, secretKey)
  return {
    address,
    key: publicKey,
    sign,
    provider: {
      publicKey: { toBase58: () => address },
      signMessage: async (bytes: Uint8Array) => sign(bytes),
    },
  }
}
