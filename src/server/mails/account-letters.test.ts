import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { renderLetterHtml } from '#domain/mail-letters/letter-html.ts'
import { renderLetterText } from '#domain/mail-letters/letter-plain.ts'
import { accountLetters } from './account-letters.ts'

const facts = {
  email: 'camille@exemple.fr',
  new_email: 'autre@exemple.fr',
  url: 'https://quiz.exemple.fr/auth/v1/verify?token=abc&type=signup',
  code: '042137',
}

for (const [kind, write] of Object.entries(accountLetters))
  test(`the HTML and the text of the mail ${kind} say the same in French and load nothing`, () => {
    const letter = write(facts)
    const [html, text] = [renderLetterHtml(letter), renderLetterText(letter)]
    assert.match(html, /<html lang="fr">/)
    assert.doesNotMatch(html, /<img|<script|<link|@import|url\(|src=/)
    const sentences = [letter.title, ...letter.paragraphs, ...letter.closing]
    for (const sentence of sentences.map(tiePunctuation)) {
      assert.ok(text.includes(sentence))
      assert.ok(html.includes(sentence), sentence)
    }
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
    const expected = facts.url.replaceAll('&', '&amp;')
    assert.deepEqual(links, letter.action ? [expected, expected] : [])
    assert.equal(text.includes(facts.url), letter.action !== undefined)
    // French typography forbids straight apostrophes, and lines that begin with punctuation.
    assert.doesNotMatch(text, /\p{L}'\p{L}/u)
    for (const shown of [html, text]) assert.doesNotMatch(shown, / [?!:;»]|« /)
    assert.ok(letter.subject.length <= 60)
  })

test('user content in a mail is text, never markup', () => {
  const evil = `<b onclick="x">&'"`
  const html = renderLetterHtml(
    accountLetters.email_change_new({ ...facts, new_email: evil, url: `https://x/"><i>` }),
  )
  assert.ok(!html.includes('<b onclick'))
  assert.ok(!html.includes('"><i>'))
  assert.ok(html.includes('&lt;b onclick=&quot;x&quot;&gt;&amp;&#39;&quot;'))
})
