import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalEmail, cleanEmail, isMailable, mailboxKeyOf } from './addresses.ts'

const SAME: [string, string][] = [
  ['Lea@Exemple.fr', 'lea@exemple.fr'],
  [' lea@exemple.fr ', 'lea@exemple.fr'],
  ['lea+quiz@exemple.fr', 'lea@exemple.fr'],
  ['lea+a+b@exemple.fr', 'lea@exemple.fr'],
  ['L.e.a+x@gmail.com', 'lea@googlemail.com'],
  ['ｌｅａ＠ｅｘｅｍｐｌｅ．ｆｒ', 'lea@exemple.fr'],
  ['lea@exemple。fr', 'lea@exemple.fr'],
  ['lea@exemple｡fr', 'lea@exemple.fr'],
  ['lea@ex\u00ademple.fr', 'lea@exemple.fr'],
  ['lea@\u24d4xemple.fr', 'lea@exemple.fr'],
  ['\u200blea\u2060@exemple.fr\ufeff', 'lea@exemple.fr'],
  ['lea@exe\u0301mple.fr', 'lea@xn--exmple-cva.fr'],
  ['lea@ÉXEMPLE.fr', 'lea@éxemple.fr'],
  ['ℓea@exemple.fr', 'lea@exemple.fr'],
]
for (const [one, other] of SAME)
  test(`${one} and ${other} are one mailbox`, () =>
    assert.equal(mailboxKeyOf(one), mailboxKeyOf(other)))

const APART: [string, string][] = [
  ['lea@exemple.fr', 'le.a@exemple.fr'],
  ['lea@exemple.fr', 'lea@exemple.com'],
  ['lea@exemple.fr', 'leo@exemple.fr'],
]
for (const [one, other] of APART)
  test(`${one} and ${other} are two mailboxes`, () =>
    assert.notEqual(mailboxKeyOf(one), mailboxKeyOf(other)))

test('the mailbox key of a mailbox key is the key itself', () =>
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      assert.equal(mailboxKeyOf(mailboxKeyOf(email)), mailboxKeyOf(email))
    }),
  ))

const REFUSED = ['', 'lea', 'lea@exemple', 'lea@@exemple.fr', 'lea@exemple.', 'l ea@exemple.fr']
  .concat('lea@exemple.fr, ada@exemple.fr', 'Lea <lea@exemple.fr>', 'lea@exemple.fr\r\nBcc: a@b.fr')
  .concat('"lea"@exemple.fr', 'lea@exemple.fr;ada@exemple.fr', 'léa@exemple.fr', 'lea@localhost')
  .concat(
    'lea@127.0.0.1',
    'lea@127.1',
    'lea@0x7f.1',
    'lea@2130706433',
    'lea@[::1]',
    'lea@[127.0.0.1]',
  )
  .concat(
    'lea@exemple.fr/b',
    'lea@exemple.fr#b',
    'lea@exemple.fr:25',
    'lea@ex%65mple.fr',
    'lea@ex_emple.fr',
  )
  .concat(
    'lea@exemple..fr',
    'lea@-exemple.fr',
    'lea@.fr',
    `${'a'.repeat(250)}@a.fr`,
    'lea＠exemple.fr@a.fr',
  )
for (const email of REFUSED)
  test(`no mail can be sent to ${JSON.stringify(email)}`, () => assert.ok(!isMailable(email)))

for (const email of [
  'lea@exemple.fr',
  'lea@exémple.fr',
  '２４@exemple.fr',
  "o'neil+quiz@sub.exemple.co.uk",
])
  test(`mail can be sent to ${email}`, () => assert.ok(isMailable(email)))

test('a canonical address has the domain that the mail library would use', async () => {
  const { domainToASCII } = await import('node:url')
  for (const domain of [
    'exémple.fr',
    'ＥＸＥＭＰＬＥ.fr',
    'exemple。fr',
    'straße.de',
    'bücher。example',
  ])
    assert.equal(canonicalEmail(`lea@${domain}`), `lea@${domainToASCII(domain)}`)
})

test('the canonical form of a canonical address is the address itself', () =>
  fc.assert(
    fc.property(
      fc.oneof(
        fc.emailAddress(),
        fc.string({ unit: 'binary' }).map((text) => `${text}@exemple.fr`),
      ),
      (email) => {
        const canonical = canonicalEmail(email)
        if (canonical !== null) assert.equal(canonicalEmail(canonical), canonical)
      },
    ),
  ))

test('cleaning removes invisible characters, and keeps spaces so that several words are refused', () => {
  assert.equal(cleanEmail('\u200b Lea@Exemple.fr\u00a0\u2800'), 'Lea@Exemple.fr')
  for (const typed of ['lea dupont@exemple.fr', 'lea@exemple.fr\nada@exemple.fr'])
    assert.equal(cleanEmail(typed), typed)
})
