import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { QUIZ_TYPES } from '#domain/common/vocabulary.ts'
import { publishErrors } from '#domain/publishing/publish-errors.ts'
import { parseText } from '#domain/text-format/parse-text.ts'
import { printText } from '#domain/text-format/print-text.ts'
import { assistantCorrections, assistantInstruction, MAX_BRIEF_LENGTH } from './assistant-brief.ts'

const ANSWERS = join(import.meta.dirname, '../../testing/assistant-answers')

const readDraft = (text: string) => {
  const parsed = parseText(text)
  if ('errors' in parsed) assert.fail(JSON.stringify(parsed.errors))
  return parsed
}

/** Lines before a setting that is not one of a question. */
const PLACES: Record<string, string> = {
  Mode: '',
  Corrections: '',
  Palier: '## Résultats\n### R\n',
}

for (const type of QUIZ_TYPES)
  describe(`the instruction for a ${type}`, () => {
    const instruction = assistantInstruction({ brief: 'Une bougie pour chaque saison', type })
    const examples = [...instruction.matchAll(/```text\n(.*?)```/gs)].map(([, text = '']) => text)

    test('each example is publishable, and is printed as it is written', () => {
      assert.ok(examples.length > 0)
      for (const example of examples) {
        const { draft, ignored_lines } = readDraft(example)
        assert.deepEqual([draft.quiz.type, ignored_lines], [type, []])
        assert.deepEqual(publishErrors(draft), [])
        assert.equal(printText(draft).replaceAll('\n\n', '\n'), example.replaceAll('\n\n', '\n'))
      }
    })

    test('each setting with its value in the rules is read', () => {
      const rules = instruction.slice(0, instruction.indexOf('```'))
      const kinds = /Valeurs : (.*?)\. Une échelle/.exec(rules)?.[1]?.match(/(?<=« )[^»]+(?= »)/g)
      assert.ok(kinds && kinds.length > 8)
      for (const kind of kinds) readDraft(`# Q\n## Page 1\n### q\nRéponse : ${kind}`)
      const settings = [
        ...rules.matchAll(/« ((?:Mode|Obligatoire|Autre|Corrections|Palier) : [^»…]+) »/g),
      ]
      assert.ok(settings.length > 1)
      for (const [, setting = ''] of settings) {
        const [name = ''] = setting.split(' ')
        readDraft(`# Q\n${PLACES[name] ?? '## Page 1\n### q\n'}${setting}`)
      }
    })

    test('the brief comes last and is cut at its limit', () => {
      assert.match(instruction, /Mon besoin, pour un \w+ :\n\nUne bougie pour chaque saison$/)
      const long = assistantInstruction({ brief: 'a'.repeat(2 * MAX_BRIEF_LENGTH), type })
      assert.ok(long.endsWith(`\n\n${'a'.repeat(MAX_BRIEF_LENGTH)}`))
      assert.ok(long.length < 12_000)
    })
  })

describe('answers as assistants write them', () => {
  for (const file of readdirSync(ANSWERS))
    test(`the answer ${file} is read without corrections`, () => {
      const { draft, ignored_lines } = readDraft(readFileSync(join(ANSWERS, file), 'utf8'))
      assert.deepEqual(publishErrors(draft), [])
      assert.ok(draft.questions.length >= 4 && draft.results.length >= 2)
      assert.ok(ignored_lines.length > 0)
      assert.doesNotMatch(printText(draft), /\*\*Question|```|→/)
    })
})

describe('corrections', () => {
  test('each error is listed with its line and the written text', () => {
    const text = '# Q\n## Page 1\n### q\nRéponse : au choix\n- a [+deux]'
    const parsed = parseText(text)
    assert.ok('errors' in parsed)
    const message = assistantCorrections(text, parsed.errors)
    assert.match(message, /^Le texte du questionnaire a des erreurs\./)
    assert.match(message, /^- Ligne 4, « Réponse : au choix » : « au choix » n’est pas prévu/m)
    assert.match(message, /^- Ligne 5, « - a \[\+deux\] » : « \+deux »/m)
  })

  test('many errors and long lines are shortened', () => {
    const text = `# A\n${`${'?'.repeat(900)}\n`.repeat(200)}`
    const parsed = parseText(text)
    assert.ok('errors' in parsed)
    const message = assistantCorrections(text, parsed.errors)
    assert.match(message, /^- Et 51 autres erreurs/m)
    assert.ok(message.length < 30_000)
  })
})
