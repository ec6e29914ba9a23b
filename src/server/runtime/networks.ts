import { BlockList, isIPv4 } from 'node:net'

/** Returns the IPv4 address that an IPv6 address maps (`::ffff:192.0.2.1`); another text as it is. */
export const unwrapMapped = (address: string): string =>
  address.replace(/^::ffff:(?=\d+(?:\.\d+){3}$)/i, '')

/** Returns the hexadecimal number of a group without leading zeros. */
const readGroup = (group: string): string => Number.parseInt(group, 16).toString(16)

/**
 * Returns the first groups of an IPv6 address, at most four, with omitted zeros filled in. All spellings of an address
 * give the same groups.
 */
export const ipv6Groups = (address: string, count: number): string[] => {
  const [head = '', tail = ''] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, count).map(readGroup)
}

/** Returns a list of addresses and networks, such as 192.0.2.1 or 2001:db8::/32, that can be searched. */
export const blockListOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
