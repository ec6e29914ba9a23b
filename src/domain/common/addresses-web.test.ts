import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTextLink } from '#domain/run/rich-text.ts'
import { isLinkAddress, isWebAddress, readTypedLink } from './addresses.ts'
import { LIMITS } from './vocabulary.ts'

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

test('https:// is added to a typed address without a scheme', () => {
  const cases: [typed: string, address: string | null][] = [
    ['calendly.com/claire', 'https://calendly.com/claire'],
    ['  exemple.fr ', 'https://exemple.fr'],
    ['//exemple.fr/a', 'https://exemple.fr/a'],
    ['exemple.fr:8443/a', 'https://exemple.fr:8443/a'],
    ['exemple.fr/?à=b@c', 'https://exemple.fr/?à=b@c'],
    ['exemple.fr/{{résultat}}', 'https://exemple.fr/{{résultat}}'],
    ['éxemple.fr', 'https://éxemple.fr'],
    ['https://exemple.fr/a', 'https://exemple.fr/a'],
    ['HTTPS://exemple.fr', 'HTTPS://exemple.fr'],
    ['https://[::1]:8443/a', 'https://[::1]:8443/a'],
    [' ', null],
    ['', null],
  ]
  for (const [typed, address] of cases) {
    assert.deepEqual(readTypedLink(typed), { address }, typed)
    assert.ok(address === null || isLinkAddress(address), typed)
  }
})

test('a typed address that leads nowhere is refused with its reason', () => {
  const cases: [typed: string, problem: string][] = [
    ['javascript:alert(1)', 'other_scheme'],
    ['JavaScript:alert(1.5)', 'other_scheme'],
    ['http://exemple.fr', 'other_scheme'],
    ['https:exemple.fr', 'other_scheme'],
    ['mailto:claire@exemple.fr', 'other_scheme'],
    ['data:text/html,x', 'other_scheme'],
    ['tel:0612345678', 'other_scheme'],
    ['claire@exemple.fr', 'email'],
    ['calendly', 'no_dot'],
    ['https://calendly/claire.html', 'no_dot'],
    ['calendly./claire', 'no_dot'],
    ['https://.fr', 'no_dot'],
    ['/page.html', 'no_dot'],
    ['https://', 'no_dot'],
    ['mon site.fr', 'has_space'],
    ['https://exemple.fr/a\u00a0b', 'has_space'],
    ['java script:alert(1)', 'has_space'],
    ['https://nom:secret@exemple.fr', 'invalid'],
    ['https://exemple.fr/\u202egnp.exe', 'invalid'],
    ['exemple.fr:99999', 'invalid'],
    ['{{résultat}}.fr', 'invalid'],
    [`exemple.fr/${'a'.repeat(LIMITS.address - 'exemple.fr/'.length)}`, 'too_long'],
  ]
  for (const [typed, problem] of cases) assert.deepEqual(readTypedLink(typed), { problem }, typed)
})
