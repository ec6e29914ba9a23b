import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'

/** Creates an answer with the given score, for tests. */
const answer = (id: string, score: number): SnapshotAnswer => ({
  id,
  text: `Réponse ${id}`,
  score,
  position: score,
  associations: [],
})

const question = (
  id: string,
  type: SnapshotQuestion['type'],
  page_number: number,
): SnapshotQuestion => ({
  id,
  text: `Question ${id}`,
  type,
  position: 0,
  global_position: page_number,
  page_number,
  answers: isChoice({ type }) ? [answer(`${id}-0`, 0), answer(`${id}-1`, 1)] : [],
})

/** Returns a snapshot with a choice, a text and an email, one on each page. A score of 1 gives the result « Haut ». */
export const sampleSnapshot = (changes: Partial<Snapshot> = {}): Snapshot => ({
  quiz: {
    name: 'Un quiz',
    type: 'quiz',
    status: 'Publié',
    bg_color: null,
    text_color: null,
    button_color: null,
    button_text_color: null,
    accent_color: null,
  },
  questions: [
    question('choix', 'multiple_choice', 1),
    question('texte', 'text', 2),
    question('email', 'email', 3),
  ],
  text_blocks: [],
  results: ['Bas', 'Haut'].map((name, rank) => ({
    id: name,
    name,
    description: null,
    priority_order: rank,
    min_score: rank,
    max_score: rank,
  })),
  quiz_mode: 'score',
  ...changes,
})
