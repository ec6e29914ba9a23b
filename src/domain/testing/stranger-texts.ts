/** Creates a text of a shape with at most `length` UTF-16 units. */
export type ShapeText = (length: number) => string

/** Repeats a piece up to a length, without half of a surrogate pair at the end. */
const repeat =
  (piece: string): ShapeText =>
  (length) =>
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length - (length % piece.length))

/** Letters followed by marks of different classes in the order that is costliest to sort. */
const unsortedMarks: ShapeText = (length) =>
  `a${'\u0301\u0323'.repeat(length / 2)}`.slice(0, length)

/** Names as people write them, by the script or the kind of signs that a quiz may meet. */
export const NAMES_BY_SCRIPT: Record<string, string> = {
  'Latin letters with a mark of their own': 'M\u0302arion',
  'Latin letters with marks above and below': 'N\u0307go\u0323c',
  Greek: 'Ελένη',
  Cyrillic: 'Наталья',
  'Arabic with a letter of other languages': 'عبد ڢاروق',
  'Hebrew with vowels': 'שָׁלוֹם',
  Devanagari: 'देवनागरी',
  Thai: 'สมชาย',
  Ethiopic: 'ሰላም',
  Georgian: 'გიორგი',
  Armenian: 'Արմեն',
  Han: '王小明',
  Hangul: '김민준',
  Kana: 'さくら',
  'joined emoji': '👩‍👩‍👧‍👦',
  flags: '🇫🇷🇨🇭',
  'Latin ligatures': 'ﬁancé',
  'Persian with a joiner': 'می‌خواهم',
}

/**
 * Shapes of texts that strangers send: marks, white space, control characters, opening signs, scripts. Each has any length,
 * so that tests use the longest that a field allows.
 */
export const STRANGER_TEXTS: Record<string, ShapeText> = {
  'marks of different classes': unsortedMarks,
  'one mark': repeat('\u0301'),
  'halfwidth voiced marks': repeat('\uff9e'),
  'Arabic letters and marks': repeat('\u062d\u06d8'),
  'letters and direction marks': repeat('a\u200f'),
  spaces: repeat(' '),
  tabs: repeat('\t'),
  'hard spaces': repeat('\u00a0\u202f'),
  'line ends of other systems': repeat('\u0085\u2028'),
  'empty lines': repeat('\n'),
  'words between long spaces': (length) =>
    `a${' '.repeat(Math.max(0, length - 2))}b`.slice(0, length),
  'control characters': repeat('\u001b[31m\u0007'),
  'bidi embeddings': repeat('\u202e\u2067a'),
  'characters that PostgreSQL cannot store': repeat('a\0'),
  'halves of characters': repeat('a\ud83d'),
  'zero-width characters': repeat('\u200b\u2060\ufeff'),
  'braces that open': repeat('{'),
  'insertions that open': repeat('{{'),
  'brackets that open': repeat('['),
  'links that open': repeat('[a]('),
  'parentheses that open': repeat('('),
  asterisks: repeat('*'),
  'strong text that opens': repeat('**a '),
  underscores: repeat('_'),
  'French quotation marks': repeat('«'),
  'quotation marks': repeat('"'),
  backticks: repeat('`'),
  arrows: repeat('->'),
  'double arrows': repeat('=>'),
  dashes: repeat('- '),
  'nested lists': repeat('- - - a\n'),
  'digits and points': repeat('1.'),
  'digits and commas': repeat('1,'),
  'at signs': repeat('a@'),
  'one letter': repeat('a'),
  'capital letters': repeat('A'),
  'colons and spaces': repeat(': '),
  semicolons: repeat(';"'),
  ...Object.fromEntries(
    Object.values(NAMES_BY_SCRIPT).map((name) => [`the name ${name}`, repeat(`${name} `)]),
  ),
}
