import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { DOMAIN_SLIPS, REAL_DOMAINS } from '#domain/testing/email-domains.ts'
import { OTHER_NAMES, PROVIDERS, suggestEmail } from './email-slips.ts'
import { MAX_EMAIL_LENGTH } from './vocabulary.ts'

/** Minimum share of slips that get the right suggestion. */
const MIN_FOUND = 0.9
/** Domains of the most used providers. */
const MOST_USED_DOMAINS = [...PROVIDERS].flatMap(([name, endings]) =>
  endings.split(' ').map((ending) => `${name}.${ending}`),
)
const suggestedDomain = (domain: string): string | undefined =>
  suggestEmail(`camille.durand@${domain}`)?.split('@')[1]

describe('a suggestion for the domain of an address', () => {
  test('no real domain gets a suggestion', () => {
    assert.ok(REAL_DOMAINS.length >= 300, `${REAL_DOMAINS.length} domains`)
    assert.equal(new Set(REAL_DOMAINS).size, REAL_DOMAINS.length)
    const suggested = REAL_DOMAINS.map((domain) => [domain, suggestedDomain(domain)] as const)
    assert.deepEqual(
      suggested.filter(([, suggestion]) => suggestion !== undefined),
      [],
    )
  })

  test('at least nine of ten slips get the right suggestion', (context) => {
    assert.ok(DOMAIN_SLIPS.length >= 300, `${DOMAIN_SLIPS.length} slips`)
    const missed = DOMAIN_SLIPS.filter(([typed, meant]) => suggestedDomain(typed) !== meant)
    context.diagnostic(
      `${DOMAIN_SLIPS.length} slips, not found: ${missed.map(([typed]) => `${typed} (${suggestedDomain(typed)})`).join(' ')}`,
    )
    assert.ok(missed.length <= DOMAIN_SLIPS.length * (1 - MIN_FOUND), missed.join(' '))
  })

  test('no domain of the list gets a suggestion, also in capitals', () => {
    assert.ok(MOST_USED_DOMAINS.length >= 60, `${MOST_USED_DOMAINS.length} domains`)
    for (const domain of MOST_USED_DOMAINS) {
      assert.equal(suggestedDomain(domain), undefined, domain)
      assert.equal(suggestedDomain(domain.toUpperCase()), undefined, domain)
    }
  })

  test('a name like that of a provider gets no suggestion with any ending', () => {
    for (const name of OTHER_NAMES.trim().split(' ')) {
      const endings = ['com', 'fr', 'be', 'ch', 'ca', 'lu', 'net', 'me']
      for (const ending of endings)
        assert.equal(suggestedDomain(`${name}.${ending}`), undefined, name)
    }
  })

  test('the name before the @ stays as it was typed', () => {
    assert.equal(suggestEmail(' Camille.DURAND+quiz@Gmial.COM '), 'Camille.DURAND+quiz@gmail.com')
    assert.equal(suggestEmail('"camille@home"@gmial.com'), '"camille@home"@gmail.com')
  })

  test('an ending that does not exist is a slip at every domain', () => {
    assert.equal(suggestedDomain('mairie-de-lyon.fe'), 'mairie-de-lyon.fr')
    assert.equal(suggestedDomain('etu.univ-lyon1.fr,'), 'etu.univ-lyon1.fr')
    assert.equal(suggestedDomain('ville.quebec.qc.cca'), 'ville.quebec.qc.ca')
  })

  test('an incomplete or endless address gets no suggestion', () => {
    for (const typed of [
      '',
      '@',
      'camille',
      'camille@',
      '@gmial.com',
      `${'a'.repeat(MAX_EMAIL_LENGTH)}@gmial.com`,
    ])
      assert.equal(suggestEmail(typed), undefined, typed)
  })

  test('a suggestion is final: it gets no suggestion of its own', () => {
    const typed = fc.oneof(
      fc.constantFrom(...DOMAIN_SLIPS.map(([slip]) => slip), ...REAL_DOMAINS),
      fc.stringMatching(/^[a-z.,-]{1,14}$/),
    )
    fc.assert(
      fc.property(typed, (domain) => {
        const suggestion = suggestEmail(`a@${domain}`)
        assert.equal(suggestion && suggestEmail(suggestion), undefined)
      }),
    )
  })
})
