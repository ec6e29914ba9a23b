import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'

/** Ids of a published sondage with a question of each type on two pages. */
export type PrefilledSondage = {
  id: string
  questions: Record<'first' | 'mail' | 'one' | 'note' | 'many' | 'day' | 'story', string>
  /** Answers of `one` and `many` in their order. */
  answers: { one: string[]; many: string[] }
}

/** Publishes a sondage whose replies a link can fill in. The answer « Non » of the first page jumps to the end. */
export const publishPrefilledSondage = async (client: Client): Promise<PrefilledSondage> => {
  const created = { name: 'Après la formation', type: 'sondage' as const }
  const { id } = (await client.quizzes.create({ body: created })).quiz
  const of = (count: number) => Array.from({ length: count }, () => randomUUID())
  const [first = '', mail = '', one = '', note = '', many = '', day = '', story = ''] = of(7)
  const answers = { one: of(2), many: of(3) }
  await client.questions.saveDraft({
    id,
    body: {
      questions: [
        {
          id: first,
          type: 'text',
          text: 'Votre prénom ?',
          label: 'prénom',
          contact_role: 'first_name',
        },
        { id: mail, type: 'email', text: 'Votre email ?' },
        {
          id: one,
          type: 'multiple_choice',
          text: 'Continuer ?',
          answers: ['Oui', 'Non'].map((text, rank) => ({
            id: answers.one[rank],
            text,
            ...(rank === 1 && { jump_to: 0 }),
          })),
        },
        {
          id: note,
          type: 'scale',
          text: 'Quelle note ?',
          label: 'note',
          scale_min: 0,
          scale_max: 10,
          page_number: 2,
        },
        {
          id: many,
          type: 'multiple_choice',
          text: 'Quels sujets ?',
          max_choices: null,
          has_other: true,
          page_number: 2,
          answers: ['Vente', 'Prix', 'Outils'].map((text, rank) => ({
            id: answers.many[rank],
            text,
          })),
        },
        { id: day, type: 'date', text: 'Quel jour ?', page_number: 2 },
        { id: story, type: 'textarea', text: 'Un mot, {{prénom}} ?', page_number: 2 },
      ],
    },
  })
  await client.quizzes.publish({ id })
  return { id, questions: { first, mail, one, note, many, day, story }, answers }
}

/** Query that fills in every reply of the sondage. */
export const COMPLETE_QUERY =
  'prenom=Zo%C3%A9&email=zoe+test@exemple.fr&q.3=Oui&q.note=9&q.5=Vente|Autre%20:%20Le%20reste&q.6=31/12/2026&q.7=Un%0Amot'
