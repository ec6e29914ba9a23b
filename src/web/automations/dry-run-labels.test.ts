import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dryRunQuestion, dryRunSentence, effectOf } from './dry-run-labels.ts'

test('a dry run is a sentence that agrees with both numbers and the kind of label', () => {
  const sentence = (nb_matching: number | null, nb_participants: number, isAdded = false) =>
    dryRunSentence({ nb_matching, nb_participants }, isAdded ? 'added' : 'received')
  assert.equal(sentence(0, 0), 'Aucun participant jusqu’ici.')
  assert.equal(sentence(0, 1), 'Votre seul participant ne l’aurait pas reçu.')
  assert.equal(sentence(1, 1), 'Votre seul participant l’aurait reçu.')
  assert.equal(sentence(0, 340), 'Aucun de vos 340 participants ne l’aurait reçu.')
  assert.equal(sentence(1, 340), '1 de vos 340 participants l’aurait reçu.')
  assert.equal(sentence(12, 340), '12 de vos 340 participants l’auraient reçu.')
  assert.equal(sentence(0, 1, true), 'Votre seul participant n’y aurait pas été ajouté.')
  assert.equal(sentence(0, 2, true), 'Aucun de vos 2 participants n’y aurait été ajouté.')
  assert.equal(sentence(1, 2, true), '1 de vos 2 participants y aurait été ajouté.')
  assert.equal(sentence(2, 2, true), '2 de vos 2 participants y auraient été ajoutés.')
})

test('a dry run of many participants says that they are being counted', () => {
  const counts = { nb_participants: 60_000, as_of: { counted_at: null } }
  assert.match(
    dryRunSentence({ ...counts, nb_matching: null }, 'received'),
    /^Comptage parmi vos 60\s000 participants…$/,
  )
  assert.match(
    dryRunSentence({ ...counts, nb_matching: 20 }, 'received'),
    /^20 de vos 60\s000 participants l’auraient reçu\. Le comptage continue\.$/,
  )
})

test('a tag is received, a course has enrolments, and participants are added to all other labels', () => {
  const question = (...of: Parameters<typeof effectOf>) => dryRunQuestion(effectOf(...of))
  assert.equal(question('convertkit'), 'Qui l’aurait reçu ?')
  assert.equal(question('systemio'), 'Qui l’aurait reçu ?')
  assert.equal(question('brevo'), 'Qui y aurait été ajouté ?')
  assert.equal(question('systemio', 'course'), 'Qui y aurait été inscrit ?')
  for (const kind of ['community', 'sequence', 'form'] as const)
    assert.equal(question('convertkit', kind), 'Qui y aurait été ajouté ?')
  assert.equal(
    dryRunSentence({ nb_matching: 0, nb_participants: 9 }, 'enrolled'),
    'Aucun de vos 9 participants n’y aurait été inscrit.',
  )
})
