import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findReplyTo } from './reply-to.ts'

const ADDRESSES = [
  { id: 'a', email: 'atelier@exemple.fr' },
  { id: 'b', email: 'bureau@exemple.fr' },
]
const OWN = 'camille@exemple.fr'

for (const [quiz_choice, account_choice, account_email, expected] of [
  [null, 'account', OWN, OWN],
  [null, 'account', null, null],
  [null, 'none', OWN, null],
  [null, 'a', OWN, 'atelier@exemple.fr'],
  [null, 'a', null, 'atelier@exemple.fr'],
  ['b', 'a', OWN, 'bureau@exemple.fr'],
  ['account', 'a', OWN, OWN],
  ['account', 'a', null, null],
  ['none', 'a', OWN, null],
  // A removed address falls back to the account's choice, then to the account's address.
  ['removed', 'a', OWN, 'atelier@exemple.fr'],
  ['removed', 'none', OWN, null],
  [null, 'removed', OWN, OWN],
  ['removed', 'removed', OWN, OWN],
  ['removed', 'removed', null, null],
] as const)
  test(`replies with the quiz on ${quiz_choice}, the account on ${account_choice} and the address ${account_email} go to ${expected}`, () => {
    assert.equal(
      findReplyTo({ quiz_choice, account_choice, account_email, addresses: ADDRESSES }),
      expected,
    )
  })
