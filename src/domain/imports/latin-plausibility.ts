/** Tells a text of a Latin language from the same bytes read in a wrong encoding, such as « cœur » and « cÏur ». */

/** Control characters other than tabs and line breaks. */
const CONTROL = /[^\P{Cc}\t-\r]/u
const LOWER = /\p{Ll}/u
const UPPER = /\p{Lu}/u
const LETTER = /\p{L}/u
const ASCII_UPPER = /[A-Z]/

/** Character beyond ASCII with its neighbours. */
type Context = { before: string; character: string; after: string }

const lowerPlausibility = ({ before, character, after }: Context): number => {
  // A small letter between a small and a capital letter is rather a dash, as in « Paris–Lyon ».
  if (LOWER.test(before) && UPPER.test(after)) return -1
  // No French word ends in « î », which is the closing quotation mark of Windows-1252.
  if (character === 'î' && !LETTER.test(after)) return 1
  if (character === 'œ' && !LETTER.test(after)) return -1
  // « à » and « ù » end words, and « ê » does not.
  if (/[àù]/.test(character)) return LETTER.test(after) ? 1 : 3
  if (character === 'ê' && !LETTER.test(after)) return 1
  if (/[âçéèêîôœû]/.test(character)) return 3
  if (/[ëï]/.test(character)) return LETTER.test(before) ? 3 : 1
  // « Lætitia », « ex æquo »; at the beginning of other words it is rather the « Ê » of Mac Roman.
  if (character === 'æ') return LETTER.test(before) || after === 'q' ? 3 : 1
  return character === 'ƒ' ? -2 : 1
}

const upperPlausibility = ({ before, character, after }: Context): number => {
  if (LOWER.test(before)) return -3
  // The last letter of a word in capitals, such as « SANTÉ ».
  if (ASCII_UPPER.test(before) && !LETTER.test(after)) return 3
  if (ASCII_UPPER.test(before) && LOWER.test(after)) return -1
  if (character === 'Œ' && /[uU]/.test(after)) return 3
  // « É. Martin »
  if (character === 'É' && after === '.') return 2
  return (/[ÀÂÇÉÈÊÎÔŒ]/.test(character) ? 2 : 1) - (LETTER.test(after) ? 0 : 1)
}

/** Returns the plausibility of a middle dot: between words, or in « étudiant·e·s ». */
const dotPlausibility = ({ before, after }: Context): number => {
  if (!LETTER.test(before) && !LETTER.test(after)) return 2
  if (!LETTER.test(before) || !LETTER.test(after)) return -2
  return { e: 3, s: 0 }[after] ?? -2
}

/** Returns the plausibility of a sign that stands apart from words, such as « § 4 », « 3 × 4 », « m² » and « 20 °C ». */
const signPlausibility = ({ before, after }: Context): number =>
  /[^\p{L}]|[mnN]/u.test(before) && /[^\p{L}]|[CF]/u.test(after) ? 2 : -2

const punctuationPlausibility = ({ before, character, after }: Context): number => {
  if (character === '•' && !LETTER.test(before)) return 2
  if (character === '–' && UPPER.test(after)) return 2
  if (character === '…' && after === '.') return 1
  return LETTER.test(after) ? -1 : 2
}

const openingPlausibility = ({ before, character, after }: Context): number => {
  if (character === '‘' && LETTER.test(before)) return -1
  return LOWER.test(after) && !LETTER.test(before) ? 1 : 2
}

/** Signs that a letter may follow, and signs that may follow a letter or another sign. */
const OPENING = /[’‘“«\u00a0–—…•·]/
const CLOSING = /[’”»\u00a0–—…·]/

/** Returns the number that the plausibility loses, because two characters beyond ASCII rarely touch. */
const touchPenalty = ({ before, character }: Context): number =>
  before <= '\x7f' || OPENING.test(before) || CLOSING.test(character) ? 0 : 3

/** Returns the plausibility of a character beyond ASCII between its neighbours in a text of a Latin language. */
const plausibility = (context: Context): number => {
  const { before, character } = context
  if (CONTROL.test(character)) return -20
  if (LOWER.test(character)) return lowerPlausibility(context)
  if (UPPER.test(character)) return upperPlausibility(context)
  // A no-break space after a space or at the beginning of a cell is rather a capital letter of another encoding.
  if (character === '\u00a0' && !/[\p{L}\p{N}\p{P}]/u.test(before)) return -1
  if (/[’‘“«\u00a0]/.test(character)) return openingPlausibility(context)
  if (/[”»…–—€•]/.test(character)) return punctuationPlausibility(context)
  if (character === '·') return dotPlausibility(context)
  return /[§×÷±≈°²³½¼¾™®©]/.test(character) ? signPlausibility(context) : -2
}

/** Maximum number of characters beyond ASCII that tell two encodings apart. */
const MAX_SAMPLES = 50_000

/**
 * Returns the mean plausibility of the characters beyond ASCII of a text, from -23 to 3; above or equal to 0 for a text of a
 * Latin language.
 */
export const plausibilityOf = (text: string): number => {
  let sum = 0
  let samples = 0
  for (let index = 0; index < text.length && samples < MAX_SAMPLES; index++) {
    if (text.charCodeAt(index) < 0x80) continue
    samples++
    const context = {
      before: text[index - 1] ?? ' ',
      character: text[index] ?? '',
      after: text[index + 1] ?? ' ',
    }
    sum += plausibility(context) - touchPenalty(context)
  }
  return samples === 0 ? 0 : sum / samples
}
