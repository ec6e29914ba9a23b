import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChosenFile } from './read-chosen-file.ts'

const OWN = '{"format":"quizaine-quiz","name":"Été"}'

test('a quiz file that an editor stored in another encoding is sent in UTF-8', async () => {
  for (const bytes of [
    Buffer.from(OWN),
    Buffer.from(`\ufeff${OWN}`, 'utf16le'),
    Buffer.from(OWN, 'latin1'),
  ]) {
    const chosen = await readChosenFile(new File([new Uint8Array(bytes)], 'a.json'))
    assert.ok(chosen.kind === 'quiz_file')
    assert.equal(await chosen.file.text(), OWN)
  }
})

test('the answers of a form in Windows-1252 keep their accents', async () => {
  const csv = Buffer.from('sep=;\r\nHorodateur;Votre prénom ?\r\n1;Zoé\r\n', 'latin1')
  const chosen = await readChosenFile(new File([new Uint8Array(csv)], 'Été.csv'))
  assert.ok(chosen.kind === 'text')
  assert.match(chosen.text, /^### Votre prénom \?$/m)
})
