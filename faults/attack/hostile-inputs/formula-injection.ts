import { randomUUID } from 'node:crypto'
import { clientOf } from '../../../scripts/http-client.ts'
import { createOwner } from '../accounts/auth-client.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { callInParallel, send } from '../runner/requests.ts'

/** Replies that a spreadsheet program would run as formulas. */
const FORMULAS = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1)',
  '\t=1+1',
  '\r=1+1',
  '＝1+1',
  '＋1+1',
  '－1+1',
  '＠SUM(1)',
]
/** Beginnings that may end a cell, or that a program may skip, before the formula. */
const PREFIXES = [
  '',
  ' ',
  'a;',
  'a,',
  'a\t',
  'a\n',
  'a\r\n',
  'a;b,',
  '";',
  '",',
  '"\n',
  'a; ',
  'a, ',
  "';",
  "',",
]
const TEXTS = PREFIXES.flatMap((before) => FORMULAS.map((formula) => before + formula))

/** Returns the cells of a file, split at `separator`. Quotes have a meaning only at the start of a cell. */
const cellsOf = (text: string, separator: string): string[] => {
  const cells: string[] = []
  let cell = ''
  let state: 'begins' | 'plain' | 'quoted' = 'begins'
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index] ?? ''
    if (state === 'quoted') {
      if (letter !== '"') cell += letter
      else if (text[index + 1] === '"') {
        cell += letter
        index += 1
      } else state = 'plain'
    } else if (letter === '"' && state === 'begins') state = 'quoted'
    else if (letter === separator || letter === '\n' || letter === '\r') {
      cells.push(cell)
      cell = ''
      state = 'begins'
    } else {
      cell += letter
      state = 'plain'
    }
  }
  return [...cells, cell]
}

const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/
/** Formula that contains only a text, which is harmless. */
const LITERAL = /^="(?:[^"]|"")*"$/
/** Returns true if a spreadsheet program may run a cell. Leading spaces do not matter; an apostrophe makes it a text. */
const isFormula = (cell: string): boolean =>
  /^\s*[=+\-@＝＋－＠]/.test(cell) && !NUMBER.test(cell.trim()) && !LITERAL.test(cell)

const injectFormulas = async (context: AttackContext): Promise<string[]> => {
  const { origin } = await context.configuredSite('with_confirmation')
  const { access_token } = await createOwner(context, origin)
  const client = clientOf(origin, access_token)
  const { quiz } = await client.quizzes.create({ body: { name: 'Votre avis', type: 'sondage' } })
  const { id } = quiz
  const [first, second] = [randomUUID(), randomUUID()]
  await client.questions.saveDraft({
    id,
    body: {
      questions: [
        { id: first, text: 'Votre avis ?', type: 'textarea' },
        { id: second, text: 'Et votre adresse ?', type: 'email' },
      ],
    },
  })
  await client.quizzes.publish({ id })
  await callInParallel(TEXTS.length, async (index) => {
    const answers = { [first]: TEXTS[index] ?? '', [second]: `=1+${index}@exemple.fr` }
    await client.publicQuiz.submit({ id, body: { answers } })
  })
  const successes: string[] = []
  for (const format of ['csv_excel', 'csv'] as const) {
    const { url } = await client.exports.link({ id, body: { format } })
    const file = (await send(origin + url)).text.replace('\uFEFF', '')
    assertPrecondition(file.includes('Votre avis ?'), 'the exported file has no responses')
    for (const separator of [';', ',', '\t']) {
      const found = cellsOf(file, separator).filter(isFormula)
      if (found.length > 0)
        successes.push(
          `${found.length} cells with formulas in ${format} with the separator ${JSON.stringify(separator)}, such as ${JSON.stringify(found[0])}`,
        )
    }
  }
  return successes
}

/** Attacks through texts that a spreadsheet program opens. */
export const formulaInjection: Attack[] = [
  { name: 'a visitor writes a formula into an exported file', run: injectFormulas },
]
