import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { checkHost, isPublicAddress, readAddress } from './check-address.ts'

const RULES = { allows_loopback: false }
const IN_TESTS = { allows_loopback: true }

/** Refused addresses by reason. */
const REFUSED: Record<string, string[]> = {
  malformed: [
    '',
    'exemple.fr',
    'https://',
    'https://a b',
    'https://1.2.3.256',
    'https://[::g]',
    'https://exemple.fr/\u202ea',
  ],
  not_https: [
    'http://exemple.fr',
    'HTTP://exemple.fr',
    'ftp://exemple.fr',
    'file:///etc/passwd',
    'gopher://127.0.0.1',
    'javascript:alert(1)',
    'http://127.0.0.1:3000',
    'ws://exemple.fr',
  ],
  has_credentials: ['https://a:b@exemple.fr', 'https://a@exemple.fr', 'https://exemple.fr@1.1.1.1'],
  port_refused: ['https://exemple.fr:22', 'https://exemple.fr:80', 'https://exemple.fr:0'],
  private_address: [
    // Addresses of this machine in every notation.
    'https://127.0.0.1',
    'https://127.1',
    'https://127.255.255.254',
    'https://2130706433',
    'https://0x7f000001',
    'https://0x7f.0.0.1',
    'https://0177.0.0.1',
    'https://017700000001',
    'https://0',
    'https://0.0.0.0',
    'https://127.0.0.1.',
    'https://①②⑦.⓪.⓪.①',
    'https://localhost',
    'https://LOCALHOST.',
    'https://app.localhost',
    // Private, shared, link-local, test and other special networks.
    'https://10.0.0.1',
    'https://167772161',
    'https://172.16.0.1',
    'https://172.31.255.255',
    'https://192.168.1.1',
    'https://0xc0a80101',
    'https://100.64.0.1',
    'https://100.127.255.255',
    'https://169.254.169.254',
    'https://2852039166',
    'https://0251.0376.0251.0376',
    'https://192.0.0.8',
    'https://192.0.2.1',
    'https://192.88.99.1',
    'https://198.18.0.1',
    'https://198.51.100.7',
    'https://203.0.113.7',
    'https://224.0.0.1',
    'https://240.0.0.1',
    'https://255.255.255.255',
    // IPv6: unspecified, loopback, mapped, compatible, translated, tunnelled, local, multicast, documentation.
    'https://[::]',
    'https://[::1]',
    'https://[0:0:0:0:0:0:0:1]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:7f00:1]',
    'https://[::ffff:8.8.8.8]',
    'https://[::127.0.0.1]',
    'https://[64:ff9b::7f00:1]',
    'https://[64:ff9b:1::a00:1]',
    'https://[2002:7f00:1::]',
    'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    'https://[2001:20::1]',
    'https://[fc00::1]',
    'https://[fd12:3456::1]',
    'https://[fe80::1]',
    'https://[fec0::1]',
    'https://[ff02::1]',
    'https://[2001:db8::1]',
    'https://[3fff::1]',
    'https://[100::1]',
    'https://[5f00::1]',
    // Names in the local network.
    'https://intranet',
    'https://imprimante.local',
    'https://metadata.google.internal',
    'https://box.home.arpa',
    'https://exemple.onion',
  ],
}
const ALLOWED = [
  'https://exemple.fr',
  'https://exemple.fr:443/a?b=c',
  'https://exemple.fr:8443/hook',
  'https://éxemple.fr/é',
  'https://8.8.8.8/hook',
  'https://134744072',
  'https://172.32.0.1',
  'https://100.128.0.1',
  'https://[2606:4700::1111]/hook',
]

describe('the check of an address that a person typed', () => {
  for (const [reason, addresses] of Object.entries(REFUSED))
    for (const address of addresses)
      test(`the address ${address} is refused: ${reason}`, () =>
        assert.equal(readAddress(address, RULES), reason))
  for (const address of ALLOWED)
    test(`the address ${address} may be called`, () =>
      assert.ok(readAddress(address, RULES) instanceof URL))

  test('only tests may call this machine, and no other internal address becomes reachable', () => {
    assert.ok(readAddress('http://127.0.0.1:9999/a', IN_TESTS) instanceof URL)
    assert.ok(readAddress('http://[::1]:9999', IN_TESTS) instanceof URL)
    assert.equal(readAddress('http://127.0.0.2:9999', IN_TESTS), 'not_https')
    assert.equal(readAddress('http://exemple.fr', IN_TESTS), 'not_https')
    assert.equal(readAddress('https://10.0.0.1', IN_TESTS), 'private_address')
    assert.equal(readAddress('http://127.0.0.1:22', IN_TESTS), 'port_refused')
  })
})

describe('the addresses of a name', () => {
  const lead = (...addresses: string[]) =>
    checkHost(new URL('https://exemple.fr'), { ...RULES, resolve: async () => addresses })

  test('a name is refused if a single one of its addresses is not public', async () => {
    assert.deepEqual(await lead('8.8.8.8', '2606:4700::1111'), ['8.8.8.8', '2606:4700::1111'])
    for (const address of ['10.0.0.1', '::1', '::ffff:10.0.0.1', 'fe80::1%eth0', 'x', ''])
      assert.equal(await lead('8.8.8.8', address), 'private_address', address)
  })

  test('a name without an address is reported', async () =>
    assert.equal(await lead(), 'unknown_host'))
})

const octet = fc.integer({ min: 0, max: 255 })
test('an IPv4 address is refused in every IPv6 form that embeds it', () => {
  fc.assert(
    fc.property(octet, octet, octet, octet, (a, b, c, d) => {
      const dotted = `${a}.${b}.${c}.${d}`
      const hex = (high: number, low: number): string => ((high << 8) | low).toString(16)
      const groups = `${hex(a, b)}:${hex(c, d)}`
      for (const held of [
        `::ffff:${dotted}`,
        `::${dotted}`,
        `64:ff9b::${groups}`,
        `2002:${groups}::1`,
        `2001::${groups}`,
        `::ffff:0:${dotted}`,
      ])
        assert.equal(isPublicAddress(held), false, held)
    }),
  )
})

test('an IPv4 address is recognised as one number and in octal or hexadecimal notation', () => {
  fc.assert(
    fc.property(octet, octet, octet, octet, (a, b, c, d) => {
      const expected = isPublicAddress(`${a}.${b}.${c}.${d}`)
      const number = ((a * 256 + b) * 256 + c) * 256 + d
      for (const written of [
        `${number}`,
        `0x${number.toString(16)}`,
        `0${a.toString(8)}.0x${b.toString(16)}.${c}.${d}`,
        `${a}.${(b * 256 + c) * 256 + d}`,
      ])
        assert.equal(readAddress(`https://${written}`, RULES) instanceof URL, expected, written)
    }),
  )
})
