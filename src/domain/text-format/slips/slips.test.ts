import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { draftsWithAnyText } from '#domain/testing/text-drafts.ts'
import { MAX_TEXT_LENGTH } from '#domain/text-format/lines.ts'
import { parseText } from '#domain/text-format/parse-text.ts'
import { printText } from '#domain/text-format/print-text.ts'

/** Returns the text as the product prints it after reading, or the errors of the text. */
const printed = (text: string): string | string[] => {
  const parsed = parseText(text)
  if ('draft' in parsed) return printText(parsed.draft)
  return parsed.errors.map(({ line, message }) => `${line}: ${message}`)
}

const CLEAN = `# Quel rythme ?
Type : quiz
Mode : profils

## Accueil
Titre : Bonjour

## Résultats

### L’Ambrée
> Un.
>
> Deux.

### Vif
Bouton : Voir
Adresse du bouton : https://exemple.fr/a

## Page 1

### Debout ?
- Oui -> L’Ambrée ×2
- Non -> Vif => fin

## Page 2

### Votre adresse ?
Réponse : e-mail
Obligatoire : non
`
/** Returns the clean text with one part replaced. */
const withSlip = (part: string, slip: string): string => {
  assert.ok(CLEAN.includes(part), part)
  return CLEAN.replace(part, slip)
}

/** Texts that are read like the clean text. */
const slips: [name: string, text: string][] = [
  ['a code fence', `\`\`\`text\n${CLEAN}\`\`\``],
  [
    'a fence between sentences',
    `Voici :\n\n\`\`\`\n${CLEAN}\`\`\`\n\nN’hésitez pas :\n- un\n- deux`,
  ],
  ['a fence that is not closed', `Voici le texte :\n\`\`\`markdown\n${CLEAN}`],
  [
    'sentences without a fence',
    `Bien sûr !\n\nVoici votre quiz :\n\n${CLEAN}\nVoulez-vous un autre quiz ?`,
  ],
  ['Windows line ends and spaces at line ends', `Voici.\n${CLEAN}`.replaceAll('\n', '  \r\n')],
  ['blank lines with spaces', `Voici.\n${CLEAN}`.replaceAll('\n\n', '\n \u00a0\t\n')],
  ['rules between the parts', CLEAN.replaceAll('\n\n', '\n\n---\n\n')],
  ['a name in bold', withSlip('# Quel rythme ?', '**Quel rythme ?**')],
  ['a name after « Titre : »', withSlip('# Quel rythme ?', 'Titre : Quel rythme ?')],
  ['parts in bold', CLEAN.replaceAll(/^## (.*)$/gm, '**$1**')],
  ['headings in bold', `Voici.\n${CLEAN.replaceAll(/^(#+) (.*)$/gm, '$1 **$2**')}`],
  ['headings that are closed', `Voici.\n${CLEAN.replaceAll(/^(#+) (.*)$/gm, '$1 $2 $1')}`],
  ['parts with an emoji and a colon', CLEAN.replaceAll(/^## (.*)$/gm, '## 🎯 $1 :')],
  ['parts at the level of the name', CLEAN.replaceAll(/^##(#?) /gm, '#$1 ')],
  ['results in bold', withSlip('### Vif', '**Vif**')],
  ['settings in bold', CLEAN.replaceAll(/^([A-ZÉ][^:>]*) : (.*)$/gm, '**$1 :** $2')],
  ['settings wholly in bold', CLEAN.replaceAll(/^(Type|Mode) : (.*)$/gm, '**$1 : $2**')],
  [
    'settings in a list',
    withSlip('Type : quiz\nMode : profils', '- Type : quiz\n- Mode : profils'),
  ],
  [
    'settings of a question in a list',
    `Voici.\n${withSlip('Réponse : e-mail\nObligatoire : non', '- Réponse : e-mail\n- Obligatoire : non')}`,
  ],
  [
    'quotation marks around values',
    CLEAN.replaceAll(/^(Type|Mode|Obligatoire) : (.*)$/gm, '$1 : « $2 »'),
  ],
  ['smart quotes around values', CLEAN.replaceAll(/^(Type|Mode|Réponse) : (.*)$/gm, '$1 : “$2”')],
  ['a full stop after values', CLEAN.replaceAll(/^(Type|Mode|Obligatoire) : (.*)$/gm, '$1 : $2.')],
  ['colons of other scripts', CLEAN.replaceAll(/^(Type|Mode|Titre) : /gm, '$1：')],
  ['no-break spaces', `Voici.\n${CLEAN}`.replaceAll(' ', '\u00a0')],
  ['narrow no-break spaces before colons', `Voici.\n${CLEAN}`.replaceAll(' : ', '\u202f: ')],
  ['zero-width characters', `Voici.\n${CLEAN}`.replaceAll(/^(?=[#-])/gm, '\u200b')],
  ['escaped signs', CLEAN.replaceAll(/^(?=[#>-])/gm, '\\')],
  [
    'an escaped arrow',
    withSlip('- Non -> Vif', String.raw`- Non -\> Vif`).replace('# Quel', 'Voici.\n# Quel'),
  ],
  ['numbered answers', withSlip('- Oui -> L’Ambrée ×2\n- Non', '1. Oui -> L’Ambrée ×2\n2. Non')],
  ['answers with 1)', withSlip('- Oui -> L’Ambrée ×2\n- Non', '1) Oui -> L’Ambrée ×2\n2) Non')],
  ['lettered answers', withSlip('- Oui -> L’Ambrée ×2\n- Non', 'a) Oui -> L’Ambrée ×2\nB. Non')],
  [
    'answers with dashes and bullets',
    withSlip('- Oui -> L’Ambrée ×2\n- Non', '– Oui -> L’Ambrée ×2\n◦ Non'),
  ],
  [
    'boxes before answers',
    withSlip('- Oui -> L’Ambrée ×2\n- Non', '– [ ] Oui -> L’Ambrée ×2\n– [x] Non'),
  ],
  ['answers in bold', withSlip('- Oui -> L’Ambrée ×2', '– **Oui** -> **L’Ambrée** ×2')],
  [
    'arrows',
    withSlip(
      '- Oui -> L’Ambrée ×2\n- Non -> Vif => fin',
      '– Oui → L’Ambrée (×2)\n– Non ⇒ Vif → fin',
    ),
  ],
  ['arrows with long dashes', withSlip('- Non -> Vif', '– Non —> Vif')],
  ['names without typographic signs', withSlip('- Oui -> L’Ambrée ×2', "- Oui -> L'ambree ×2")],
  ['an address as a link', withSlip('https://exemple.fr/a', '[la page](https://exemple.fr/a)')],
  ['an address in brackets', withSlip('https://exemple.fr/a', '<https://exemple.fr/a>')],
  ['a description without « > »', withSlip('> Un.\n>\n> Deux.', 'Un.\n\nDeux.')],
  ['two quotes as one description', withSlip('> Un.\n>\n> Deux.', '> Un.\n\n> Deux.')],
  ['« Questions » as the first page', withSlip('## Page 1', '## Questions')],
  ['numbered questions', withSlip('### Debout ?', '1. **Debout ?**')],
  ['« Question 1 » above the question', withSlip('### Debout ?', '**Question 1**\n\nDebout ?')],
  ['« Question 1 : » before the question', withSlip('### Debout ?', '#### Question 1 : Debout ?')],
  [
    'questions as parts',
    withSlip('## Page 1\n\n### Debout ?', '## Question 1 : Debout ?')
      .replace('## Page 2\n\n### Votre', '## Question 2\n\n**Votre')
      .replace('adresse ?', 'adresse ?**'),
  ],
  ['a heading above the answers', withSlip('- Oui', '#### Réponses :\n- Oui')],
]

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

  test('ignored sentences are listed with their lines', () => {
    const parsed = parseText(`Bien sûr !\n\n\`\`\`\n${CLEAN}\`\`\`\nVoilà.`)
    const last = CLEAN.split('\n').length + 4
    assert.ok('draft' in parsed)
    assert.deepEqual(parsed.ignored_lines, [1, last])
  })
})

describe('texts without errors', () => {
  test('signs that look like slips stay as they are', () => {
    for (const line of [
      '### 1. **Quel âge ?**',
      '### Question 1',
      '- a) Oui',
      '- Oui → L’Ambrée',
      '- **Oui**',
      String.raw`- \[+2] et \*`,
      '- Réponse : e-mail',
      '- [x] Oui',
      '- “Oui”',
    ]) {
      const text = `# Q\nType : quiz\n\n## Page 1\n\n${line.startsWith('#') ? line : `### q\n${line}`}\n`
      const parsed = parseText(text)
      assert.ok('draft' in parsed, line)
      const [question] = parsed.draft.questions
      const shown = line.startsWith('#') ? question?.text : question?.answers[0]?.text
      assert.equal(shown, line.replace(/^(?:###|-) /, '').replace(String.raw`\[`, '['))
    }
  })

  test('no line of a printed draft is ignored', () => {
    fc.assert(
      fc.property(draftsWithAnyText, (draft) => {
        const parsed = parseText(printText(draft))
        assert.ok('draft' in parsed)
        assert.deepEqual(parsed.ignored_lines, [])
      }),
    )
  })
})

describe('texts that stay wrong', () => {
  test('an error names the line of the written text, whatever was repaired before it', () => {
    const wrong = CLEAN.replace('Obligatoire : non', 'Obligatoire : peut-être')
    const text = `Bien sûr !\n\n\`\`\`text\n${wrong.replace('### Debout ?', '**Question 1 : Debout ?**')}\`\`\``
    const line = text.split('\n').findIndex((one) => one.startsWith('Obligatoire')) + 1
    assert.deepEqual(printed(text), [`${line}: « peut-être » n’est pas prévu : « oui », « non ».`])
  })

  test('any lines with slips are read, or refused with lines of the text', () => {
    const piece = fc.constantFrom(
      ...slips.flatMap(([, text]) => text.split('\n')),
      '```',
      '**',
      '- ',
      '1.',
      '→',
      '>',
      ' ',
      '\\',
      ':',
      '#### x',
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 30 }),
        (lines) => {
          const text = lines.join('\n')
          const count = text.split(/\r\n|\r|\n/).length
          const parsed = parseText(text)
          const named =
            'errors' in parsed ? parsed.errors.map(({ line }) => line) : parsed.ignored_lines
          for (const line of named) assert.ok(line >= 1 && line <= count, `${line} of ${count}`)
          if ('draft' in parsed) assert.ok('draft' in parseText(printText(parsed.draft)))
        },
      ),
      { numRuns: 1_000 },
    )
  })

  // A quadratic algorithm would take half a minute for each text.
  test('as many lines as possible are repaired in time, whatever they repeat', () => {
    const units = [
      '> a\n',
      '> a\n\n',
      'abc def\n\n',
      '1. a ?\n\n\n',
      '**Question 1**\n\n',
      '1. a → R\n',
    ]
    for (const unit of units) {
      const lines = unit.repeat(Math.floor(19_900 / (unit.split('\n').length - 1)))
      for (const start of ['## Résultats\n### R\n', '## Page\n### q\n', ''])
        assert.ok(parseText(`Voici\n# A\n${start}${lines.slice(0, MAX_TEXT_LENGTH - 100)}`))
    }
  })

  // A quadratic algorithm would take hours.
  test('the longest texts with slips are repaired in time, whatever they repeat', () => {
    const units = [
      '**',
      '*',
      '__',
      '`',
      '“',
      '1. ',
      'a) ',
      '→ ',
      '-> ',
      '( + ',
      '[2 ',
      String.raw`\[`,
      'Question ',
      'page ',
      ': ',
      '\u00a0',
      '> a\n\n',
      'a\n\n',
      '**a**\n',
      '1. a\n',
      '```\n',
      '# Fin\n',
      '## Page\n',
    ]
    for (const unit of units) {
      const long = unit.repeat(Math.floor((MAX_TEXT_LENGTH - 100) / unit.length))
      for (const start of ['', '# A\n## Page\n### q\n- ', '# A\n## Résultats\n### R\n', '# A\n## '])
        assert.ok(parseText(`${start}${long}`), unit)
      const lines = `- ${unit.repeat(Math.floor(500 / unit.length)).replaceAll('\n', ' ')}\n`
      assert.ok(parseText(`Voici.\n# A\n## Page\n### q\n${lines.repeat(550)}`), unit)
    }
  })
})
