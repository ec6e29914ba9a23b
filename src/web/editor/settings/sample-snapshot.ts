import type { Snapshot, SnapshotAnswer } from '#domain/snapshot.ts'

const answer = (id: string, text: string, position: number): SnapshotAnswer => ({
  id,
  text,
  score: null,
  position,
  associations: [],
})

/** Adds a sample question for the preview of the colours while the quiz has none. */
export const withSampleQuestion = (snapshot: Snapshot): Snapshot => {
  if (snapshot.questions.length > 0 || snapshot.text_blocks.length > 0) return snapshot
  return {
    ...snapshot,
    questions: [
      {
        id: 'sample',
        text: 'Votre première question s’affichera ainsi',
        type: 'multiple_choice',
        position: 0,
        global_position: 0,
        page_number: 1,
        answers: [answer('a', 'Une réponse', 0), answer('b', 'Une autre réponse', 1)],
      },
    ],
  }
}
