import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embedSnippet } from './embed-snippet.ts'

const link = 'https://quiz.example.org/q/1'

test('an inline snippet has a frame titled with the quiz and the script that resizes it', () => {
  const name = '"Qui" <êtes>-vous & où ?'
  assert.equal(
    embedSnippet('inline', { link, quiz: { name, type: 'quiz' } }),
    '<iframe src="https://quiz.example.org/q/1?embed=1" title="&quot;Qui&quot; &lt;êtes&gt;-vous &amp; où ?" width="100%" height="600" style="border:0" loading="lazy"></iframe>\n<script src="https://quiz.example.org/embed.js" async></script>',
  )
})

test('a popup snippet has a button that names what it opens', () => {
  const snippet = embedSnippet('popup', { link, quiz: { name: '', type: 'sondage' } })
  assert.equal(
    snippet,
    '<button type="button" data-quizaine="https://quiz.example.org/q/1?embed=1">Répondre au sondage</button>\n<script src="https://quiz.example.org/embed.js" async></script>',
  )
})
