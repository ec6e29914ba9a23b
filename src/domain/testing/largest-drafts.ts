import { LIMITS, QUESTION_TYPES } from '#domain/common/vocabulary.ts'
import {
  MAX_QUESTIONNAIRE_SIZE,
  questionnaireSize,
} from '#domain/questionnaire/questionnaire-size.ts'
import { type Draft, isChoice, type Question } from '#domain/questionnaire/quiz.ts'
import {
  answerOf,
  draftOf,
  IMAGE_IDS,
  questionOf,
  quizOf,
  resultOf,
  textBlockOf,
} from './drafts.ts'

/** Drafts of the maximum size, each with one dominant part, for measurements and tests of limits. */

/** Returns a UUID of version 4 for this kind and rank, because pages contain ids of this length. */
const idOf = (kind: string, rank: number): string =>
  `${kind.charCodeAt(0).toString(16).padStart(8, '0')}-0000-4000-8000-${String(rank).padStart(12, '0')}`

const list = <Row>(count: number, make: (rank: number) => Row): Row[] =>
  Array.from({ length: count }, (_, rank) => make(rank))

const resultsOf = (count: number, description: string | null = null) =>
  list(count, (rank) =>
    resultOf(idOf('r', rank), {
      name: `Résultat ${rank}`,
      description,
      priority_order: rank,
      min_score: rank * 10,
      max_score: rank * 10 + 9,
    }),
  )

/** Puts all questions on one page, which makes that page as large as possible. */
const placed = (questions: readonly Question[], first = 0): Question[] =>
  questions.map((question, rank) => ({
    ...question,
    position: first + rank,
    global_position: first + rank,
    answers: isChoice(question) ? question.answers : [],
  }))

const opening = (more: Partial<Question> = {}): Question =>
  questionOf(idOf('o', 0), {
    text: 'Quel rythme ?',
    label: 'p',
    has_other: true,
    answers: list(2, (rank) => answerOf(idOf('p', rank), { score: rank })),
    ...more,
  })

/**
 * Returns a function that makes drafts of text blocks with one text, after a question whose reply the text can
 * insert.
 */
const ofBlocks =
  (text: string) =>
  (count: number): Draft =>
    draftOf({
      quiz: quizOf({ id: idOf('z', 0) }),
      quiz_mode: 'score',
      results: resultsOf(2),
      questions: placed([opening()]),
      text_blocks: list(count, (rank) =>
        textBlockOf(idOf('b', rank), { content: text, global_position: rank + 1 }),
      ),
    })

/** Returns a function that makes drafts of `count` answers, each associated with `links` results. */
const ofAnswers =
  (text: string, { links = 0, per_question = LIMITS.answers_per_question as number } = {}) =>
  (count: number): Draft => {
    const results = resultsOf(Math.max(2, links))
    const counts_for = Object.fromEntries(results.slice(0, links).map(({ id }) => [id, 1]))
    const nb_questions = Math.min(LIMITS.questions, Math.ceil(count / per_question))
    const questions = list(nb_questions, (index) =>
      questionOf(idOf('q', index), {
        text: `Question ${index} ?`,
        answers: list(Math.min(per_question, count - index * per_question), (rank) => {
          const id = idOf('a', index * per_question + rank)
          const score = links > 0 ? null : rank
          return answerOf(id, { text, score, counts_for })
        }),
      }),
    )
    return draftOf({
      quiz: quizOf({ id: idOf('z', 0) }),
      quiz_mode: links > 0 ? 'profils' : 'score',
      results,
      questions: placed(questions),
    })
  }

const ofQuestions = (count: number): Draft =>
  draftOf({
    quiz: quizOf({ id: idOf('z', 0), type: 'sondage' }),
    questions: placed([
      opening(),
      ...list(count - 1, (rank) =>
        questionOf(idOf('q', rank), {
          type: QUESTION_TYPES[rank % QUESTION_TYPES.length] ?? 'text',
          text: `Question ${rank} : ${'mot '.repeat(150)}?`,
          help: 'aide '.repeat(20),
          answers: list(4, (place) => answerOf(idOf('a', rank * 4 + place), { text: 'Réponse' })),
        }),
      ),
    ]),
  })

const ofPictures = (count: number): Draft => {
  const draft = ofAnswers('Réponse')(count)
  const picture = { image_id: IMAGE_IDS[0], image_alt: 'Une tasse' }
  return {
    ...draft,
    questions: draft.questions.map((question) => ({
      ...question,
      answers: question.answers.map((answer) => ({ ...answer, ...picture })),
    })),
  }
}

/** Makes a draft with questions on all pages, whose answers jump to different later pages. */
const ofJumps = (count: number): Draft => {
  const draft = ofAnswers('Une réponse', { per_question: 10 })(count)
  const { pages } = LIMITS
  return {
    ...draft,
    questions: draft.questions.map((question, index) => {
      const page_number = 1 + Math.floor((index * pages) / draft.questions.length)
      const answers = question.answers.map((answer, rank) => {
        const jump_to = page_number + 1 + rank
        return { ...answer, jump_to: jump_to > pages ? 0 : jump_to }
      })
      return { ...question, page_number, answers }
    }),
  }
}

/** Makes a draft whose questions take half of the size; the blocks after them insert their replies. */
const ofLabels = (count: number): Draft => {
  const questions = placed(
    list(count, (rank) =>
      questionOf(idOf('q', rank), {
        type: 'text',
        text: `Question ${rank} ?`,
        label: `nom ${rank}`,
      }),
    ),
  )
  const inserting = list(count, (rank) => `{{nom ${rank}}} {{nom ${(rank * 7) % count}}}`)
  return draftOf({
    quiz: quizOf({ id: idOf('z', 0), type: 'sondage' }),
    questions,
    text_blocks: inserting.map((content, rank) =>
      textBlockOf(idOf('b', rank), { content, global_position: count + rank }),
    ),
  })
}

const repeated = (text: string, length: number = LIMITS.text_block): string =>
  text.repeat(Math.floor(length / text.length))

const SHAPES: Record<string, (count: number) => Draft> = {
  'most questions': ofQuestions,
  'most answers': ofAnswers('Une réponse'),
  'most answers, ten to a question': ofAnswers('Une réponse', { per_question: 10 }),
  'longest answers': ofAnswers('mot '.repeat(125)),
  'most links': ofAnswers('Une réponse', { links: 100 }),
  'most pictures': ofPictures,
  'most jumps': ofJumps,
  'most names and insertions': ofLabels,
  'longest texts': ofBlocks(repeated('mot ')),
  'most escaped signs': ofBlocks(repeated(`"'<&`)),
  'most letters of three bytes': ofBlocks(repeated('漢')),
  'most list items': ofBlocks('- a\n'.repeat(498)),
  'most nested lists': ofBlocks('- - - - - - a\n'.repeat(80)),
  'most bold words': ofBlocks('**a** '.repeat(120)),
  'most links in texts': ofBlocks('[a](http://a.fr) '.repeat(240)),
  'most addresses in texts': ofBlocks(repeated('www.a.fr ')),
  'most insertions': ofBlocks('{{p}} '.repeat(50)),
  'most formatted results': (count) =>
    draftOf({
      quiz: quizOf({ id: idOf('z', 0) }),
      quiz_mode: 'score',
      questions: placed([opening()]),
      results: resultsOf(count, '- {{p}} **a** [a](http://a.fr)\n'.repeat(40)),
    }),
}

/** Returns the largest allowed draft of each shape. */
export const largestDrafts = (): { shape: string; draft: Draft }[] =>
  Object.entries(SHAPES).map(([shape, make]) => {
    let [fits, exceeds] = [2, 4]
    while (isAllowed(make(exceeds))) [fits, exceeds] = [exceeds, 2 * exceeds]
    while (exceeds - fits > 1) {
      const middle = Math.floor((fits + exceeds) / 2)
      if (isAllowed(make(middle))) fits = middle
      else exceeds = middle
    }
    return { shape, draft: make(fits) }
  })

const isAllowed = (draft: Draft): boolean =>
  draft.questions.length <= LIMITS.questions &&
  draft.text_blocks.length <= LIMITS.text_blocks &&
  draft.results.length <= LIMITS.results &&
  questionnaireSize(draft) <= MAX_QUESTIONNAIRE_SIZE
