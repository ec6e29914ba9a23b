import { isBlankText } from '#domain/common/text.ts'
import { DEFAULT_WEIGHT, LIMITS, MAX_WHOLE_NUMBER } from '#domain/common/vocabulary.ts'
import {
  type Answer,
  JUMP_TO_END,
  JUMP_TO_NOWHERE,
  type Result,
} from '#domain/questionnaire/quiz.ts'
import {
  escapeText,
  foldName,
  foldText,
  quoted,
  type TextErrors,
  TextSyntaxError,
  unescapeText,
} from './lines.ts'
import { checkLength, readNumber } from './values.ts'

/** Line of an answer: its text, then optionally `[+2]`, `[juste]`, `-> Profil A ×2, Profil B` and `=> page 3`. */

/** Reference to a result: its name, or its rank from 1 if several results have the name. */
type ResultRef = { name: string; rank: number | null; weight: number }
/** Content of an answer's line. */
export type AnswerLine = {
  text: string
  score: number | null
  is_correct: boolean
  refs: ResultRef[]
  jump_to: number | null
}

/**
 * Matches escape sequences, the arrows of links and jumps, the mark of a right answer, and the beginning of a score.
 */
const SIGN_PATTERN = /\\.|(?<!\S)[-=]>|\[juste\]|\[(?:[+\-−]|\d+\])/gis

type Part = { sign: string; written: string }

/** Splits the line of an answer into its text and the part after each sign. */
const splitAnswer = (line: string): { text: string; parts: Part[] } => {
  const signs = [...line.matchAll(SIGN_PATTERN)].filter(([sign]) => !sign.startsWith('\\'))
  const text = line.slice(0, signs[0]?.index).trim()
  const parts = signs.map(({ 0: sign, index }, rank) => ({
    sign: signOf(sign),
    written: line.slice(index, signs[rank + 1]?.index).trim(),
  }))
  return { text, parts }
}

/** Returns the kind of a sign: the mark of a right answer, an arrow, or the bracket of a score. */
const signOf = (written: string): string => {
  const sign = written.toLowerCase()
  return sign === RIGHT || !sign.startsWith('[') ? sign : '['
}

/** Mark of a right answer. */
const RIGHT = '[juste]'

/** Parses the line of an answer without its dash. Throws a TextSyntaxError. */
export const readAnswer = (line: string): AnswerLine => {
  const { text, parts } = splitAnswer(line)
  const answer: AnswerLine = {
    text: checkLength(unescapeText(text), LIMITS.answer_text),
    score: null,
    is_correct: false,
    refs: [],
    jump_to: null,
  }
  const seen = new Set<string>()
  for (const { sign, written } of parts) {
    if (seen.has(sign))
      throw new TextSyntaxError(`${quoted(sign)} ne s’écrit qu’une fois par réponse.${ESCAPE_HINT}`)
    seen.add(sign)
    if (sign === RIGHT) answer.is_correct = readRight(written)
    else if (sign === '[') answer.score = readScore(written)
    else if (sign === '->') answer.refs = readRefs(written.slice(2))
    else answer.jump_to = readJump(written.slice(2))
  }
  return answer
}

const ESCAPE_HINT = ' Pour garder ce signe dans un texte, écrivez « \\ » devant.'

const readRight = (written: string): boolean => {
  const rest = written.slice(RIGHT.length).trim()
  if (rest === '') return true
  throw new TextSyntaxError(
    `${quoted(rest)} vient après ${quoted(RIGHT)} : le texte s’écrit avant.${ESCAPE_HINT}`,
  )
}

const readScore = (written: string): number => {
  const [, number, rest] = /^\[([^\]]*)\](.*)$/s.exec(written) ?? []
  if (number === undefined)
    throw new TextSyntaxError(`Un score s’écrit [+2], [0] ou [-1]. Il manque « ] ».${ESCAPE_HINT}`)
  if (rest)
    throw new TextSyntaxError(
      `${quoted(rest.trim())} vient après le score : le texte s’écrit avant.`,
    )
  return readNumber(number.trim(), {
    least: -MAX_WHOLE_NUMBER,
    most: MAX_WHOLE_NUMBER,
    expected: `un score est un nombre entier, comme [+2], [0] ou [-1].${ESCAPE_HINT}`,
  })
}

const readJump = (written: string): number => {
  const folded = foldText(written)
  if (folded === 'fin') return JUMP_TO_END
  if (folded === 'nulle part') return JUMP_TO_NOWHERE
  const [, number = ''] = /^page (\d{1,3})$/.exec(folded) ?? []
  const page = Number(number)
  if (page >= 1 && page <= LIMITS.pages) return page
  throw new TextSyntaxError(
    `« => » attend une page, comme « => page 3 », ou « => fin ».${ESCAPE_HINT}`,
  )
}

const WEIGHT = /(?:^|\s)[×x] ?(\d{1,7})$/i
const RANK = /^#(\d{1,3})$/

const readRefs = (written: string): ResultRef[] => {
  const pieces = piecesOf(written)
  if (pieces.length > LIMITS.results)
    throw new TextSyntaxError(`Une réponse compte pour ${LIMITS.results} résultats au plus.`)
  return pieces.map((piece) => readRef(piece.trim()))
}

/** Matches escape sequences, commas and the text between them. */
const PIECE = /\\.|,|[^\\,]+|\\/gs

const piecesOf = (written: string): string[] => {
  const pieces = ['']
  for (const [part] of written.matchAll(PIECE)) {
    if (part === ',') pieces.push('')
    else pieces.push(`${pieces.pop()}${part}`)
  }
  return pieces
}

const readRef = (piece: string): ResultRef => {
  const found = WEIGHT.exec(piece)
  const written = found ? piece.slice(0, found.index).trim() : piece
  if (written === '')
    throw new TextSyntaxError(
      `« -> » attend le nom d’un résultat, comme « -> Profil A ×2 ».${ESCAPE_HINT}`,
    )
  const weight = found ? Number(found[1]) : DEFAULT_WEIGHT
  if (weight > MAX_WHOLE_NUMBER)
    throw new TextSyntaxError(`Un poids va de 0 à ${MAX_WHOLE_NUMBER.toLocaleString('fr-FR')}.`)
  const [, rank] = RANK.exec(written) ?? []
  return {
    name: unescapeText(written).trim(),
    rank: rank === undefined ? null : Number(rank),
    weight,
  }
}

/** Returns the references to results: names, or ranks if the name is ambiguous. */
export const refNames = (results: readonly Pick<Result, 'id' | 'name'>[]): Map<string, string> => {
  const counts = new Map<string, number>()
  for (const { name } of results) counts.set(name.trim(), (counts.get(name.trim()) ?? 0) + 1)
  return new Map(
    results.map(({ id, name }, index) => {
      const isUnambiguous =
        counts.get(name.trim()) === 1 && !isBlankText(name) && !WEIGHT.test(name)
      return [id, isUnambiguous ? escapeText(name.trim(), 'name') : `#${index + 1}`]
    }),
  )
}

/** Returns an answer as a line without its dash; `names` are from `refNames`, in the order of the results. */
export const printAnswer = (
  { text, score, is_correct, associations, jump_to }: Answer,
  names: ReadonlyMap<string, string>,
): string => {
  const weights = new Map(
    associations
      .filter(({ is_checked }) => is_checked)
      .map(({ result_id, weight }) => [result_id, weight]),
  )
  const refs = [...names].flatMap(([id, name]) => {
    const weight = weights.get(id)
    if (weight === undefined) return []
    return weight === DEFAULT_WEIGHT ? name : `${name} ×${weight}`
  })
  return [
    escapeText(text, 'answer'),
    score === null ? '' : `[${score > 0 ? '+' : ''}${score}]`,
    is_correct ? RIGHT : '',
    refs.length > 0 ? `-> ${refs.join(', ')}` : '',
    jump_to === null ? '' : `=> ${printJump(jump_to)}`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

const printJump = (jump_to: number): string => {
  if (jump_to === JUMP_TO_END) return 'fin'
  return jump_to === JUMP_TO_NOWHERE ? 'nulle part' : `page ${jump_to}`
}

/** References of an answer that are resolved when all results are known. */
export type UnresolvedLinks = { line: number; answer: Answer; refs: readonly ResultRef[] }

const MAX_LISTED = 6

/** Links answers to the results that their lines refer to. */
export const resolveLinks = (
  all: readonly UnresolvedLinks[],
  results: readonly Result[],
  errors: TextErrors,
): void => {
  const ranks = Map.groupBy(results.keys(), (rank) => results[rank]?.name)
  const folded = Map.groupBy(results.keys(), (rank) => foldName(results[rank]?.name ?? ''))
  const find = ({ name, rank }: ResultRef): Result => {
    if (rank !== null) {
      const found = results[rank - 1]
      if (found) return found
      throw new TextSyntaxError(
        `#${rank} n’est le rang d’aucun résultat : il y en a ${results.length}.`,
      )
    }
    const [first, ...others] = ranks.get(name) ?? folded.get(foldName(name)) ?? []
    const found = first === undefined ? undefined : results[first]
    if (first === undefined || !found) throw new TextSyntaxError(unknownName(name, results))
    if (others.length === 0) return found
    const written = [first, ...others].map((index) => `#${index + 1}`)
    throw new TextSyntaxError(
      `${written.length} résultats s’appellent ${quoted(name)} : écrivez ${written.join(' ou ')}.`,
    )
  }
  for (const { line, answer, refs } of all) {
    if (errors.isFull()) return
    errors.attempt(
      line,
      () => {
        for (const ref of refs) {
          const { id: result_id, name } = find(ref)
          if (answer.associations.some((link) => link.result_id === result_id))
            throw new TextSyntaxError(`Le résultat ${quoted(name)} est nommé deux fois.`)
          const id = `${answer.id} ${result_id}`
          const { weight } = ref
          answer.associations.push({
            id,
            answer_id: answer.id,
            result_id,
            weight,
            is_checked: true,
          })
        }
      },
      undefined,
    )
  }
}

const unknownName = (name: string, results: readonly Result[]): string => {
  const unknown = `${quoted(name)} n’est le nom d’aucun résultat`
  if (results.length === 0) return `${unknown} : ils s’écrivent sous « ## Résultats ».`
  const names = results.slice(0, MAX_LISTED).map((result) => quoted(result.name))
  const more = results.length > MAX_LISTED ? '…' : ''
  return `${unknown} : ${names.join(', ')}${more}. Une virgule d’un nom s’écrit « \\, ».`
}
