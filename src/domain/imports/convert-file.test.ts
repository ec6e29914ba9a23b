import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { LIMITS } from '#domain/common/vocabulary.ts'
import {
  convert,
  convertForeignFile,
  typebotFile,
  typeformFile,
} from '#domain/testing/foreign-files.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { MAX_FOREIGN_FILE_BYTES } from './convert-file.ts'

const readForeignFile = (name: string): string =>
  readFileSync(new URL(`../testing/foreign-files/${name}`, import.meta.url), 'utf8')

const refusalOf = (content: string): string => {
  const converted = convertForeignFile(content, 'a.json')
  return converted.kind === 'refused' ? converted.message : converted.kind
}
describe('detection by content', () => {
  const detected: [name: string, content: string, expected: string][] = [
    ['nothing', '', 'Ce fichier est vide.'],
    ['white space', ' \n\u00a0', 'Ce fichier est vide.'],
    ['a picture', '\u0089PNG\r\n', /n’est pas reconnu/.source],
    [
      'a cut JSON file',
      readForeignFile('typebot-v6.json').slice(0, 900),
      /incomplet ou abîmé/.source,
    ],
    ['JSON of another program', '{"a":[1,2]}', /n’est pas reconnu/.source],
    ['a list', '[{"title":"a"}]', /n’est pas reconnu/.source],
    ['a number of brackets', '['.repeat(200_000), /incomplet ou abîmé/.source],
    ['a CSV file without times', 'Nom,Âge\nA,3\n', /n’est pas reconnu/.source],
    [
      'a form without questions',
      typeformFile([]),
      'Ce fichier ne contient aucune question à reprendre.',
    ],
    [
      'a flow without groups',
      typebotFile([]),
      'Ce fichier ne contient aucune question à reprendre.',
    ],
    ['the quiz file of the product', '{"format":"quizaine-quiz"}', 'quiz_file'],
  ]
  for (const [name, content, expected] of detected)
    test(`a file is refused or recognised: ${name}`, () =>
      assert.match(refusalOf(content), new RegExp(`${expected}`)))

  test('the product is detected, also within the answer of a call', () => {
    const products = [
      'typeform-score.json',
      'google-forms-quiz.json',
      'typebot-v6.json',
      'google-forms-answers.csv',
    ].map((name) => convert(readForeignFile(name)).product)
    assert.deepEqual(products, ['Typeform', 'Google Forms', 'Typebot', 'Google Forms'])
    assert.equal(convert(`{"typebot":${readForeignFile('typebot-v6.json')}}`).product, 'Typebot')
  })
})

describe('limits', () => {
  test('questions, pages and answers beyond the limits are left out, with a remark for each limit', () => {
    const choices = Array.from({ length: 120 }, (_, rank) => ({ label: `r${rank}` }))
    const fields = Array.from({ length: 600 }, (_, rank) => ({
      ref: `f${rank}`,
      type: 'multiple_choice',
      title: `q${rank}`,
      properties: { choices: rank === 0 ? choices : choices.slice(0, 2) },
    }))
    const { draft, remarks } = convert(typeformFile(fields))
    assert.equal(draft.questions[0]?.answers.length, 100)
    assert.ok(draft.questions.length <= 500)
    assert.match(remarks, /Le fichier a 600 questions : la reprise s’arrête à 500\./)
    assert.match(remarks, /Le fichier a \d+ pages : la reprise s’arrête à 100\./)
    assert.match(remarks, /Seules les 100 premières réponses sont reprises\./)
  })

  test('texts beyond their limits are shortened, and a questionnaire that is too large loses its last questions', () => {
    const fields = Array.from({ length: 500 }, () => ({
      type: 'short_text',
      title: 'é'.repeat(3_000),
      properties: { description: 'a'.repeat(3_000) },
    }))
    const { draft, remarks } = convert(typeformFile(fields))
    assert.ok(draft.questions.length > 50 && draft.questions.length < 500)
    assert.match(remarks, /est raccourci à 1.000 caractères\./)
    assert.match(remarks, /Le questionnaire est trop long/)
  })

  test('a label of a scale and the title of a grid beyond their limits are shortened, with a remark', () => {
    const inner = {
      type: 'multiple_choice',
      title: 'Ligne',
      properties: { choices: [{ label: 'a' }] },
    }
    const { draft, remarks } = convert(
      typeformFile([
        {
          type: 'opinion_scale',
          title: 'Note',
          properties: { steps: 5, labels: { left: 'g'.repeat(LIMITS.scale_label + 1) } },
        },
        {
          type: 'matrix',
          title: 't'.repeat(LIMITS.grid_title + 1),
          properties: { fields: [{ ...inner, ref: 'l1' }] },
        },
      ]),
    )
    const labels = [draft.questions[0]?.scale_min_label, draft.questions[1]?.grid_title]
    assert.deepEqual(
      labels.map((text) => text?.length),
      [LIMITS.scale_label, LIMITS.grid_title],
    )
    assert.equal(remarks.match(/est raccourci/g)?.length, 2)
  })

  test('a large file is converted in linear time', () => {
    const units = [
      ...['<', '<a ', '&', '&#', '{{', '"', ', ', 'a, ', 'a;', '(, '],
      ...['[', '\u00a0', '«', '\ud800'],
    ]
    for (const unit of units) {
      const long = unit.repeat(Math.floor(MAX_FOREIGN_FILE_BYTES / 8 / unit.length))
      convert(
        typeformFile([{ type: 'email', title: `a${long}`, properties: { description: long } }]),
      )
      const cell = long.slice(0, 200_000)
      convertForeignFile(`Horodateur,a,${cell}]\n1,${cell}\n2,${cell}`, 'a.csv')
    }
  })
})

describe('names that every object has', () => {
  for (const name of ['constructor', '__proto__', 'toString'])
    test(`a type, an id or an entity named ${name} is unknown`, () => {
      const choices = [{ ref: name, label: `${name} &${name};` }]
      const text = { title: `Avec &${name};`, type: 'short_text' }
      const files = [
        typeformFile([{ ref: name, type: name, title: name, properties: { choices } }, text]),
        typebotFile([
          {
            id: name,
            blocks: [
              { id: name, type: name, items: [{ id: name, content: name }] },
              { id: 'a', type: 'text input' },
            ],
          },
        ]),
        JSON.stringify({
          info: { title: name },
          items: [
            { title: name, questionItem: { question: { [`${name}Question`]: {} } } },
            { title: 'Un mot ?', questionItem: { question: { textQuestion: {} } } },
          ],
        }),
      ]
      for (const file of files) {
        const { text: converted } = convert(file)
        assert.doesNotMatch(converted, /undefined|native code|\[object/)
      }
    })
})

describe('any file', () => {
  const word = fc.constantFrom(
    'group',
    'statement',
    'matrix',
    'multiple_choice',
    'nps',
    'rating',
    'email',
    'text',
    'choice input',
    'rating input',
    'Condition',
    'always',
    'is',
    'and',
    'or',
    'jump',
    'add',
    'field',
    'a',
    '# x',
    '> y',
    '{{a}}',
    '{{field:a}}',
    'constructor',
    '&constructor;',
    '<b>',
  )
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      word,
      fc.integer({ min: -3, max: 12 }),
      fc.boolean(),
      fc.constant(null),
      tie('list'),
      tie('fields'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    fields: fc.dictionary(
      fc.constantFrom(
        'title',
        'type',
        'ref',
        'id',
        'properties',
        'fields',
        'choices',
        'label',
        'validations',
        'logic',
        'actions',
        'action',
        'details',
        'to',
        'value',
        'condition',
        'op',
        'vars',
        'groups',
        'blocks',
        'edges',
        'items',
        'outgoingEdgeId',
        'groupId',
        'content',
        'options',
        'richText',
        'children',
        'text',
        'questionItem',
        'question',
        'choiceQuestion',
        'grading',
        'pageBreakItem',
        'questionGroupItem',
        'grid',
        'columns',
        'steps',
        'outcome',
        'thankyou_screens',
      ),
      tie('value'),
      { maxKeys: 6 },
    ),
  }))
  const rows = fc.array(json.fields as fc.Arbitrary<object>, { maxLength: 5 })
  const file = fc.record({
    product: fc.constantFrom('typeform', 'typebot', 'google'),
    rows,
    others: rows,
    more: json.fields as fc.Arbitrary<object>,
  })

  test('a converter never throws, and its text is read without errors', () => {
    fc.assert(
      fc.property(file, ({ product, rows: list, others, more }) => {
        const whole = {
          typeform: { ...more, fields: list, logic: others, thankyou_screens: others },
          typebot: { ...more, groups: list, edges: others },
          google: { info: { title: 'a' }, items: list },
        }[product]
        const converted = convertForeignFile(JSON.stringify(whole), 'a.json')
        if (converted.kind !== 'text') assert.equal(converted.kind, 'refused')
        else convert(JSON.stringify(whole))
      }),
      { numRuns: countCases(2_000) },
    )
  })

  test('any JSON and any text is refused or converted', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string({ unit: 'binary' }),
          fc.string().map((cell) => `Timestamp,a b\n${cell}`),
        ),
        (content) => {
          const converted = convertForeignFile(content, 'a')
          if (converted.kind === 'text') convert(content)
          else assert.notEqual(converted.kind, 'quiz_file')
        },
      ),
      { numRuns: countCases(1_000) },
    )
  })
})
