import { isLinkAddress } from '#domain/common/addresses.ts'
import { cutText, shortenText } from '#domain/common/text.ts'
import {
  LIMITS,
  MAX_WHOLE_NUMBER,
  type QuizMode,
  type QuizType,
  SCALE_MAXIMA,
} from '#domain/common/vocabulary.ts'
import {
  ANSWER_DEFAULTS,
  ENDING_DEFAULTS,
  QUESTION_DEFAULTS,
} from '#domain/questionnaire/defaults.ts'
import {
  type Answer,
  JUMP_TO_END,
  type Question,
  type Quiz,
  type Result,
  type TextBlock,
} from '#domain/questionnaire/quiz.ts'
import { NEW_QUIZ } from '#domain/text-format/build-draft.ts'
import { type ConvertedText, type ImportRemark, printImport } from './print-import.ts'

/** Jump after an answer. `target` is the key of a page; null means the end. */
type Jump = { answer: Answer; question: Question; target: string | null }

const tooManyMessage = (count: number, noun: string, limit: number): string =>
  `Le fichier a ${count.toLocaleString('fr-FR')} ${noun} : la reprise s’arrête à ${limit}.`

/** Returns a text in quotation marks, shortened to 60 characters, for remarks. */
export const quoteShort = (text: string): string => `« ${shortenText(text, 60)} »`

/** Builder of an imported questionnaire. Callers pass texts without HTML; the builder applies all limits. */
export type ImportBuilder = ReturnType<typeof createImportBuilder>

/** Creates a builder without questions, texts and results. */
export const createImportBuilder = () => {
  const quiz: Quiz = { ...NEW_QUIZ, type: 'sondage' }
  const results: Result[] = []
  const questions: Question[] = []
  const text_blocks: TextBlock[] = []
  const jumps: Jump[] = []
  const pages = new Map<string, number>()
  const remarks: ImportRemark[] = []
  const full = new Set<Question>()
  const left = { questions: 0, pages: 0, text_blocks: 0, results: 0 }
  const mode: { value: QuizMode } = { value: null }
  let page_number = 0
  let isPageEmpty = false
  let id = 0

  const note = (message: string, question: Question | null = null): void => {
    remarks.push({ question, message })
  }
  /** Cuts a text at its limit, with a remark. */
  const fit = (text: string, limit: number, question: Question | null = null): string => {
    if (text.length <= limit) return text
    note(
      `${quoteShort(text)} est raccourci à ${limit.toLocaleString('fr-FR')} caractères.`,
      question,
    )
    return cutText(text, limit)
  }
  const fitOrNull = (text: string, limit: number, question: Question | null = null) =>
    text === '' ? null : fit(text, limit, question)

  /** Begins a page. An empty current page is used again instead. */
  const beginPage = (key?: string): void => {
    if (!isPageEmpty && page_number === LIMITS.pages) left.pages++
    else if (!isPageEmpty) page_number++
    isPageEmpty = true
    if (key !== undefined) pages.set(key, page_number)
  }
  const place = () => {
    if (page_number === 0) beginPage()
    isPageEmpty = false
    return { page_number, global_position: questions.length + text_blocks.length }
  }
  const addText = (content: string): void => {
    if (content === '') return
    if (text_blocks.length === LIMITS.text_blocks) left.text_blocks++
    else {
      const row = { id: `b${++id}`, quiz_id: '', content: fit(content, LIMITS.text_block) }
      text_blocks.push({ ...row, ...place() })
    }
  }
  /** Adds a question and returns it; undefined if the questionnaire is full. */
  const addQuestion = ({ text, ...more }: Partial<Question>): Question | undefined => {
    if (questions.length === LIMITS.questions) {
      left.questions++
      return undefined
    }
    const question: Question = {
      id: `q${++id}`,
      quiz_id: '',
      text: '',
      type: 'multiple_choice',
      ...QUESTION_DEFAULTS,
      ...more,
      position: questions.length,
      ...place(),
      answers: [],
    }
    questions.push(question)
    question.text = fit(text ?? '', LIMITS.question_text, question)
    question.help = fitOrNull(more.help ?? '', LIMITS.help, question)
    question.label = fitOrNull(more.label ?? '', LIMITS.question_label, question)
    question.explanation = fitOrNull(more.explanation ?? '', LIMITS.explanation, question)
    question.grid_title = fitOrNull(more.grid_title ?? '', LIMITS.grid_title, question)
    question.scale_min_label = fitOrNull(more.scale_min_label ?? '', LIMITS.scale_label, question)
    question.scale_max_label = fitOrNull(more.scale_max_label ?? '', LIMITS.scale_label, question)
    if (question.text === '') note('Cette question n’a pas de texte : à écrire.', question)
    return question
  }
  /** Adds an answer and returns it; undefined if the question is full. */
  const addAnswer = (question: Question, text: string, more: Partial<Answer> = {}) => {
    const { length: position } = question.answers
    if (position === LIMITS.answers_per_question) {
      if (!full.has(question))
        note(`Seules les ${position} premières réponses sont reprises.`, question)
      full.add(question)
      return undefined
    }
    const answer: Answer = {
      id: `a${++id}`,
      question_id: question.id,
      score: null,
      position,
      associations: [],
      ...ANSWER_DEFAULTS,
      ...more,
      text: fit(text, LIMITS.answer_text, question),
    }
    question.answers.push(answer)
    return answer
  }
  /** Makes a question a scale. Uses the next wider scale, with a remark, if the product has no scale of this range. */
  const fitScale = (question: Question, from: number, to: number): void => {
    question.type = 'scale'
    question.scale_min = from === 0 ? 0 : 1
    question.scale_max = SCALE_MAXIMA.find((max) => max >= to) ?? 10
    if (from === question.scale_min && to === question.scale_max) return
    const { scale_min, scale_max } = question
    note(
      `L’échelle de ${from} à ${to} devient une échelle de ${scale_min} à ${scale_max}.`,
      question,
    )
  }
  const setScaleLabels = (question: Question, low: string, high: string): void => {
    question.scale_min_label = fitOrNull(low, LIMITS.scale_label, question)
    question.scale_max_label = fitOrNull(high, LIMITS.scale_label, question)
  }
  /** Makes an answer lead to the page with the key `target`; null means the end. */
  const addJump = (question: Question, answer: Answer, target: string | null): void => {
    jumps.push({ question, answer, target })
  }
  const addScore = (answer: Answer, points: number): void => {
    const score = (answer.score ?? 0) + points
    answer.score = Math.max(-MAX_WHOLE_NUMBER, Math.min(MAX_WHOLE_NUMBER, score))
  }
  const addLink = (answer: Answer, result: Result, weight: number): void => {
    const { id: result_id } = result
    const isLinked = answer.associations.some((link) => link.result_id === result_id)
    if (isLinked || weight < 1 || weight > MAX_WHOLE_NUMBER) return
    const link = { id: `${answer.id} ${result_id}`, answer_id: answer.id, result_id }
    answer.associations.push({ ...link, weight, is_checked: true })
  }
  const addResult = (name: string, description: string): Result | undefined => {
    if (results.length === LIMITS.results) {
      left.results++
      return undefined
    }
    const result: Result = {
      id: `r${++id}`,
      quiz_id: '',
      priority_order: results.length,
      updated_at: '',
      name: fit(name, LIMITS.result_name) || `Résultat ${results.length + 1}`,
      description: fitOrNull(description, LIMITS.description),
      min_score: null,
      max_score: null,
      ...ENDING_DEFAULTS,
    }
    results.push(result)
    return result
  }
  /** Returns the text and the address of a button. Returns undefined and adds a remark for an address that is not https. */
  const buttonOf = (text: string, address: string) => {
    if (address === '') return undefined
    const isUsable = isLinkAddress(address) && address.length <= LIMITS.address
    if (isUsable) return { text: fit(text || 'Continuer', LIMITS.button_text), url: address }
    note(`L’adresse ${quoteShort(address)} n’est pas reprise : une adresse commence par https://`)
    return undefined
  }
  const setName = (name: string, otherwise: string): void => {
    quiz.name = fit(name || otherwise, LIMITS.quiz_name)
  }
  const setWelcome = (title: string, text: string, button: string): void => {
    quiz.welcome_title = fitOrNull(title, LIMITS.title)
    quiz.welcome_text = fitOrNull(text, LIMITS.description)
    quiz.welcome_button = fitOrNull(button, LIMITS.button_text)
  }
  const setEnd = (title: string, text: string, button?: { text: string; url: string }): void => {
    quiz.end_title = fitOrNull(title, LIMITS.title)
    quiz.end_text = fitOrNull(text, LIMITS.description)
    quiz.end_button_text = button?.text ?? null
    quiz.end_button_url = button?.url ?? null
  }
  const setKind = (type: QuizType, quiz_mode: QuizMode = null): void => {
    quiz.type = type
    mode.value = quiz_mode
  }

  /** Replaces parts of all texts that visitors see. Must be called after all rows are added. */
  const replaceTexts = (part: (text: string, question: Question | null) => string): void => {
    const replace = (text: string, question: Question | null): string =>
      part(text, question)
        .replaceAll(/[^\S\n]{2,}/g, ' ')
        .trim()
    for (const block of text_blocks) block.content = replace(block.content, null)
    for (const question of questions) {
      question.text = replace(question.text, question)
      question.help = question.help && replace(question.help, question)
    }
    for (const result of results)
      result.description = result.description && replace(result.description, null)
    for (const name of ['welcome_title', 'welcome_text', 'end_title', 'end_text'] as const)
      quiz[name] = quiz[name] && replace(quiz[name], null)
  }
  /** Stores the page of each jump. Only the first jump of an answer counts. */
  const resolveJumps = (): void => {
    for (const { question, answer, target } of jumps) {
      const to = target === null ? JUMP_TO_END : pages.get(target)
      if (answer.jump_to !== null || to === question.page_number + 1) continue
      if (to === undefined)
        note(
          `Le saut après la réponse ${quoteShort(answer.text)} mène à un élément non repris.`,
          question,
        )
      else if (to === JUMP_TO_END || to > question.page_number) answer.jump_to = to
      else
        note(
          `Le retour en arrière après la réponse ${quoteShort(answer.text)} n’est pas repris : un saut va toujours vers la suite.`,
          question,
        )
    }
  }
  const noteOmittedRows = (): void => {
    const kinds = [
      ['questions', 'questions'],
      ['pages', 'pages'],
      ['text_blocks', 'blocs de texte'],
      ['results', 'résultats'],
    ] as const
    for (const [kind, noun] of kinds)
      if (left[kind] > 0) note(tooManyMessage(LIMITS[kind] + left[kind], noun, LIMITS[kind]))
  }
  /** Returns the questionnaire as a text, with the line of each remark. */
  const finish = (): ConvertedText => {
    resolveJumps()
    noteOmittedRows()
    const draft = { quiz, quiz_mode: mode.value, results, questions, text_blocks }
    return printImport({ ...draft, dimensions: [], text_variants: [] }, remarks)
  }
  return {
    questions,
    results,
    note,
    beginPage,
    addText,
    addQuestion,
    addAnswer,
    fitScale,
    addJump,
    addScore,
    addLink,
    addResult,
    buttonOf,
    setName,
    setWelcome,
    setEnd,
    setKind,
    replaceTexts,
    finish,
    fitOrNull,
    setScaleLabels,
  }
}
