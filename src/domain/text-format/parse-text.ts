import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { areDatesInOrder, DATE_ORDER_REFUSALS } from '#domain/questionnaire/access-dates.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { createBuilder, createTarget, type Target } from './build-draft.ts'
import { createVariantsBuilder } from './conditional-texts.ts'
import { createDimensionsBuilder } from './dimensions.ts'
import { NO_KEYS } from './key.ts'
import {
  DIMENSIONS_KEYS,
  END_KEYS,
  headKeys,
  LOOK_KEYS,
  OPENING_KEY,
  SLUG_KEY,
  WELCOME_KEYS,
} from './keys.ts'
import {
  createErrors,
  foldText,
  type Line,
  MAX_TEXT_LENGTH,
  MAX_TEXT_LINES,
  quoted,
  readLines,
  type SourceLine,
  splitLines,
  type TextError,
  TextSyntaxError,
  unescapeText,
} from './lines.ts'
import { repairSteps } from './slips/repair-text.ts'
import { checkFilled } from './values.ts'

/**
 * Parsed draft or errors. `slug_line` is the line of the slug, which only the server can check completely.
 * `ignored_lines` are the sentences around an assistant's answer that are not part of the questionnaire.
 */
export type ParsedText =
  | { draft: Draft; slug_line: number | undefined; ignored_lines: readonly number[] }
  | { errors: TextError[] }

/**
 * Parses the text of a questionnaire (docs/text-format.md) into a draft with temporary ids, in linear time. Returns
 * at most a hundred errors, in the order of the lines.
 */
export const parseText = (text: string, time_zone = DEFAULT_TIME_ZONE): ParsedText => {
  const steps = parseSteps(text, time_zone)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/**
 * Parses like `parseText`, line by line, so that the caller can do other work in between. If the text has errors, repairs
 * typical slips of assistants and parses again. A text without errors therefore keeps its meaning.
 */
export function* parseSteps(
  text: string,
  time_zone = DEFAULT_TIME_ZONE,
): Generator<undefined, ParsedText> {
  if (text.length > MAX_TEXT_LENGTH) {
    const line = text.slice(0, MAX_TEXT_LENGTH).split(/\r\n|\r|\n/).length
    return { errors: [{ line, message: TOO_LONG }] }
  }
  if (text.split(/\r\n|\r|\n/, MAX_TEXT_LINES + 1).length > MAX_TEXT_LINES)
    return { errors: [{ line: MAX_TEXT_LINES + 1, message: TOO_MANY_LINES }] }
  const source = splitLines(text)
  const strict = yield* readSteps(source, time_zone)
  if ('draft' in strict) return { ...strict, ignored_lines: [] }
  const { lines, ignored_lines } = yield* repairSteps(source)
  const repaired = yield* readSteps(lines, time_zone)
  return 'draft' in repaired ? { ...repaired, ignored_lines } : repaired
}

/** Parses lines exactly as they are written. */
function* readSteps(source: readonly SourceLine[], time_zone: string) {
  const errors = createErrors()
  const reader = createReader(errors, time_zone)
  for (const line of readLines(source)) {
    errors.attempt(line.line, () => reader.take(line), undefined)
    if (errors.isFull()) break
    yield
  }
  const parsed = reader.finish()
  const list = errors.list()
  return list.length > 0 ? { errors: list } : parsed
}

const TOO_LONG = `Le texte est trop long : ${MAX_TEXT_LENGTH.toLocaleString('fr-FR')} caractères au plus.`
const TOO_MANY_LINES = `Le texte a trop de lignes : ${MAX_TEXT_LINES.toLocaleString('fr-FR')} au plus.`
const MISSING_NAME = 'Un questionnaire commence par son nom, comme « # Mon quiz ».'
const PARTS =
  '« Accueil », « Apparence », « Résultats », « Dimensions », « Page 1 », « Textes conditionnels », « Fin »'
const ITEM_WITHOUT_PART =
  'Une question s’écrit sous une page, comme « ## Page 1 », un résultat sous « ## Résultats ».'
const ANSWER_WITHOUT_QUESTION =
  'Cette réponse n’est sous aucune question. L’aide d’une question s’écrit « Aide : … », sans « > ».'

/** Part that a line belongs to; lines under an invalid heading are skipped. */
type Section = 'head' | 'results' | 'page' | 'question' | 'dimensions' | 'text_variants' | 'skipped'

const createReader = (errors: ReturnType<typeof createErrors>, time_zone: string) => {
  const builder = createBuilder(errors)
  const dimensions = createDimensionsBuilder(errors)
  const variants = createVariantsBuilder(errors)
  const { head } = builder
  const headTarget = createTarget({ row: head, keys: headKeys(time_zone) })
  const noTarget = createTarget({ row: {}, keys: NO_KEYS })
  const parts = new Map<string, number>()
  let target: Target = headTarget
  let section: Section = 'head'
  let name_line: number | null = null
  let isNameMissing = false
  let page_number = 0
  let isPartial = false

  const moveTo = (at: Section, section_target: Target = noTarget): void => {
    section = at
    target = section_target
  }
  const isOnPage = (): boolean => section === 'page' || section === 'question'
  const name = (line: number, title: string): void => {
    if (name_line !== null)
      throw new TextSyntaxError(
        `Le questionnaire a déjà son nom ligne ${name_line} : « # » ne sert qu’à lui.`,
      )
    name_line = line
    head.name = checkFilled(unescapeText(title), LIMITS.quiz_name)
  }
  /** Records once that the name is missing at the beginning. */
  const expectName = (line: number): void => {
    if (name_line !== null || isNameMissing) return
    isNameMissing = true
    errors.add(line, MISSING_NAME)
  }

  const beginPart = (line: number, title: string): void => {
    const folded = foldText(title)
    // Lines under an invalid heading must not count as lines of the previous part.
    moveTo('skipped')
    const page = /^page(?: (\d{1,9}))?$/.exec(folded)
    if (page) beginPage(line, page[1] === undefined ? page_number + 1 : Number(page[1]))
    else beginNamed(line, title, folded)
  }
  const beginNamed = (line: number, title: string, folded: string): void => {
    const before = parts.get(folded)
    if (before !== undefined)
      throw new TextSyntaxError(`La partie ${quoted(title)} est déjà commencée ligne ${before}.`)
    parts.set(folded, line)
    if (folded === 'accueil') moveTo('head', welcomeTarget())
    else if (folded === 'fin') moveTo('head', createTarget({ row: head, keys: END_KEYS }))
    else if (folded === 'apparence') moveTo('head', createTarget({ row: head, keys: LOOK_KEYS }))
    else if (folded === 'resultats') moveTo('results')
    else if (folded === 'dimensions')
      moveTo('dimensions', createTarget({ row: head, keys: DIMENSIONS_KEYS }))
    else if (folded === 'textes conditionnels') moveTo('text_variants')
    else throw new TextSyntaxError(`${quoted(title)} n’est pas une partie : ${PARTS}.`)
  }
  const welcomeTarget = (): Target =>
    createTarget({
      row: head,
      keys: WELCOME_KEYS,
      picture: ({ image_id, image_alt }) => {
        head.welcome_image_id = image_id
        head.welcome_image_alt = image_alt
      },
    })
  const beginPage = (line: number, number: number): void => {
    if (errors.exceeds(line, number - 1, LIMITS.pages, 'pages')) return
    if (number <= page_number)
      throw new TextSyntaxError(
        page_number === 0
          ? 'Les pages se comptent à partir de 1.'
          : `La page ${number} ne peut pas venir après la page ${page_number} : elles se suivent.`,
      )
    page_number = number
    moveTo('page')
  }
  const beginItem = (line: number, title: string): void => {
    if (section === 'head') {
      moveTo('skipped')
      throw new TextSyntaxError(ITEM_WITHOUT_PART)
    }
    const at = section
    // A heading that is refused must not leave its lines to the previous item.
    moveTo('skipped')
    const begun = addItem(at, line, title)
    if (begun) moveTo(at === 'page' ? 'question' : at, begun)
  }
  const addItem = (at: Section, line: number, title: string): Target | undefined => {
    if (at === 'results') return builder.addResult(line, title)
    if (at === 'dimensions') return dimensions.addDimension(line, title)
    if (at === 'text_variants') return variants.addVariant(line, title)
    return builder.addQuestion(line, title, page_number)
  }
  const addBlock = (line: number, text: string): void => {
    builder.addBlock(line, text, page_number)
    moveTo('page')
  }

  const takeHeading = ({ line, level, text }: Extract<Line, { kind: 'heading' }>): void => {
    if (level === 2) beginPart(line, text)
    else if (level > 3) throw new TextSyntaxError('Les titres ont un, deux ou trois « # ».')
    else if (section === 'skipped') isPartial = true
    else beginItem(line, text)
  }
  const takeKey = (line: Extract<Line, { kind: 'key' }>): void => {
    const isBlock = isOnPage() && foldText(line.key) === 'texte'
    if (isBlock) addBlock(line.line, line.quote ?? unescapeText(line.value))
    else target.setKey(line)
  }
  const takeAnswer = (line: number, text: string): void => {
    if (section === 'dimensions') {
      target = dimensions.addTier(line, text)
      return
    }
    if (section === 'text_variants') {
      variants.addCondition(line, text)
      return
    }
    if (section !== 'question') throw new TextSyntaxError(ANSWER_WITHOUT_QUESTION)
    const { setPicture } = builder.addAnswer(line, text)
    target = { ...target, setPicture }
  }
  const take = (line: Line): void => {
    const isName = line.kind === 'heading' && line.level === 1
    if (!isName) expectName(line.line)
    if (isName) name(line.line, line.text)
    else if (line.kind === 'heading') takeHeading(line)
    else if (section === 'skipped') isPartial = true
    else if (line.kind === 'wrong') throw new TextSyntaxError(line.message)
    else if (line.kind === 'answer') takeAnswer(line.line, line.text)
    else if (line.kind === 'image') target.setPicture(line)
    else if (line.kind === 'key') takeKey(line)
    else if (isOnPage()) addBlock(line.line, line.text)
    else target.setLong(line.text, line.line)
  }
  const finish = () => {
    if (name_line === null && !isNameMissing) errors.add(1, MISSING_NAME)
    if (!areDatesInOrder(head))
      errors.add(headTarget.lineOf(OPENING_KEY) ?? 1, `${DATE_ORDER_REFUSALS.opens_at}.`)
    const built = builder.build({ isPartial })
    // Rows under a refused heading are unknown, so that references to them would be refused too.
    const draft = isPartial ? built : variants.build(dimensions.build(built, builder.assignments))
    return { draft, slug_line: headTarget.lineOf(SLUG_KEY) }
  }
  return { take, finish }
}
