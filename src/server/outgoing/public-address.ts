import { BlockList, isIP } from 'node:net'

/** What of IPv4 is no address of the internet (the registry of special-purpose addresses). */
const NOT_PUBLIC_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** The one network of IPv6 that has addresses of the internet; forms that hold an IPv4 address are outside it… */
const UNICAST_6 = '2000::/3'
/** …but for Teredo and other protocols (2001::/23), 6to4, and what is for documentation. */
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const listOf = (networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
const notPublic4 = listOf(NOT_PUBLIC_4, 'ipv4')
const unicast6 = listOf([UNICAST_6], 'ipv6')
const notPublic6 = listOf(NOT_PUBLIC_6, 'ipv6')

/** Whether an IP address, as a resolver writes it, is one of the internet; anything else is not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !notPublic4.check(address, 'ipv4')
  // The zone of an address is of this machine alone.
  if (isIP(address) !== 6 || address.includes('%')) return false
  return unicast6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
}

/** Whether it is this machine by the two addresses that everyone writes. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '127.0.0.1' || address === '::1'
