import { isIPv4, isIPv6, SocketAddress } from 'node:net'

/** The network that an address is in: /24 of IPv4, /48 of IPv6; null for what is no address. */
export const networkOf = (address: string): string | null => {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address
  if (isIPv4(mapped)) return `${mapped.split('.').slice(0, 3).join('.')}.0/24`
  const plain = address.split('%')[0] ?? ''
  return isIPv6(plain) ? `${firstGroups(plain)}::/48` : null
}

/** The first three of the eight groups, written out. */
const firstGroups = (address: string): string => {
  // The system's own spelling: lower case, one run of zeros left out.
  const { address: spelled } = new SocketAddress({ address, family: 'ipv6' })
  const [before = '', after] = spelled.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 3).join(':')
}
