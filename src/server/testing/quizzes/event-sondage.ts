import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'

/** Replies of a visitor to the sondage. Empty texts are blank replies. */
export type EventReply = {
  /** True if the visitor attends. Others skip page 2. */
  comes: boolean
  /** Indexes in THEMES. */
  themes: number[]
  other: string
  /** Value of the scale, 0 to 10. Blank if negative. */
  note: number
  day: string
  word: string
}

/**
 * Publishes a sondage twice. Version 1 has two questions: attendance and a text. Version 2 adds themes, a scale and a
 * date, and « Non » skips page 2.
 */
export const publishEventSondage = async (client: Client) => {
  const { quiz } = await client.quizzes.create({ body: { name: 'La rencontre', type: 'sondage' } })
  const { id } = quiz
  const uuids = () => Array.from({ length: 5 }, () => randomUUID())
  const [comes = '', themes = '', note = '', day = '', word = ''] = uuids()
  const [yes = '', no = '', ...theme_ids] = uuids()
  const first = {
    id: comes,
    text: 'Viendrez-vous ?',
    type: 'multiple_choice' as const,
    page_number: 1,
    answers: [
      { id: yes, text: 'Oui' },
      { id: no, text: 'Non' },
    ],
  }
  const last = { id: word, text: 'Un mot ?', type: 'text' as const, page_number: 3 }
  await client.questions.saveDraft({ id, body: { questions: [first, last] } })
  await client.quizzes.publish({ id })
  const leading = first.answers.map((answer) =>
    answer.id === no ? { ...answer, jump_to: 3 } : answer,
  )
  const optional = { is_required: false }
  const questions = [
    { ...first, answers: leading },
    {
      id: themes,
      text: 'Quels thèmes ?',
      type: 'multiple_choice' as const,
      page_number: 2,
      ...optional,
      label: 'Thèmes',
      max_choices: null,
      has_other: true,
      answers: theme_ids.map((id, rank) => ({ id, text: THEMES[rank] ?? '' })),
    },
    {
      id: note,
      text: 'Quelle note ?',
      type: 'scale' as const,
      page_number: 2,
      ...optional,
      scale_min: 0 as const,
      scale_max: 10 as const,
    },
    { id: day, text: 'Quel jour ?', type: 'date' as const, page_number: 3, ...optional },
    last,
  ]
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.publish({ id })
  const answersOf = (given: EventReply): Replies => {
    const chosen: string[] = given.themes.map((rank) => theme_ids[rank] ?? '')
    if (given.other !== '') chosen.push(`other:${given.other}`)
    return {
      [comes]: given.comes ? yes : no,
      ...(chosen.length > 0 && { [themes]: chosen }),
      ...(given.note >= 0 && { [note]: `${given.note}` }),
      ...(given.day !== '' && { [day]: given.day }),
      [word]: given.word,
    }
  }
  const submit = (given: EventReply, by: Client = client) =>
    by.publicQuiz.submit({ id, body: { answers: answersOf(given), version: 2 } })
  const submitBefore = (given: EventReply, by: Client = client) => {
    const answers = { [comes]: given.comes ? yes : no, [word]: given.word }
    return by.publicQuiz.submit({ id, body: { answers, version: 1 } })
  }
  return { id, comes, themes, note, day, word, yes, no, theme_ids, submit, submitBefore }
}

export const THEMES = ['Vente', 'Gestion, compta', 'Site']
