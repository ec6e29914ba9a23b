import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { convert, typebotFile } from '#domain/testing/foreign-files.ts'

const readForeignFile = (name: string): string =>
  readFileSync(new URL(`../testing/foreign-files/${name}`, import.meta.url), 'utf8')

describe('Typebot', () => {
  test('groups are ordered from the start, and choices lead to their groups', () => {
    const { draft, remarks } = convert(readForeignFile('typebot-v6.json'))
    assert.equal(draft.quiz.end_text, 'Merci {{Prénom}}, à très vite !')
    assert.deepEqual(
      draft.questions.map(({ text, type, label }) => [text, type, label]),
      [
        ['Quel est votre prénom ?', 'text', 'Prénom'],
        ['{{Prénom}}, quel est votre besoin ?', 'multiple_choice', null],
        ['Niveau', 'scale', null],
        ['Votre adresse', 'email', 'Mail'],
      ],
    )
    assert.deepEqual(
      draft.questions[1]?.answers.map(({ jump_to }) => jump_to),
      [null, 4, null],
    )
    for (const part of [
      '« Points »',
      '« Google Sheets »',
      '« https://exemple.fr »',
      '« Ancien groupe »',
      '« {{Ville}} »',
      'Le retour en arrière',
    ])
      assert.ok(remarks.includes(part), part)
  })

  test('answers that lead to the last message end the run, and a lost path gets a remark', () => {
    const text = (words: string) => ({ type: 'text', content: { plainText: words } })
    const { draft, remarks } = convert(
      typebotFile(
        [
          {
            id: 'a',
            title: 'A',
            blocks: [
              text('Quoi ?'),
              {
                type: 'choice input',
                items: [
                  { content: 'Rien', outgoingEdgeId: 'z' },
                  { content: 'Un conseil', outgoingEdgeId: 'b' },
                  { content: 'Un devis', outgoingEdgeId: 'c' },
                ],
              },
            ],
          },
          {
            id: 'b',
            title: 'Conseil',
            blocks: [{ ...text('Reposez-vous.'), outgoingEdgeId: 'z' }],
          },
          {
            id: 'c',
            title: 'Devis',
            blocks: [{ type: 'email input', outgoingEdgeId: 'z' }],
          },
          { id: 'z', title: 'Fin', blocks: [text('Merci.')] },
        ],
        ['b', 'c', 'z'].map((id) => ({ id, to: { groupId: id } })),
      ),
    )
    assert.equal(draft.quiz.end_text, 'Merci.')
    const [first] = draft.questions
    assert.deepEqual(
      first?.answers.map(({ jump_to }) => jump_to),
      [0, 3, null],
    )
    assert.match(remarks, /^13: La suite de cette question n’est pas reprise/m)
  })

  test('a flow that is only a loop is imported, with a remark about the way back', () => {
    const group = (id: string, edge: string) => ({
      ...{ id, title: id },
      blocks: [{ type: 'choice input', items: [{ content: 'Encore', outgoingEdgeId: edge }] }],
    })
    const { draft, remarks } = convert(
      typebotFile(
        [group('a', 'ab'), group('b', 'ba')],
        [
          { id: 'ab', to: { groupId: 'b' } },
          { id: 'ba', to: { groupId: 'a' } },
        ],
      ),
    )
    assert.equal(draft.questions.length, 2)
    assert.match(remarks, /Le retour en arrière après la réponse « Encore »/)
  })

  test('ten thousand groups in a row are read without recursion', () => {
    const groups = Array.from({ length: 10_000 }, (_, index) => ({
      ...{ id: `g${index}`, title: `Q${index}` },
      blocks: [{ type: 'text input', outgoingEdgeId: `e${index}` }],
    }))
    const edges = groups.map((_, index) => ({ id: `e${index}`, to: { groupId: `g${index + 1}` } }))
    const { draft, remarks } = convert(typebotFile(groups, edges))
    assert.equal(draft.questions.length, 500)
    assert.match(remarks, /Le fichier a 10.000 questions : la reprise s’arrête à 500\./)
  })
})
