import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isMailable, mailboxOf } from './mailbox.ts'

const SAME: [string, string][] = [
  ['Lea@Exemple.fr', 'lea@exemple.fr'],
  [' lea@exemple.fr ', 'lea@exemple.fr'],
  ['lea+quiz@exemple.fr', 'lea@exemple.fr'],
  ['lea+a+b@exemple.fr', 'lea@exemple.fr'],
  ['L.e.a+x@gmail.com', 'lea@googlemail.com'],
]
for (const [one, other] of SAME)
  test(`${one} and ${other} are one mailbox`, () => assert.equal(mailboxOf(one), mailboxOf(other)))

const APART: [string, string][] = [
  ['lea@exemple.fr', 'le.a@exemple.fr'],
  ['lea@exemple.fr', 'lea@exemple.com'],
  ['lea@exemple.fr', 'leo@exemple.fr'],
]
for (const [one, other] of APART)
  test(`${one} and ${other} are two mailboxes`, () =>
    assert.notEqual(mailboxOf(one), mailboxOf(other)))

test('a mailbox is that of its own name', () =>
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      assert.equal(mailboxOf(mailboxOf(email)), mailboxOf(email))
    }),
  ))

const REFUSED = ['', 'lea', 'lea@exemple', 'lea@@exemple.fr', 'lea@exemple.', 'l ea@exemple.fr']
  .concat('lea@exemple.fr, ada@exemple.fr', 'Lea <lea@exemple.fr>', 'lea@exemple.fr\r\nBcc: a@b.fr')
  .concat('"lea"@exemple.fr', 'lea@exemple.fr;ada@exemple.fr')
for (const email of REFUSED)
  test(`nothing is written to ${JSON.stringify(email)}`, () => assert.ok(!isMailable(email)))

for (const email of ['lea@exemple.fr', 'léa@exémple.fr', "o'neil+quiz@sub.exemple.co.uk"])
  test(`${email} can be written to`, () => assert.ok(isMailable(email)))
