import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isNetwork } from '#server/config/values.ts'
import { createProxyTrust, findClientAddress } from './caller.ts'

const addressOf = (
  proxies: { trust_proxy?: number; trusted_proxies?: string[] },
  peer: string,
  forwarded?: string,
): string => {
  const { trust_proxy = 0, trusted_proxies = [] } = proxies
  return findClientAddress(createProxyTrust({ trust_proxy, trusted_proxies }), peer, forwarded)
}

describe('the address of a caller', () => {
  test('the address of a caller is the address of the connection if no proxy is trusted', () => {
    assert.equal(addressOf({}, '198.51.100.1', '203.0.113.9'), '198.51.100.1')
  })
  test('the address of a caller is the last forwarded address behind one proxy', () => {
    const proxies = { trust_proxy: 1 }
    assert.equal(addressOf(proxies, '10.0.0.1', '1.1.1.1, 203.0.113.9'), '203.0.113.9')
    assert.equal(addressOf(proxies, '10.0.0.1'), '10.0.0.1')
  })
  test('the address of a caller is the one that the first of several proxies added, however many header lines a client sent', () => {
    const proxies = { trust_proxy: 2 }
    assert.equal(addressOf(proxies, '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2'), '203.0.113.9')
    assert.equal(addressOf(proxies, '10.0.0.1', '203.0.113.9'), '203.0.113.9')
  })
  test('the address of a caller is the rightmost address that is not a listed proxy', () => {
    const proxies = { trusted_proxies: ['10.0.0.0/8', 'fd00::/8'] }
    const forwarded = '1.1.1.1, 203.0.113.9, 10.1.2.3'
    assert.equal(addressOf(proxies, '10.0.0.1', forwarded), '203.0.113.9')
    assert.equal(addressOf(proxies, 'fd00::1', forwarded), '203.0.113.9')
    assert.equal(addressOf(proxies, '::ffff:10.0.0.1', forwarded), '203.0.113.9')
    assert.equal(addressOf(proxies, '10.0.0.1', '10.9.9.9'), '10.9.9.9')
  })
  test('the address of a caller is the address of the connection if that is not a listed proxy', () => {
    const proxies = { trust_proxy: 1, trusted_proxies: ['10.0.0.1'] }
    assert.equal(addressOf(proxies, '198.51.100.1', '203.0.113.9'), '198.51.100.1')
  })
  test('the address of a caller has no port or brackets, and IPv6 is compressed', () => {
    const proxies = { trusted_proxies: ['10.0.0.0/8', 'fd00::/8'] }
    const named = (forwarded: string) => addressOf(proxies, '10.0.0.1', forwarded)
    for (const entry of [
      '203.0.113.9:4711',
      ' 203.0.113.9:1 ',
      '::ffff:203.0.113.9',
      '[::ffff:cb00:7109]:80',
    ])
      assert.equal(named(`1.1.1.1, ${entry}`), '203.0.113.9', entry)
    for (const entry of ['[2001:db8::1]:443', '[2001:DB8::1]', '2001:0db8:0:0::0001'])
      assert.equal(named(entry), '2001:db8::1', entry)
    assert.equal(named('203.0.113.9:4711, [fd00::2]:80, 10.1.2.3:8080'), '203.0.113.9')
  })
  test('a forwarded address is not trusted if it is not an IP address', () => {
    const proxies = { trusted_proxies: ['10.0.0.1'] }
    assert.equal(addressOf(proxies, '10.0.0.1', 'unknown'), 'unknown')
    assert.equal(addressOf(proxies, '10.0.0.1', '[unknown]:80'), 'unknown')
  })
})

test('a listed network is an address with or without a prefix length', () => {
  for (const text of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']) assert.ok(isNetwork(text), text)
  for (const text of ['', 'localhost', '10.0.0.0/33', '10.0.0/8', '::/129', '10.0.0.0/8/8', '1/x'])
    assert.ok(!isNetwork(text), text)
})
