import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { convert, typebotFile } from '#domain/testing/foreign-files.ts'
import { assertLinear } from '#domain/testing/linear-time.ts'

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
      id,
      title: id,
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

  const text = (words: string) => ({ type: 'text', content: { plainText: words } })
  const ask = (words: string) => [text(words), { type: 'text input' }]
  const jump = (groupId: string, type = 'Jump') => ({
    type,
    options: { groupId, ...(type === 'Typebot link' && { typebotId: 'current' }) },
  })
  const questionsIn = (groups: { id: string; blocks: object[]; title?: string }[], edges = []) => {
    const { draft, remarks } = convert(
      typebotFile(
        groups.map((group) => ({ title: group.id, ...group })),
        edges,
      ),
    )
    return [...draft.questions.map((question) => question.text), remarks]
  }

  test('a group that only a jump reaches is imported after the jump', () => {
    for (const type of ['Jump', 'Typebot link'])
      assert.deepEqual(
        questionsIn([
          { id: 'a', blocks: [...ask('Un ?'), jump('b', type)] },
          { id: 'b', blocks: ask('Deux ?') },
        ]),
        ['Un ?', 'Deux ?', ''],
      )
  })

  test('the blocks and the group after a return come after the group that returns, also for jumps within it', () => {
    const back = { type: 'Return' }
    assert.deepEqual(
      questionsIn([
        { id: 'a', blocks: [...ask('1 ?'), jump('s'), ...ask('5 ?'), jump('u'), ...ask('7 ?')] },
        { id: 's', blocks: [...ask('2 ?'), jump('t'), ...ask('4 ?'), back] },
        { id: 't', blocks: [...ask('3 ?'), back] },
        { id: 'u', blocks: [...ask('6 ?'), back] },
      ]),
      ['1 ?', '2 ?', '3 ?', '4 ?', '5 ?', '6 ?', '7 ?', ''],
    )
  })

  test('a choice that ends with a return leads to the page after the jump, not to the end', () => {
    const choice = { type: 'choice input', items: [{ content: 'Oui' }, { content: 'Non' }] }
    const { draft, remarks } = convert(
      typebotFile([
        { id: 'a', title: 'A', blocks: [...ask('1 ?'), jump('s'), ...ask('3 ?')] },
        { id: 's', title: 'S', blocks: [text('2 ?'), choice, { type: 'Return' }] },
      ]),
    )
    assert.deepEqual(
      draft.questions.map(({ text: words, answers }) => [
        words,
        ...answers.map((answer) => answer.jump_to),
      ]),
      [['1 ?'], ['2 ?', null, null], ['3 ?']],
    )
    assert.equal(remarks, '')
  })

  test('a group that returns to several jumps is imported once, after the last of them, with a remark', () => {
    const back = { type: 'Return' }
    const [first, second, third, fourth, remarks = ''] = questionsIn([
      { id: 'a', blocks: [...ask('1 ?'), jump('s'), ...ask('3 ?'), jump('s'), ...ask('4 ?')] },
      { id: 's', title: 'Avis', blocks: [...ask('2 ?'), back] },
    ])
    assert.deepEqual([first, second, third, fourth], ['1 ?', '3 ?', '2 ?', '4 ?'])
    assert.match(remarks, /Le groupe « Avis » revient à plusieurs endroits/)
  })

  test('the blocks after a jump that never returns are named', () => {
    const [first, second, remarks = ''] = questionsIn([
      { id: 'a', title: 'Début', blocks: [...ask('1 ?'), jump('s'), ...ask('jamais ?')] },
      { id: 's', blocks: ask('2 ?') },
    ])
    assert.deepEqual([first, second], ['1 ?', '2 ?'])
    assert.match(remarks, /Le groupe « Début » n’est pas repris : aucun chemin n’y mène\./)
  })

  test('ten thousand groups that jump and return are read in linear time', () => {
    const make = (count: number): string =>
      typebotFile(
        Array.from({ length: count }, (_, index) => ({
          id: `g${index}`,
          title: `Q${index}`,
          blocks: [jump(`g${(index * 7) % count}`), { type: 'text input' }, { type: 'Return' }],
        })),
      )
    assertLinear(
      (file) => convert(file),
      (length) => make(Math.floor(length / 6)),
      60_000,
    )
  })

  test('ten thousand groups in a row are read without recursion', () => {
    const groups = Array.from({ length: 10_000 }, (_, index) => ({
      id: `g${index}`,
      title: `Q${index}`,
      blocks: [{ type: 'text input', outgoingEdgeId: `e${index}` }],
    }))
    const edges = groups.map((_, index) => ({ id: `e${index}`, to: { groupId: `g${index + 1}` } }))
    const { draft, remarks } = convert(typebotFile(groups, edges))
    assert.equal(draft.questions.length, 500)
    assert.match(remarks, /Le fichier a 10.000 questions : la reprise s’arrête à 500\./)
  })
})
