import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CLEAN, printed, slips } from '#domain/testing/texts-with-slips.ts'
import { parseText } from '#domain/text-format/parse-text.ts'

describe('slips of assistants', () => {
  test('the clean text is printed as it is written', () => assert.equal(printed(CLEAN), CLEAN))
  for (const [name, text] of slips)
    test(`a text is read with ${name}`, () => assert.equal(printed(text), CLEAN))

  test('scores and right answers are read in the ways in which assistants write them', () => {
    const answers = [
      '– a (+2)',
      '– b [2 points]',
      '– c [+ 2 pts]',
      '– d (2 pts)',
      '– e [–1]',
      String.raw`– f \[+2\]`,
      '– g [+1] ✅',
      '– h [bonne réponse]',
      '– i (correct) [0]',
    ]
    const text = `# Q\n## Page\n### q\n${answers.join('\n')}`
    assert.match(
      String(printed(text)),
      /- a \[\+2\]\n- b \[\+2\]\n- c \[\+2\]\n- d \[\+2\]\n- e \[-1\]\n- f \[\+2\]\n- g \[\+1\] \[juste\]\n- h \[juste\]\n- i \[0\] \[juste\]\n$/,
    )
  })

  test('a result whose name is a question stays a result', () => {
    for (const mark of [
      ['### ', ''],
      ['**', '**'],
    ])
      assert.equal(
        printed(
          `Voici.\n${CLEAN.replaceAll('Vif', 'Pressé ?').replace('### Pressé ?', `${mark[0]}Pressé ?${mark[1]}`)}`,
        ),
        CLEAN.replaceAll('Vif', 'Pressé ?'),
      )
  })

  test('numbers before answers and numbers before questions are told apart', () => {
    const asked = (text: string) =>
      String(printed(`Voici.\n# Q\n## Page\n${text}`)).split('## Page 1\n\n')[1]
    assert.equal(
      asked('### Que demander ?\n1. Combien ?\n2. Quand ?'),
      '### Que demander ?\n- Combien ?\n- Quand ?\n',
    )
    assert.equal(
      asked(
        '1. Qui ?\n   1. Moi\n   2. Toi\n2. Quand ?\n   - Demain\n3. Où ?\nRéponse : texte court',
      ),
      '### Qui ?\n- Moi\n- Toi\n\n### Quand ?\n- Demain\n\n### Où ?\nRéponse : texte court\n',
    )
    assert.equal(asked('1. Votre nom ?\n2. Votre âge ?'), '### Votre nom ?\n\n### Votre âge ?\n')
  })

  test('ignored sentences are listed with their line numbers', () => {
    const parsed = parseText(`Bien sûr !\n\n\`\`\`\n${CLEAN}\`\`\`\nVoilà.`)
    const last = CLEAN.split('\n').length + 4
    assert.ok('draft' in parsed)
    assert.deepEqual(parsed.ignored_lines, [1, last])
  })
})
