import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTextLink } from '#domain/run/rich-text.ts'
import { isLinkAddress, isWebAddress } from './addresses.ts'

test('a link leads to a host by https, without a name or a password', () => {
  const cases: [address: string, is_link: boolean][] = [
    ['https://exemple.fr', true],
    ['https://exemple.fr/merci?profil={{résultat}}#haut', true],
    ['HTTPS://exemple.fr/', true],
    ['https://exemple.fr:8443/a', true],
    ['http://exemple.fr', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['//exemple.fr', false],
    ['https:exemple.fr', false],
    ['https://', false],
    ['https:///chemin', false],
    ['https://nom:secret@exemple.fr', false],
    ['https://{{résultat}}.fr', false],
    ['https://exemple.fr/a b', false],
    ['https:\\\\exemple.fr', false],
    ['myapp://exemple.fr', false],
    ['exemple.fr', false],
    ['', false],
  ]
  for (const [address, is_link] of cases) assert.equal(isLinkAddress(address), is_link, address)
})

test('an address that browsers cannot open, or that looks like another address, is not a link', () => {
  const refused = [
    ...['https://[::1', 'https://exemple.fr:99999', 'https://exemple.fr:port', 'https://a b.fr'],
    ...[
      'https://exemple.fr/\u202egnp.exe',
      'https://\u2066exemple.fr',
      'https://exemple.fr/\u200b',
    ],
    ...[
      'https://exemple.fr/a\u0007',
      'https://exemple.fr/\u00ad',
      'https://999.1.1.1',
      'https://%',
    ],
    'https://exemple.fr\\@autre.fr',
  ]
  for (const address of refused) {
    assert.ok(!isLinkAddress(address), address)
    assert.ok(!isWebAddress(address.replace('https', 'http')), address)
    assert.ok(!isTextLink(address), address)
  }
  for (const address of [
    'https://éxemple.fr/é?q={{nom}}',
    'https://[::1]:8443/a',
    'https://a.fr/@moi',
  ])
    assert.ok(isLinkAddress(address) && isTextLink(address), address)
  assert.ok(isWebAddress('http://exemple.fr') && !isLinkAddress('http://exemple.fr'))
  assert.ok(!isTextLink('mailto:a\u202e@exemple.fr'))
})
