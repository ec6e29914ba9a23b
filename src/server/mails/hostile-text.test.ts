import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Letter } from '#domain/mail-letters/letter.ts'
import { renderLetterHtml } from '#domain/mail-letters/letter-html.ts'
import { renderLetterText } from '#domain/mail-letters/letter-plain.ts'
import { resultLetter } from '#domain/mail-letters/result-letter.ts'
import { confirmationLetter } from '#server/confirmations/confirmation-letter.ts'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import { accountLetters } from './account-letters.ts'
import { campaignLetter } from './campaign-letters.ts'
import { digestLetter, noticeLetter } from './quiz-letters.ts'
import { openTransport } from './transport.ts'

const quiet = { info: () => undefined }
const catcher = await startMailCatcher()
const data_dir = await mkdtemp(join(tmpdir(), 'quizaine-mails-'))
after(async () => {
  await catcher.close()
  await rm(data_dir, { recursive: true, force: true })
})

/** Names that people may give to a quiz, a device or themselves. */
const HOSTILE = [
  `<script>alert(1)</script><img src=x onerror=alert(1)>`,
  `"><a href="https://mauvais.exemple">Cliquez</a>`,
  `</title></head><body onload=alert(1)>`,
  `<!-- --><style>*{display:none}</style>`,
  'Nom\r\nBcc: victime@exemple.fr\r\n\r\n<b>autre corps</b>',
  'Nom\nContent-Type: text/html\n\ncorps',
  'Nom\u0000\u0007\u001b[31m\u007f\u0085',
  'Nom\u2028Bcc: a@exemple.fr\u2029',
  'rapport\u202efdp.exe',
  '\u2066\u202dgauche\u2069 \u061c\u200f\u200e\u200b\ufeff',
  'Nom\ud800 seul',
  '=?utf-8?B?PHNjcmlwdD4=?= =?utf-8?Q?=0D=0ABcc:_a@exemple.fr?=',
  '&lt;script&gt; &amp; &#60;b&#62;',
  "javascript:alert(1)' onclick='alert(1)",
  '.\r\nQUIT\r\n',
]
const FORBIDDEN =
  /[\p{Cc}\u{2028}\u{2029}\u{061c}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}]/u

const factsWith = (text: string) => ({
  email: text,
  new_email: text,
  tool: text,
  to_do: text,
  nb_waiting: 2,
  code: '042137',
  url: `https://quiz.exemple.fr/?redirect_to=${text}`,
})

/** Returns a letter that contains the text in every part. */
const letterWith = (text: string): Letter => ({
  subject: text,
  title: text,
  preview: text,
  paragraphs: [text, `Le quiz « ${text} » a une réponse.`],
  action: { label: text, url: `https://quiz.exemple.fr/${text}` },
  code: { label: text, digits: '042137' },
  closing: [`Appareil : ${text}`],
})

/** Returns the tags of HTML with the names of their attributes, without values. */
const markupOf = (html: string): string[] =>
  [...html.matchAll(/<[!/]?[a-z][^>]*>/gi)].map(([tag]) =>
    tag.replaceAll(/="[^"]*"/g, '=').replaceAll(/\s+/g, ' '),
  )

const UNSUBSCRIBE = 'https://quiz.exemple.fr/desinscription/jeton'

const facts = (text: string) => ({
  subject: text,
  quiz: { name: text },
  unsubscribe_url: UNSUBSCRIBE,
})

/** Returns the text on one line, as `mailInsertions` (domain/deliveries/mail-insertions.ts) does with visitors' texts. */
const onOneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ')

/** Returns a result mail that contains the text as words, with marks, in a list and in an address. */
const resultLetterWith = (text: string): Letter =>
  resultLetter({
    ...facts(text),
    body: [
      [text, { strong: [text, { em: [text] }] }],
      { list: [[[text]], [[{ a: [text], href: `https://exemple.fr/?r=${text}` }]]] },
    ],
  })

const digested = (text: string) => ({
  quiz_id: 'Q',
  name: onOneLine(text),
  nb_participants: 1,
  results: [{ name: onOneLine(text), nb_participants: 1 }],
})

const letters = (text: string): [string, Letter][] => [
  ['result', { ...resultLetterWith(onOneLine(text)), subject: text, title: text }],
  ['digest', digestLetter({ quizzes: [digested(text)], public_url: 'https://a.fr' })],
  ['result without marks', resultLetter({ ...facts(text), body: onOneLine(text) })],
  [
    'notice',
    noticeLetter({
      quiz: { name: text, type: 'quiz' },
      result: text,
      email: text,
      url: `https://a.fr/${text}`,
    }),
  ],
  [
    'confirmation',
    confirmationLetter({
      ...facts(text),
      email: text,
      sender_name: text,
      consent_text: text,
      is_mailed: true,
      is_reminder: true,
      url: `https://a.fr/${text}`,
    }),
  ],
  [
    'invitation',
    campaignLetter({
      ...facts(text),
      body: onOneLine(text),
      is_anonymous: true,
      link: { answer_url: `https://a.fr/${text}`, refusal_url: UNSUBSCRIBE },
    }),
  ],
  ['a letter with all of its parts', letterWith(text)],
  ...Object.entries(accountLetters).map(([kind, write]): [string, Letter] => [
    kind,
    write(factsWith(text)),
  ]),
]

for (const hostile of HOSTILE)
  test(`${JSON.stringify(hostile)} is plain text in both parts of each mail`, () => {
    const plain = letters('Nom')
    for (const [index, [kind, letter]] of letters(hostile).entries()) {
      const [, innocent] = plain[index] ?? []
      assert.ok(innocent)
      const [html, text] = [renderLetterHtml(letter), renderLetterText(letter)]
      assert.deepEqual(markupOf(html), markupOf(renderLetterHtml(innocent)), `${kind}: markup`)
      for (const part of [html, text]) {
        assert.doesNotMatch(part.replaceAll('\n', ''), FORBIDDEN, `${kind}: signs`)
        assert.ok(part.isWellFormed(), `${kind}: surrogates`)
      }
      const lines = (whole: string): number => whole.split('\n').length
      assert.equal(lines(text), lines(renderLetterText(innocent)), `${kind}: lines of the text`)
      assert.equal(lines(html), lines(renderLetterHtml(innocent)), `${kind}: lines of the HTML`)
    }
  })

const HEADERS = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version']
  .concat('subject', 'to')
  .toSorted()

/** Returns the header names of a message, with folded lines joined. */
const headersOf = (raw: string): string[] => {
  const [head = ''] = raw.replaceAll('\r\n', '\n').split('\n\n')
  return head
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
    .map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
    .toSorted()
}

const wordsOf = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

test('no text adds a header, a mail or a recipient', async () => {
  const to = 'camille@exemple.fr'
  const config = { smtp_tls: 'required', mail_from: undefined, data_dir } as const
  const toFolder = openTransport({ ...config, smtp_url: undefined }, quiet)
  const toServer = openTransport({ ...config, smtp_url: catcher.url }, quiet)
  for (const hostile of HOSTILE) {
    const letter = letterWith(hostile)
    const mail = {
      to,
      subject: letter.subject,
      html: renderLetterHtml(letter),
      text: renderLetterText(letter),
    }
    await toFolder.send(mail)
    await toServer.send(mail)
    const caught = await catcher.next(to)
    assert.doesNotMatch(caught.subject, FORBIDDEN)
    assert.equal(wordsOf(caught.text), wordsOf(mail.text))
  }
  assert.equal(catcher.mails.length, HOSTILE.length)
  assert.deepEqual(new Set(catcher.mails.map((mail) => mail.to)), new Set([to]))
  const folder = join(data_dir, 'mail')
  const files = await readdir(folder)
  assert.equal(files.length, HOSTILE.length)
  for (const file of files) {
    const found = headersOf(await readFile(join(folder, file), 'utf8'))
    assert.deepEqual(
      found,
      HEADERS.filter((name) => name !== 'auto-submitted'),
    )
  }
  toFolder.close()
  toServer.close()
})

test('no mail is sent to text that contains more than an address', async () => {
  const config = { smtp_tls: 'required', mail_from: undefined, data_dir } as const
  const toServer = openTransport({ ...config, smtp_url: catcher.url }, quiet)
  const before = catcher.mails.length
  const to = 'camille@exemple.fr>\r\nRCPT TO:<victime@exemple.fr'
  await Promise.allSettled([toServer.send({ to, subject: 'x', html: 'x', text: 'x' })])
  const readers = catcher.mails.slice(before).map((mail) => mail.to)
  assert.ok(!readers.includes('victime@exemple.fr'), readers.join())
  toServer.close()
})
