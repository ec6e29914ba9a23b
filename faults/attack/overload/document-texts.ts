import type { Attack, AttackContext } from '../runner/attack.ts'
import { findExcesses } from '../runner/limits.ts'
import { send } from '../runner/requests.ts'
import { publishLongQuiz, submitLongReplies } from './long-quiz.ts'

const LIMITS = { answer_ms: 8_000 }

/** Texts of strangers that once crashed or slowed the drawing of a document, and others of their kind. */
const TEXTS: [name: string, unit: string][] = [
  ['an Arabic letter of another language', 'ڢ'],
  ['Arabic with a Koranic mark', 'ح\u06d8'],
  ['right-to-left marks', 'a\u200f'],
  ['embeddings', '\u202ba\u202ab\u202c'],
  ['isolates', '\u2067a\u2069'],
  ['marks of alternating classes', '\u0301\u0323\u0330'],
  ['one mark', 'e\u0301\u0301\u0301'],
  ['invisible characters', 'a\u200b\u200d\u2060'],
  ['Devanagari', 'नमस्ते '],
  ['Han', '漢字'],
  ['joined emoji', '👩‍👩‍👧'],
  ['brackets in Hebrew', 'ש('],
  ['line breaks', 'a\n'],
  ['one long word', 'a'],
]

/** Returns an attack that submits a name and a long reply made of a repeated text, and reads the report. */
const drawText =
  (unit: string) =>
  async (context: AttackContext): Promise<string[]> => {
    const { site, client } = await context.openAccount()
    const quiz = await publishLongQuiz(client, 1)
    const network = '203.0.113.91'
    const readReport = async (text: string) => {
      const name = text.repeat(100).slice(0, 100)
      const { report } = await submitLongReplies(site, quiz, { name, unit: text, network })
      return send(site.origin + report, { network, timeout_ms: 60_000 })
    }
    // The first document loads programs and fonts.
    await readReport('a ')
    const { status, ms } = await readReport(unit)
    context.note(`${status} in ${Math.round(ms)} ms`)
    return [
      ...(status === 200 ? [] : [`the report is answered ${status}`]),
      ...findExcesses({ answer_ms: ms }, LIMITS),
    ]
  }

/** Replies that fail or delay the report of their own run. */
export const documentTexts: Attack[] = TEXTS.map(([name, unit]) => ({
  name: `a report is broken by ${name}`,
  run: drawText(unit),
}))
