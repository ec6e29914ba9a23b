import { excerpt } from '#domain/common/text.ts'
import { PAGE_INSERTION } from '#domain/participant-pages/page-insertion.ts'
import { isDimensionInsertion } from '#domain/questionnaire/dimensions.ts'
import { itemsInOrder } from '#domain/questionnaire/pages.ts'
import { isSondage, type Question } from '#domain/questionnaire/quiz.ts'
import { isBlank } from '#domain/questionnaire/snapshot.ts'
import {
  insertionKey,
  insertionsIn,
  RESULT_INSERTION,
  refusedLinks,
  SCORE_INSERTION,
} from '#domain/run/rich-text.ts'
import {
  insertableNamesAtEnd,
  labelsBefore,
  type PublishCheckInput,
  shortNamesOf,
} from './insertable-names.ts'
import { EXCERPT_CHARACTERS, type PublishError } from './publish-error.ts'

/** Returns French sentences about wrong labels, insertions and links of a draft. */
export const textErrors = (draft: PublishCheckInput): PublishError[] => [
  ...labelErrors(draft.questions),
  ...insertionAndLinkErrors(draft, checkedTexts(draft)),
]

/** Returns French sentences about unknown insertions and refused links of these texts. */
export const insertionAndLinkErrors = (
  draft: PublishCheckInput,
  texts: readonly CheckedText[],
): PublishError[] => {
  const names = namesOf(draft)
  return texts.flatMap((text) => [
    ...insertionErrors(text, draft, names),
    ...(text.is_plain ? [] : linkErrors(text)),
  ])
}

/** Keys of the names that the texts of a draft may insert. */
type Names = {
  /** Rank of each label among those of the draft in their order, from 0. */
  label_ranks: ReadonlyMap<string, number>
  at_end: ReadonlySet<string>
}

const namesOf = (draft: PublishCheckInput): Names => {
  const label_ranks = new Map<string, number>()
  for (const [rank, label] of labelsBefore(draft).entries()) {
    const key = insertionKey(label)
    if (!label_ranks.has(key)) label_ranks.set(key, rank)
  }
  return { label_ranks, at_end: new Set(insertableNamesAtEnd(draft).map(insertionKey)) }
}

const labelErrors = (questions: readonly Question[]): PublishError[] => {
  const seen = new Set<string>()
  return questions.flatMap(({ id, label }) => {
    const key = insertionKey(label ?? '')
    if (key === '') return []
    const about = { question_id: id, field: 'label' }
    const named = `Le nom court « ${label?.trim()} »`
    if (key === SCORE_INSERTION || key === RESULT_INSERTION)
      return [{ ...about, message: `${named} est réservé : donnez-en un autre à la question` }]
    if (/[{}]/.test(key))
      return [{ ...about, message: `${named} ne peut pas contenir d’accolades` }]
    if (seen.has(key)) return [{ ...about, message: `${named} est donné à plusieurs questions` }]
    seen.add(key)
    return []
  })
}

/** Text that visitors see, with the names that it can insert. */
export type CheckedText = {
  text: string
  /**
   * Name of the text in a message. A function, because the editor checks the draft at each keystroke and errors are
   * rare.
   */
  name: () => string
  about: Omit<PublishError, 'message'>
  /** Number of labels before this text; undefined for texts at the end, where all labels are known. */
  nb_labels: number | undefined
  /** True for a text without formatted links, such as an address. */
  is_plain?: boolean
  /** Names that only this text can insert, besides those of all texts. */
  more_names?: readonly string[]
}

const checkedTexts = (draft: PublishCheckInput): CheckedText[] => {
  const { quiz, results } = draft
  let nb_labels = 0
  const items = itemsInOrder(draft).flatMap((item): CheckedText[] => {
    if (isBlank(item)) return []
    const before = { nb_labels }
    nb_labels += shortNamesOf([item]).length
    if (item.kind === 'question') {
      const { id, text, help, grid_title, explanation } = item.question
      const named = (): string => `a question « ${excerpt(text, EXCERPT_CHARACTERS)} »`
      return [
        { text, name: () => `L${named()}`, about: { question_id: id }, ...before },
        {
          text: help ?? '',
          name: () => `L’aide de l${named()}`,
          about: { question_id: id, field: 'help' },
          ...before,
        },
        {
          text: grid_title ?? '',
          name: () => `Le titre de la grille de l${named()}`,
          about: { question_id: id, field: 'grid_title' },
          ...before,
        },
        {
          text: explanation ?? '',
          name: () => `L’explication de l${named()}`,
          about: { question_id: id, field: 'explanation' },
          ...before,
        },
      ]
    }
    const { id, content } = item.text_block
    const name = (): string => `Le bloc de texte « ${excerpt(content, EXCERPT_CHARACTERS)} »`
    return [{ text: content, name, about: { text_block_id: id }, ...before }]
  })
  const ofQuiz = (
    field: 'welcome_text' | 'end_text' | 'end_button_url',
    name: string,
    more: Partial<CheckedText> = {},
  ): CheckedText => ({
    text: quiz[field] ?? '',
    name: () => name,
    about: { field },
    nb_labels: undefined,
    ...more,
  })
  const welcome = ofQuiz('welcome_text', 'Le texte de l’accueil', { nb_labels: 0 })
  if (isSondage(quiz))
    return [
      welcome,
      ...items,
      ofQuiz('end_text', 'Le texte de la fin'),
      ofQuiz('end_button_url', 'L’adresse du bouton de la fin', { is_plain: true }),
    ]
  const ends = results.flatMap(({ id, name, ...result }): CheckedText[] =>
    RESULT_TEXTS.map(([field, called, is_plain]) => ({
      text: result[field] ?? '',
      name: () => `${called} du résultat « ${excerpt(name, EXCERPT_CHARACTERS)} »`,
      about: { result_id: id, field },
      nb_labels: undefined,
      is_plain,
    })),
  )
  return [welcome, ...items, ...ends]
}

/**
 * Returns French sentences about wrong insertions and links of a text outside the draft, such as a mail. `is_plain`
 * marks a text without formatting; `more_names` are names that only this text can insert.
 */
export const endTextErrors = (
  {
    text,
    name,
    is_plain = false,
    more_names = [],
  }: { text: string; name: string; is_plain?: boolean; more_names?: readonly string[] },
  draft: PublishCheckInput,
): string[] => {
  const written = { text, name: () => name, about: {}, nb_labels: undefined, more_names }
  return insertionAndLinkErrors(draft, [{ ...written, is_plain }]).map(({ message }) => message)
}

const RESULT_TEXTS = [
  ['description', 'La description', false],
  ['button_url', 'L’adresse du bouton', true],
  ['redirect_url', 'L’adresse de redirection', true],
] as const

const insertionErrors = (
  { text, name, about, nb_labels, more_names = [] }: CheckedText,
  draft: PublishCheckInput,
  { label_ranks, at_end }: Names,
): PublishError[] => {
  const typed = insertionsIn(text)
  if (typed.length === 0) return []
  const unknown = new Map(typed.map((insertion) => [insertionKey(insertion), insertion]))
  return [...unknown].flatMap(([key, insertion]) => {
    const rank = label_ranks.get(key)
    const isKnown =
      nb_labels === undefined
        ? at_end.has(key) || more_names.some((name) => insertionKey(name) === key)
        : rank !== undefined && rank < nb_labels
    if (isKnown) return []
    const why =
      rank === undefined
        ? reasonOf(key, nb_labels, draft)
        : 'est la réponse à une question qui ne vient pas avant'
    return [{ ...about, message: `${name()} : {{${insertion.trim()}}} ${why}` }]
  })
}

const reasonOf = (
  key: string,
  nb_labels: CheckedText['nb_labels'],
  { quiz, quiz_mode }: PublishCheckInput,
): string => {
  if (key === PAGE_INSERTION)
    return 'n’existe que dans le texte de l’email, si la page du participant est activée'
  if (key !== SCORE_INSERTION && key !== RESULT_INSERTION && !isDimensionInsertion(key))
    return 'n’est le nom court d’aucune question'
  if (isSondage(quiz)) return 'n’existe pas dans un sondage'
  if (key !== RESULT_INSERTION && quiz_mode !== 'score')
    return 'n’existe que dans un quiz par score'
  return nb_labels === undefined
    ? 'ne correspond à aucune dimension'
    : 'n’est connu qu’à la page de résultat'
}

const linkErrors = ({ text, name, about }: CheckedText): PublishError[] =>
  refusedLinks(text).map((address) => ({
    ...about,
    message: `${name()} : le lien vers « ${excerpt(address, EXCERPT_CHARACTERS)} » n’est pas accepté (https, http, mailto ou tel)`,
  }))
