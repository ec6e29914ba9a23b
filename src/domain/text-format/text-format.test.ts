import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { publishErrors } from '#domain/publishing/publish-errors.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { answerOf, draftOf, questionOf, quizOf, resultOf } from '#domain/testing/drafts.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { contentInTextFormat, draftsWithAnyText } from '#domain/testing/text-drafts.ts'
import { parseText } from './parse-text.ts'
import { printText } from './print-text.ts'

const read = (text: string): Draft => {
  const parsed = parseText(text)
  if ('errors' in parsed) assert.fail(JSON.stringify(parsed.errors))
  return parsed.draft
}
const example = (): string => {
  const page = readFileSync(new URL('../../../docs/text-format.md', import.meta.url), 'utf8')
  return /```text\n(.*?)```/s.exec(page)?.[1] ?? ''
}

describe('printing and parsing', () => {
  const options = { numRuns: countCases(1_000) }
  test('a printed draft is parsed as an equal draft', () => {
    fc.assert(
      fc.property(draftsWithAnyText, (draft) => {
        assert.deepEqual(contentInTextFormat(read(printText(draft))), contentInTextFormat(draft))
      }),
      options,
    )
  })

  test('a printed text is printed again as an equal text', () => {
    fc.assert(
      fc.property(draftsWithAnyText, (draft) => {
        const text = printText(draft)
        assert.equal(printText(read(text)), text)
      }),
      options,
    )
  })

  test('ranks and positions of a parsed draft are those of a stored draft', () => {
    fc.assert(
      fc.property(draftsWithAnyText, (draft) => {
        const { questions, text_blocks, results } = read(printText(draft))
        const ranks = [...questions, ...text_blocks].map((item) => item.global_position)
        assert.deepEqual(
          ranks.sort((a, b) => a - b),
          [...ranks.keys()],
        )
        assert.deepEqual(
          questions.map(({ position }) => position),
          [...questions.keys()],
        )
        assert.deepEqual(
          results.map((result) => result.priority_order),
          [...results.keys()],
        )
        const rows = [...results, ...questions, ...questions.flatMap(({ answers }) => answers)]
        assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
      }),
    )
  })

  test('the text format parses any text or refuses it with line numbers', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '# a',
        '## Page 1',
        '### b',
        '- c [+1] -> d',
        'Palier : 0 à 5',
        '## Résultats',
      ),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const parsed = parseText(lines.join('\n'))
        if (!('errors' in parsed)) return
        for (const error of parsed.errors)
          assert.ok(error.line >= 1 && error.message.length > 0, JSON.stringify(error))
      }),
    )
  })
})

describe('the example in the documentation', () => {
  test('the documented example is a publishable questionnaire and is printed as it is written', () => {
    const draft = read(example())
    assert.deepEqual(publishErrors(draft), [])
    assert.equal(draft.quiz.name, 'Quel rythme vous convient ?')
    assert.equal(draft.quiz_mode, 'profils')
    const [energy, stops, , mail] = draft.questions
    assert.deepEqual(
      energy?.answers.map(({ associations }) => associations.map(({ weight }) => weight)),
      [[2], [1, 1], [2]],
    )
    assert.deepEqual([stops?.max_choices, stops?.is_required, stops?.has_other], [2, false, true])
    assert.equal(stops?.answers[2]?.jump_to, 3)
    assert.deepEqual([mail?.type, mail?.page_number], ['email', 3])
    assert.deepEqual(contentInTextFormat(read(printText(draft))), contentInTextFormat(draft))
  })
})

test('results with one name are distinguished by their ranks', () => {
  const results = ['Calme', 'Vif', 'Calme', 'Posé, sûr', '#1', 'Fort ×2'].map((name, rank) =>
    resultOf(`r${rank}`, { name, priority_order: rank }),
  )
  const counts_for = { r0: 1, r1: 2, r2: 3, r3: 1, r4: 1, r5: 4 }
  const questions = [questionOf('q', { answers: [answerOf('a', { counts_for })] })]
  const text = printText(draftOf({ results, questions }))
  assert.ok(text.includes(String.raw`- a -> #1, Vif ×2, #3 ×3, Posé\, sûr, \#1, #6 ×4`), text)
})

/** Lines of answers with their parsed content. */
const answers: [string, Partial<Draft['questions'][number]['answers'][number]>][] = [
  ['- Oui', { text: 'Oui', score: null, jump_to: null }],
  ['* Oui [+2]', { text: 'Oui', score: 2 }],
  ['• Oui [−3] => fin', { text: 'Oui', score: -3, jump_to: 0 }],
  ['- Oui[0]', { text: 'Oui', score: 0 }],
  ['- Paris [+1] [Juste]', { text: 'Paris', score: 1, is_correct: true }],
  [String.raw`- Paris \[juste]`, { text: 'Paris [juste]', is_correct: false }],
  ['- => page 7', { text: '', jump_to: 7 }],
  ['- Oui => nulle part', { text: 'Oui', jump_to: -1 }],
  [String.raw`- Paris \-> Lyon \[+2] [+1]`, { text: 'Paris -> Lyon [+2]', score: 1 }],
  ['- a->b, [deux] et C:\\dossier', { text: 'a->b, [deux] et C:\\dossier' }],
  [String.raw`- deux\nlignes \u{e9}\\n`, { text: 'deux\nlignes é\\n' }],
]
for (const [line, expected] of answers)
  test(`the answer line « ${line} » is parsed`, () => {
    const { questions } = read(`# Q\n## Page\n### Oui ?\n${line}`)
    const [answer] = questions[0]?.answers ?? []
    assert.deepEqual({ ...answer, ...expected }, answer)
  })

test('the text format parses variants of case, accents and signs alike', () => {
  const { quiz, questions, results } = read(
    [
      '\ufeff# Q  ',
      'TYPE:Sondage',
      'detail du resultat : OUI',
      'Clôture : 31/12/2026 à 18:00',
      '## resultats',
      '### A',
      'palier: 0 - 5',
      '## PAGE',
      '### Note',
      'reponse : Échelle 1 à 7',
      '## Page',
      '### Mail',
      'Réponse : email',
    ].join('\r\n'),
  )
  assert.deepEqual([quiz.type, quiz.shows_detail], ['sondage', true])
  assert.equal(quiz.closes_at, '2026-12-31T17:00:00.000Z')
  assert.deepEqual([results[0]?.min_score, results[0]?.max_score], [0, 5])
  assert.deepEqual(
    questions.map(({ type, scale_min, scale_max, page_number }) => [
      ...[type, scale_min, scale_max, page_number],
    ]),
    [
      ['scale', 1, 7, 1],
      ['email', 0, 10, 2],
    ],
  )
})

test('line separators of word processors end lines if a text has no other line end', () => {
  const text = '# Été\nType : sondage\n\n## Page 1\n\n### Où ?\nRéponse : texte court\n'
  for (const line_end of ['\u2028', '\u2029', '\u0085'])
    assert.deepEqual(parseText(text.replaceAll('\n', line_end)), parseText(text))
})

test('the first score or association sets the mode', () => {
  const page = '## Page\n### Oui ?'
  assert.equal(read(`# Q\n${page}\n- a [+1]`).quiz_mode, 'score')
  assert.equal(read(`# Q\n## Résultats\n### R\n${page}\n- a -> R`).quiz_mode, 'profils')
  assert.equal(read(`# Q\n${page}\n- a`).quiz_mode, null)
})

test('a theme sets the whole look, which later lines change', () => {
  const { quiz } = read('# Q\n## Apparence\nThème : foret\nFond : #ffffff')
  assert.deepEqual([quiz.bg_color, quiz.text_color, quiz.font], ['#ffffff', '#1e3a2b', 'work-sans'])
})

test('a quote in the text format is the value of the key above it', () => {
  const { quiz, questions, text_blocks } = read(
    '# Q\n## Accueil\nTitre :\n> a\n> b\n\n> texte\n## Page\n### q\nAide :\n>  - \\*\n>\n> fin\n\n> un\n\n> deux\n>trois',
  )
  assert.deepEqual([quiz.welcome_title, quiz.welcome_text], ['a\nb', 'texte'])
  assert.equal(questions[0]?.help, ' - \\*\n\nfin')
  assert.deepEqual(
    text_blocks.map(({ content }) => content),
    ['un', 'deux\ntrois'],
  )
})

test('a draft with only a name is printed as two lines', () => {
  assert.equal(printText(draftOf({ quiz: quizOf({ name: 'Vide' }) })), '# Vide\nType : quiz\n')
})

test('the role of a question is printed and read, and a role without effect is not printed', () => {
  const printed = printText(
    draftOf({
      questions: [
        questionOf('a', { type: 'text', text: 'Prénom', contact_role: 'first_name' }),
        questionOf('b', { type: 'text', text: 'Nom', contact_role: 'last_name' }),
        questionOf('c', { type: 'phone', text: 'Numéro', contact_role: 'phone' }),
        questionOf('d', { type: 'date', text: 'Jour', contact_role: 'phone' }),
        questionOf('e', { type: 'phone', text: 'Autre', contact_role: 'last_name' }),
      ].map((question, position) => ({ ...question, position, global_position: position })),
    }),
  )
  assert.deepEqual(printed.match(/^Coordonnée : .*$/gm), [
    ...['Coordonnée : prénom', 'Coordonnée : nom', 'Coordonnée : téléphone'],
  ])
  assert.deepEqual(
    read(printed).questions.map(({ contact_role }) => contact_role),
    ['first_name', 'last_name', 'phone', null, null],
  )
  const [none] = read('# A\n## Page 1\n### B\nRéponse : texte court\nCoordonnée : non').questions
  assert.equal(none?.contact_role, null)
})

test('a hidden net promoter score is printed under a scale from 0 to 10, and refused under another question', () => {
  const scaleTo = (scale_max: 7 | 10) =>
    printText(
      draftOf({
        questions: [questionOf('q', { type: 'scale', scale_max, shows_recommendation: false })],
      }),
    )
  assert.match(scaleTo(10), /^Recommandation nette \(NPS\) : non$/m)
  assert.equal(read(scaleTo(10)).questions[0]?.shows_recommendation, false)
  assert.doesNotMatch(scaleTo(7), /Recommandation/)
  const wrong =
    '# A\n## Page 1\n### B\nRéponse : échelle de 1 à 10\nRecommandation nette (NPS) : oui'
  assert.deepEqual(parseText(wrong), {
    errors: [
      {
        line: 5,
        message: '« Recommandation nette (NPS) » ne s’écrit que sous une échelle de 0 à 10.',
      },
    ],
  })
})
