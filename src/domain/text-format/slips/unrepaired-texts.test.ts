import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { countCases, pickByRun } from '#domain/testing/pick-by-run.ts'
import { draftsWithAnyText } from '#domain/testing/text-drafts.ts'
import { CLEAN, printed, slips } from '#domain/testing/texts-with-slips.ts'
import { MAX_TEXT_LENGTH } from '#domain/text-format/lines.ts'
import { parseText } from '#domain/text-format/parse-text.ts'
import { printText } from '#domain/text-format/print-text.ts'

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
  test('an error has the line number of the written text, also after repaired lines', () => {
    const wrong = CLEAN.replace('Obligatoire : non', 'Obligatoire : peut-être')
    const text = `Bien sûr !\n\n\`\`\`text\n${wrong.replace('### Debout ?', '**Question 1 : Debout ?**')}\`\`\``
    const line = text.split('\n').findIndex((candidate) => candidate.startsWith('Obligatoire')) + 1
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
      { numRuns: countCases(1_000) },
    )
  })

  // A quadratic algorithm would take half a minute for each text.
  test('a text with the maximum number of lines is repaired in linear time', () => {
    const units = [
      '> a\n',
      '> a\n\n',
      'abc def\n\n',
      '1. a ?\n\n\n',
      '**Question 1**\n\n',
      '1. a → R\n',
    ]
    for (const unit of pickByRun({ daily: units.slice(0, 1), all: units })) {
      const lines = unit.repeat(Math.floor(19_900 / (unit.split('\n').length - 1)))
      for (const start of ['## Résultats\n### R\n', '## Page\n### q\n', ''])
        assert.ok(parseText(`Voici\n# A\n${start}${lines.slice(0, MAX_TEXT_LENGTH - 100)}`))
    }
  })

  // A quadratic algorithm would take hours.
  test('a text of the maximum length is repaired in linear time', () => {
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
    for (const unit of pickByRun({ daily: units.slice(0, 3), all: units })) {
      const long = unit.repeat(Math.floor((MAX_TEXT_LENGTH - 100) / unit.length))
      for (const start of ['', '# A\n## Page\n### q\n- ', '# A\n## Résultats\n### R\n', '# A\n## '])
        assert.ok(parseText(`${start}${long}`), unit)
      const lines = `- ${unit.repeat(Math.floor(500 / unit.length)).replaceAll('\n', ' ')}\n`
      assert.ok(parseText(`Voici.\n# A\n## Page\n### q\n${lines.repeat(550)}`), unit)
    }
  })
})
