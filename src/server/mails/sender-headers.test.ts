import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import PostalMime from 'postal-mime'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import { openSmtp } from './transport.ts'

const catcher = await startMailCatcher()
after(catcher.close)
const transport = openSmtp({
  smtp_url: catcher.url,
  smtp_tls: 'optional',
  mail_from: 'Quizaine <bonjour@quiz.example>',
})
after(() => transport?.close())

let count = 0
/** Sends a mail of this sender and returns its raw header lines, unfolded. */
const headersOf = async (from_name: string, reply_to?: string) => {
  count += 1
  const to = `p${count}@exemple.fr`
  await transport?.send({
    to,
    subject: 'Votre résultat',
    html: '<p>Bonjour</p>',
    text: 'Bonjour',
    from_name,
    ...(reply_to !== undefined && { reply_to }),
    unsubscribe_url: 'https://quiz.example/desinscription/jeton',
  })
  const { raw } = await catcher.next(to)
  const [head = ''] = raw.split('\r\n\r\n')
  const { from, replyTo = [] } = await PostalMime.parse(Buffer.from(raw, 'latin1'))
  return { lines: head.replaceAll(/\r\n[ \t]/g, ' ').split('\r\n'), from, replyTo }
}

for (const [name, expected] of [
  ['Camille Durand', 'From: Camille Durand via Quizaine <bonjour@quiz.example>'],
  ['Dupont, Marie', 'From: "Dupont, Marie via Quizaine" <bonjour@quiz.example>'],
  ['Jean "Bob" D', 'From: "Jean \\"Bob\\" D via Quizaine" <bonjour@quiz.example>'],
  ['A\\B', 'From: "A\\\\B via Quizaine" <bonjour@quiz.example>'],
] as const)
  test(`the name « ${name} » is quoted in From`, async () => {
    const { lines, from } = await headersOf(name)
    assert.ok(
      lines.includes(expected),
      lines.find((line) => line.startsWith('From')),
    )
    assert.deepEqual(from, { name: `${name} via Quizaine`, address: 'bonjour@quiz.example' })
  })

for (const name of [
  'Élodie d’Aÿ',
  '👩‍🏫 Camille 🎉',
  'Dupont, « Bob » (coach); <b>',
  'محمد الفارسي',
  'É'.repeat(60),
  'Camille\r\nBcc: victime@exemple.fr',
  '=?utf-8?q?Banque?=',
  'Camille \u202eDurand',
])
  test(`the name ${JSON.stringify(name)} is one mailbox in ASCII and reads as typed`, async () => {
    const { lines, from } = await headersOf(name)
    const [line = '', ...others] = lines.filter((header) => /^from:/i.test(header))
    assert.deepEqual(others, [])
    assert.match(line, /^From: [\x20-\x7e]* <bonjour@quiz\.example>$/)
    assert.ok(!lines.some((header) => /^bcc:/i.test(header)))
    assert.equal(from?.address, 'bonjour@quiz.example')
    const shown = name.replaceAll(/[\r\n\u202e]+/g, ' ').replaceAll('=?', '= ?')
    assert.equal(from?.name, `${shown} via Quizaine`)
  })

test('a straight apostrophe in a name becomes typographic, so that no unquoted apostrophe is sent', async () => {
  const { lines, from } = await headersOf("L'Atelier d'Anna")
  const line = lines.find((header) => header.startsWith('From: ')) ?? ''
  assert.doesNotMatch(line, /'/)
  assert.equal(from?.name, 'L’Atelier d’Anna via Quizaine')
})

test('Reply-To is the address alone, and the envelope stays that of the installation', async () => {
  const { lines, replyTo } = await headersOf('Camille', 'o’brien+quiz@exemple.fr'.replace('’', "'"))
  assert.deepEqual(replyTo, [{ name: '', address: "o'brien+quiz@exemple.fr" }])
  assert.ok(lines.includes('List-Unsubscribe-Post: List-Unsubscribe=One-Click'))
  assert.ok(lines.some((line) => line.startsWith('List-Unsubscribe: <https://quiz.example/')))
})
