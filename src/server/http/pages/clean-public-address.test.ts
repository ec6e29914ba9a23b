import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '#domain/testing/linear-time.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { cleanPublicAddress } from './clean-public-address.ts'

const ID = '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
const TOKEN = 'Ab-cD_0123456789xYz_-Q'

/** Longer than any address of a request, whose headers have 16 KiB together. */
const LONGEST_ADDRESS = 131_072

/** One clean address of each kind. */
const ADDRESSES = [
  '/q/quel-rythme',
  `/q/${ID}`,
  `/q/quel-rythme/rapport/${TOKEN}`,
  `/q/${ID}/attestation/${TOKEN}`,
  `/q/${ID}/ma-page/${TOKEN}`,
  `/q/${ID}/resultat`,
  `/q/${ID}/test/${TOKEN}`,
  `/q/${ID}/test/${TOKEN}/resultat`,
  '/attestation/ABCD-EFGH-1234-5678',
  `/desinscription/${TOKEN}`,
  `/statistiques/${TOKEN}`,
]

/** Endings that people, mails and programs add to an address. */
const ENDINGS = [
  ...['/', '//', '.', ',', ';', ':', '!', '?', ')', ']', '}', '>', '"', "'", '*', '…', '|', '\\'],
  ...['%20', '%09', '%C2%A0', '%E2%80%AF', '%0A', '%0D%0A', '%0D', '=', '%3D%0D%0A', '=%0A'],
  ...[
    '%C2%BB',
    '%C2%A0%C2%BB.',
    '%E2%80%9D',
    '%E2%80%99',
    '%22',
    '%27',
    '%29.',
    '%5D',
    '%3E',
    '%5C',
  ],
  ...[
    '%E2%80%8B',
    '%EF%BB%BF',
    '%C2%AD',
    '%E9',
    '%',
    '%2',
    '\u00bb',
    '\u00c2\u00bb',
    '&',
    '&amp;',
    '#',
    '%23haut',
  ],
  ...['%20merci%20de%20r%C3%A9pondre', './', '/.', '%2F'],
]

describe('a damaged public address leads to the clean one', () => {
  test('with every ending, for every kind of address', () => {
    for (const address of ADDRESSES)
      for (const ending of ENDINGS)
        assert.equal(cleanPublicAddress(address + ending), address, `${address}${ending}`)
  })

  test('with signs before its parts, and several slashes', () => {
    for (const address of ADDRESSES) {
      const [, root = '', ...parts] = address.split('/')
      for (const sign of ['/', '%22', '%C2%AB%C2%A0', '(', '%20', '%E2%80%9C', '%0A'])
        assert.equal(cleanPublicAddress(`/${root}/${sign}${parts.join('/')}`), address, sign)
      assert.equal(cleanPublicAddress(`//${root}//${parts.join('//')}`), address)
    }
  })

  test('with a line break of a mail at any place of its parts', () => {
    for (const address of ADDRESSES) {
      const start = address.indexOf('/', 1) + 1
      for (const sign of ['%0A', '%0D%0A', '=%0D%0A', '=', '%3D%0A', '%0A%20', '%E2%80%8B'])
        for (let index = start; index < address.length; index++) {
          const damaged = address.slice(0, index) + sign + address.slice(index)
          assert.equal(cleanPublicAddress(damaged), address, damaged)
        }
    }
  })

  test('in capitals, which tokens keep', () => {
    assert.equal(cleanPublicAddress('/Q/Quel-Rythme'), '/q/quel-rythme')
    assert.equal(cleanPublicAddress(`/Q/${ID.toUpperCase()}?Embed=1`), `/q/${ID}?embed=1`)
    const shouted = `/q/QUEL-RYTHME/Rapport/${TOKEN}`
    assert.equal(cleanPublicAddress(shouted), `/q/quel-rythme/rapport/${TOKEN}`)
    assert.equal(cleanPublicAddress(`/DESINSCRIPTION/${TOKEN}`), `/desinscription/${TOKEN}`)
  })

  test('with parameters that are glued to it without a question mark', () => {
    for (const address of ADDRESSES)
      for (const glued of [
        '&utm_source=x&utm_medium=y',
        '/&utm_source=x&utm_medium=y',
        '&amp;utm_source=x&amp;utm_medium=y',
        '?utm_source=x&amp;utm_medium=y',
        '&utm_source=x?utm_medium=y',
        '%26utm_source%3Dx%26utm_medium%3Dy',
        '%3Futm_source%3Dx%26utm_medium%3Dy',
        '/?utm_source=x&utm_medium=y',
        './?utm_source=x&utm_medium=y',
        '??utm_source=x&utm_medium=y',
      ])
        assert.equal(
          cleanPublicAddress(address + glued),
          `${address}?utm_source=x&utm_medium=y`,
          address + glued,
        )
  })

  test('with punctuation after a parameter of ours, while values of others stay', () => {
    const of = (query: string) => cleanPublicAddress(`/q/quel-rythme?${query}`)
    assert.equal(of(`test=${TOKEN}.`), `/q/quel-rythme?test=${TOKEN}`)
    assert.equal(of(`test=${TOKEN}%C2%A0%C2%BB`), `/q/quel-rythme?test=${TOKEN}`)
    assert.equal(of('embed=1)&nom=M.'), '/q/quel-rythme?embed=1&nom=M.')
    assert.equal(of('r=2%22'), '/q/quel-rythme?r=2')
  })

  test('also with spaces in the number of a certificate', () => {
    const clean = '/attestation/ABCD-EFGH-1234-5678'
    assert.equal(cleanPublicAddress('/attestation/ABCD-%20EFGH-1234-%205678%20fin'), clean)
    assert.equal(cleanPublicAddress('/oembed/?url=x'), '/oembed?url=x')
  })

  test('also without the number of a certificate, which the page then asks for', () => {
    for (const ending of ['', ...ENDINGS.filter((sign) => !sign.includes('merci'))])
      assert.equal(cleanPublicAddress(`/Attestation${ending}`), '/attestation', ending)
    assert.equal(cleanPublicAddress('/attestation?numero=7K3M'), '/attestation?numero=7K3M')
    assert.equal(cleanPublicAddress('/attestation-x'), undefined)
    assert.equal(cleanPublicAddress(`/attestation${'.'.repeat(9_000)}`), undefined)
  })

  test('but never from a number that is too long to another number', () => {
    for (const number of ['ABCD-EFGH-1234-5678', 'ABCDEFGH12345678'])
      for (const long of [
        `${number}0`,
        `0${number}`,
        `${number}-0`,
        `0-${number}`,
        number + number,
      ])
        assert.equal(cleanPublicAddress(`/attestation/${long}`), `/attestation/${long}`)
  })
})

describe('the cleaning of addresses', () => {
  test('leaves every clean address unchanged, with any query', () => {
    for (const address of ADDRESSES) {
      assert.equal(cleanPublicAddress(address), address)
      fc.assert(
        fc.property(fc.webQueryParameters(), (query) => {
          fc.pre(!/^[?&]|&amp;|(?:^|&)(?:test|embed|r)=/i.test(query) && query !== '')
          assert.equal(cleanPublicAddress(`${address}?${query}`), `${address}?${query}`)
        }),
        { numRuns: countCases(50) },
      )
    }
    assert.equal(cleanPublicAddress('/oembed?url=a%20&b'), '/oembed?url=a%20&b')
  })

  test('leaves addresses alone that are no public address or cannot be read', () => {
    for (const address of [
      ...[
        '/',
        '/login',
        '/quiz/123/edit',
        '/qr',
        '/q',
        '/q/',
        '/q/.',
        '/q-x/abc',
        '/api/v1/quizzes',
      ],
      ...[
        '/q/ab',
        '/q/quel-rythm%C3%A9',
        '/q/a b',
        '/q/quel-rythme/image-1.png',
        '/q/quel-rythme/rapport',
      ],
      ...['/q/quel-rythme/visite/1/0/1', `/q/x-y-z/rapport/${TOKEN}/z`, '//evil.example/q/abc'],
      ...[
        '/\\evil.example',
        '/q\\evil',
        '/embed.js',
        '/statistiques',
        '/attestation/a/b',
        `/q/${'a'.repeat(9_000)}`,
      ],
    ])
      assert.equal(cleanPublicAddress(address), undefined, address)
  })

  test('needs one step, and leads to a path of this site, whatever the address', () => {
    const pieces = fc.constantFrom(
      ...['/', '//', '\\', '%5C', '%2F', 'q', 'Q', 'quel-rythme', ID, 'rapport', 'test', TOKEN],
      ...[
        '.',
        '..',
        '%2e%2e',
        '@',
        ':',
        'https:',
        'evil.example',
        '?',
        '&',
        '=',
        '#',
        '%0A',
        '%0D',
        '%00',
      ],
      ...['%', '%zz', '%E9', '\u00e9', '%F0%9F%98%80', 'utm_source=x', 'test=a', '%3F', '%26', ' '],
    )
    const address = fc
      .array(pieces, { maxLength: 12 })
      .map((parts) => `/q/quel-rythme${parts.join('')}`)
    const anywhere = fc.array(pieces, { maxLength: 12 }).map((parts) => `/${parts.join('')}`)
    fc.assert(
      fc.property(fc.oneof(address, anywhere), (damaged) => {
        const clean = cleanPublicAddress(damaged)
        if (clean === undefined) return
        assert.match(clean, /^\/(?:q|attestation|desinscription|statistiques|oembed)(?:[/?]|$)/)
        assert.equal(new URL(clean, 'https://quiz.example').origin, 'https://quiz.example')
        assert.equal(cleanPublicAddress(clean), clean)
      }),
      { numRuns: countCases(3_000) },
    )
  })

  test('takes linear time for the longest addresses', () => {
    for (const piece of [
      '.',
      '%',
      '=',
      '&',
      '?',
      '%20',
      '/.',
      '%E2%80%8B',
      '&amp;',
      '&test=',
      '%0A',
    ]) {
      const addressOf = (length: number): string =>
        `/q/quel-rythme${piece.repeat(length / piece.length)}x`
      assertLinear(cleanPublicAddress, addressOf, LONGEST_ADDRESS)
    }
  })
})
