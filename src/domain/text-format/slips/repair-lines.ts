import { isBlankText } from '#domain/common/text.ts'
import { foldName, foldText, type SourceLine } from '#domain/text-format/lines.ts'
import {
  LIST_PLACES,
  LONG_TEXT_PLACES,
  type Part,
  type Place,
  partOf,
  settingKind,
} from './places.ts'
import {
  boldOf,
  MAX_REPAIRED_LENGTH,
  repairAddress,
  repairAnswer,
  repairWord,
  settingOf,
  unwrap,
} from './repair-words.ts'

const HEADING = /^(#{1,6})\s+(.*)$/s
const STRICT_ITEM = /^[-*•]\s+(.*)$/s
const LOOSE_ITEM = /^(?:[+–—‣◦▪▫●○■□☐·]|\(?(?:\d{1,3}|[a-z])[.)])\s+(.*)$/isu
const NUMBERED = /^\(?(\d{1,3})[.)]\s/
/** Matches « Question 3 » and « Q3 », with the text that may follow. */
const QUESTION = /^(?:question|q) ?(?:n° ?)?\d{1,3}(?: ?[:.)–—-] ?(.*))?$/isu
const ANSWERS_HEADING = /^(?:reponses?|choix)(?: possibles)?$/

/** Places whose items have a title of their own, which may be a question. */
const TITLED_PLACES: readonly Place[] = [
  ...(['results', 'result', 'dimensions', 'dimension', 'variants', 'variant'] as const),
]

/** Settings of a question that are recognised after a list sign, because no answer has such a text. */
const LISTED_QUESTION_KEYS = ['reponse', 'obligatoire']

/** Maximum number of words before a colon for which a line can be a setting. */
const MAX_KEY_WORDS = 4
/** Minimum number of words after a colon for which a line is a sentence and not an unknown setting. */
const MIN_SENTENCE_WORDS = 5

/** Creates a repairer. `take` must be called for each line in order; `finish` returns the repaired lines. */
export const createLineRepairer = (lines: readonly SourceLine[]) => {
  const headings = collectHeadings(lines)
  const output: SourceLine[] = []
  let place: Place = 'head'
  let hasQuestions = false
  /** Number before the text of the current question, such as 3 in « 3. Quand ? ». */
  let questionNumber: number | undefined
  /** Line such as « Question 3 » whose question text is expected on a following line. */
  let pending: SourceLine | undefined

  /** Index of the last line that is not blank, and its kind of text if the line is a quote. */
  let last = -1
  let quoteKind: 'none' | 'key' | 'long' = 'none'

  const sourceAt = (index: number): SourceLine => lines[index] ?? { line: 0, written: '' }
  const push = ({ line }: SourceLine, written: string): void => {
    output.push({ line, written })
    if (isBlankText(written)) return
    last = output.length - 1
    quoteKind = 'none'
  }
  const beginPart = (source: SourceLine, part: Part): void => {
    place = part.place
    if (place === 'page') hasQuestions = false
    push(source, `## ${part.heading}`)
    if (part.title !== '') push(source, `> ${part.title}`)
  }
  const beginQuestion = (source: SourceLine, text: string, hasOwnPage = false): void => {
    const isOnPage = place === 'page' || place === 'question'
    if (!isOnPage || (hasOwnPage && hasQuestions)) push(source, '## Page')
    ;[place, hasQuestions, questionNumber] = ['question', true, undefined]
    push(source, `### ${unwrap(text)}`)
  }
  /** Returns the kind of list item on the next non-blank line; undefined if that line is no list item. */
  const nextItem = (index: number): 'numbered' | 'other' | undefined => {
    const next = lines.slice(index + 1, index + 4).find(({ written }) => !isBlankText(written))
    const written = next?.written ?? ''
    if (NUMBERED.test(written)) return 'numbered'
    return STRICT_ITEM.test(written) || LOOSE_ITEM.test(written) ? 'other' : undefined
  }
  /** Returns true if a title is a question. The title of a result needs list items below it. */
  const isQuestion = (title: string, index: number): boolean => {
    if (QUESTION.test(title)) return true
    if (!title.endsWith('?')) return false
    const isResult = place === 'results' || place === 'result'
    return !TITLED_PLACES.includes(place) || (isResult && nextItem(index) !== undefined)
  }
  /** Begins the question of a title such as « Question 3 : … ». */
  const takeQuestion = (source: SourceLine, title: string, hasOwnPage: boolean): void => {
    const text = QUESTION.exec(title)?.[1] ?? ''
    const isMissing = QUESTION.test(title) && isBlankText(text)
    beginQuestion(source, isBlankText(text) ? title : text, hasOwnPage)
    if (isMissing) pending = output.at(-1)
  }
  const beginItem = (source: SourceLine, title: string): void => {
    const items: Partial<Record<Place, Place>> = {
      results: 'result',
      dimensions: 'dimension',
      variants: 'variant',
      page: 'question',
    }
    place = items[place] ?? place
    if (place === 'question') hasQuestions = true
    push(source, `### ${title}`)
  }

  const takeHeading = (index: number, level: number, title: string): void => {
    const source = sourceAt(index)
    const part = level <= 2 ? partOf(title) : undefined
    const isPageTitle = level === 2 && title.endsWith('?')
    questionNumber = undefined
    if (level === 1) push(source, `# ${title}`)
    else if (part) beginPart(source, part)
    else if (level > 3 && ANSWERS_HEADING.test(foldText(title.replace(/:$/, '')))) push(source, '')
    else if (isPageTitle || isQuestion(title, index)) takeQuestion(source, title, level === 2)
    else if (level === 3) beginItem(source, title)
    else {
      if (level === 2) place = 'unknown'
      push(source, `${'#'.repeat(level)} ${title}`)
    }
  }
  const takeBold = (index: number, title: string): boolean => {
    const source = sourceAt(index)
    const part = partOf(title)
    if (part) beginPart(source, part)
    else if (isQuestion(title, index)) takeQuestion(source, title, false)
    else if (place === 'results' || place === 'result' || place === 'dimensions') {
      place = place === 'dimensions' ? 'dimension' : 'result'
      push(source, `### ${title}`)
    } else return false
    return true
  }

  const takeSetting = (source: SourceLine, text: string): boolean => {
    const setting = settingOf(text)
    const kind = setting && settingKind(place, setting.key)
    if (!setting || !kind) return false
    const isAddress = /^(?:adresse du bouton|redirection)$/.test(foldText(setting.key))
    const value = kind === 'word' ? repairWord(setting.value) : setting.value
    push(source, `${setting.key} : ${isAddress ? repairAddress(value) : value}`.trimEnd())
    return true
  }
  const isListedSetting = (text: string): boolean => {
    if (place !== 'question') return !LIST_PLACES.includes(place)
    return LISTED_QUESTION_KEYS.includes(foldText(settingOf(text)?.key ?? ''))
  }
  /** Returns true if a numbered line is a question, not an answer of the question above; 0 means no number. */
  const isNumberedQuestion = (number: number, text: string, index: number): boolean => {
    if (number === 0) return false
    const hasAnswers = nextItem(index) === 'other'
    const isAsking = unwrap(text).endsWith('?') || hasAnswers
    if (place === 'page' || place === 'head') return isAsking
    if (place !== 'question') return false
    return questionNumber === undefined ? hasAnswers : isAsking && number === questionNumber + 1
  }
  const takeItem = (index: number, text: string): boolean => {
    const source = sourceAt(index)
    const number = Number(NUMBERED.exec(source.written)?.[1] ?? 0)
    if (isListedSetting(text) && takeSetting(source, text)) return true
    if (isNumberedQuestion(number, text, index)) {
      beginQuestion(source, text)
      questionNumber = number
    } else if (place === 'question') push(source, `- ${repairAnswer(text, headings)}`.trimEnd())
    else if (LIST_PLACES.includes(place)) push(source, `- ${unwrap(text)}`)
    else return false
    return true
  }
  /** Adds a quote. Joins the quote to the quote above if the place has one long text. */
  const pushQuote = (source: SourceLine, written: string): void => {
    const nb_blank = output.length - 1 - last
    const isJoined = quoteKind === 'long' && LONG_TEXT_PLACES.includes(place)
    const isBelowKey = nb_blank === 0 && /:$/.test(output[last]?.written ?? '')
    let kind = quoteKind
    if (isJoined) for (const line of output.slice(last + 1)) line.written = '>'
    else if (kind === 'none' || nb_blank > 0) kind = isBelowKey ? 'key' : 'long'
    push(source, written)
    quoteKind = kind
  }
  const takeSentence = (source: SourceLine, text: string): void => {
    const setting = settingOf(text)
    const isSetting =
      setting &&
      setting.key.split(' ').length <= MAX_KEY_WORDS &&
      setting.value.split(' ').length < MIN_SENTENCE_WORDS
    const isText = LONG_TEXT_PLACES.includes(place) || place === 'page'
    if (isText && !isSetting && !text.startsWith('!')) pushQuote(source, `> ${text}`)
    else push(source, text)
  }
  const takePlain = (index: number): void => {
    const source = sourceAt(index)
    const { written } = source
    const bold = boldOf(written)
    const isQuestionText = pending && !isSettingHere(written)
    if (pending && isQuestionText) pending.written = `### ${bold ?? unwrap(written)}`
    if (isQuestionText) pending = undefined
    else if (bold === undefined || !takeBold(index, bold))
      takeSetting(source, written) || takeSentence(source, written)
  }
  const isSettingHere = (written: string): boolean =>
    settingKind(place, settingOf(written)?.key ?? '') !== undefined

  const take = (index: number): void => {
    const source = sourceAt(index)
    const { written } = source
    const [, marks, title = ''] = HEADING.exec(written) ?? []
    const item = (STRICT_ITEM.exec(written) ?? LOOSE_ITEM.exec(written))?.[1]
    if (written.length > MAX_REPAIRED_LENGTH || isBlankText(written)) push(source, written)
    else if (/^\s*>/.test(written)) pushQuote(source, written)
    else if (marks === undefined && item === undefined) takePlain(index)
    else {
      pending = undefined
      if (marks !== undefined) takeHeading(index, marks.length, unwrap(title))
      else if (item === undefined || !takeItem(index, item)) push(source, written)
    }
  }
  return { take, finish: () => output }
}

/** Returns the titles of all headings and bold lines, without case and accents. Arrows can name these titles. */
const collectHeadings = (lines: readonly SourceLine[]): Set<string> =>
  new Set(
    lines.flatMap(({ written }) => {
      if (written.length > MAX_REPAIRED_LENGTH) return []
      const [, , title] = HEADING.exec(written) ?? []
      const named = title === undefined ? boldOf(written) : unwrap(title)
      return named === undefined ? [] : foldName(named)
    }),
  )
