import { validationFailed } from '#server/auth/auth-error.ts'

/** Digits of base58. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Returns the 32 bytes of a Solana address; undefined for another text. */
export const readAddress = (text: string): Uint8Array | undefined => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return undefined
  const value = [...text].reduce(
    (sum, character) => sum * 58n + BigInt(ALPHABET.indexOf(character)),
    0n,
  )
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  // Each leading 1 represents a zero byte, which the number omits.
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const address = Buffer.concat([Buffer.alloc(zeros), value === 0n ? Buffer.alloc(0) : bytes])
  return address.length === 32 ? address : undefined
}

/** Blockchain of a wallet. */
export type Chain = 'ethereum' | 'solana'

/** Signed statement of a wallet owner (EIP-4361 and its Solana variant). */
export type SignedMessage = {
  domain: string
  address: string
  statement: string | undefined
  uri: URL
  network: string | undefined
  issued_at: number
  expires_at: number | undefined
  not_before: number | undefined
}

const HEADERS: Record<Chain, RegExp> = {
  ethereum: /^(\S+) wants you to sign in with your Ethereum account:$/,
  solana: /^(\S+) wants you to sign in with your Solana account:$/,
}
const DOMAIN = /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d{1,5})?$/i
const NETWORKS: Record<Chain, RegExp> = {
  ethereum: /^[1-9]\d{0,19}$/,
  solana: /^(?:solana:)?(?:main|mainnet|dev|devnet|test|testnet|localnet)$/,
}
const NONCE = /^\S{8,200}$/
const STAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
const FIELD = /^([A-Z][A-Za-z ]*):(?: (.*))?$/

/** Returns the address, Ethereum addresses in lower case, because their case is optional. Undefined if it is invalid. */
const addressOf = (chain: Chain, line: string): string | undefined => {
  if (chain === 'solana') return readAddress(line) && line
  return /^0x[0-9a-f]{40}$/i.test(line) ? line.toLowerCase() : undefined
}

/** Returns the fields after the statement. A list of resources at the end is ignored. Throws 400 for other lines. */
const readFields = (lines: string[]): Map<string, string> => {
  const fields = new Map<string, string>()
  let isInResources = false
  for (const line of lines) {
    // The auth client writes `Resources` without a colon in Solana messages.
    if (line === 'Resources:' || line === 'Resources') isInResources = true
    else if (isInResources && /^- \S+$/.test(line)) continue
    else {
      const [, name = '', value = ''] = FIELD.exec(line) ?? []
      if (isInResources || name === '' || fields.has(name))
        throw validationFailed('The message has a line that cannot be read')
      fields.set(name, value)
    }
  }
  return fields
}

const readStamp = (text: string | undefined, name: string): number | undefined => {
  if (text === undefined) return undefined
  const stamp = STAMP.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(stamp)) throw validationFailed(`${name} of the message is not a time`)
  return stamp
}

/** Parses a message. Throws 400 `validation_failed` if its layout is wrong. */
export const readMessage = (chain: Chain, text: string): SignedMessage => {
  const lines = text.split('\n')
  const [header = '', address_line = '', empty, first = ''] = lines
  const domain = HEADERS[chain].exec(header)?.[1]
  if (!domain || !DOMAIN.test(domain)) throw validationFailed('The first line names no domain')
  const address = addressOf(chain, address_line)
  if (!address) throw validationFailed('The second line is not an address')
  if (empty !== '') throw validationFailed('The third line must be empty')

  const hasStatement = first !== '' && lines[4] === ''
  // Without a statement, the auth client writes two empty lines in Ethereum messages and one in Solana messages.
  const withoutStatement = first === '' ? 4 : 3
  const fields = readFields(lines.slice(hasStatement ? 5 : withoutStatement))
  const uri = fields.get('URI') ?? ''
  if (!URL.canParse(uri)) throw validationFailed('URI of the message is not an address')
  if (fields.get('Version') !== '1') throw validationFailed('Version of the message must be 1')
  const network = fields.get('Chain ID')
  const isKnown = network === undefined ? chain === 'solana' : NETWORKS[chain].test(network)
  if (!isKnown) throw validationFailed('Chain ID of the message is not known')
  const nonce = fields.get('Nonce')
  if (nonce !== undefined && !NONCE.test(nonce)) throw validationFailed('Nonce is too short')
  const issued_at = readStamp(fields.get('Issued At'), 'Issued At')
  if (issued_at === undefined) throw validationFailed('The message does not say when it was issued')
  const expires_at = readStamp(fields.get('Expiration Time'), 'Expiration Time')
  const not_before = readStamp(fields.get('Not Before'), 'Not Before')
  if (expires_at !== undefined && Math.max(issued_at, not_before ?? issued_at) > expires_at)
    throw validationFailed('The message ends before it begins')
  return {
    domain,
    address,
    statement: hasStatement ? first : undefined,
    uri: new URL(uri),
    network,
    issued_at,
    expires_at,
    not_before,
  }
}
