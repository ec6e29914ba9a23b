import fc from 'fast-check'
import {
  CORRECTION_MOMENTS,
  type CorrectionMoment,
  DIMENSION_CHARTS,
  FONTS,
  type QuizType,
} from '#domain/common/vocabulary.ts'
import type { SnapshotDimension } from '#domain/questionnaire/dimensions.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import type { SnapshotTextVariant } from '#domain/questionnaire/text-variants.ts'
import { versionsWithReplies } from './versions-with-replies.ts'

/** Random finished runs of quizzes that give a report, with every kind of text that an end page shows. */

/** Returns a random whole number from 0 to `count` - 1. */
type Draw = (count: number) => number

/** Texts of creators with every format and insertion. The first entry is null, for a missing text. */
const TEXTS = [
  null,
  'Vous avez **beaucoup** d’énergie, *{{Prénom}}* !',
  'Premier paragraphe : « {{résultat}} » ?\n\nSecond paragraphe ; fin.',
  'À faire :\n\n- dormir *tôt*\n- bouger\n  - marcher\n  - nager\n- lire [le guide](https://exemple.fr/guide?de={{Prénom}})',
  'Vous avez {{score}} points. Point fort : {{point fort}} ; point faible : {{point faible}}.',
  'Écrivez à aide@exemple.fr, ou voyez www.exemple.fr.\nÀ bientôt… ☀ Ελλάδα – Łódź',
  'En {{dimension Rythme 0}} comme en **{{dimension Santé 1}}**, {{inconnu}} 2 * 3 * 4.',
]
const BUTTON = { text: 'Prendre rendez-vous', url: 'https://exemple.fr/{{Prénom}}' }

const textOf = (draw: Draw): string | null => TEXTS[draw(TEXTS.length)] ?? null
const buttonOf = (draw: Draw): { button_text?: string; button_url?: string } =>
  draw(3) === 0 ? { button_text: BUTTON.text, button_url: BUTTON.url } : {}

const describeResult = (result: SnapshotResult, rank: number, draw: Draw): SnapshotResult => ({
  ...result,
  name: `Résultat « ${rank} » ?`,
  description: textOf(draw),
  ...buttonOf(draw),
})

const dimensionsOf = (draw: Draw): SnapshotDimension[] =>
  Array.from({ length: draw(6) }, (_, rank) => ({
    id: `d${rank}`,
    name: `${rank % 2 ? 'Santé' : 'Rythme'} ${rank}`,
    description: textOf(draw),
    // A run below 20 % has no tier.
    tiers: [
      { id: `d${rank}t0`, title: 'À revoir', from_percent: 20, to_percent: 60, text: textOf(draw) },
      { id: `d${rank}t1`, title: 'Acquis : oui', from_percent: 61, to_percent: 100, text: null },
    ],
  }))

/** Returns the question with words, right answers, a dimension and sometimes a title of a grid. */
const describeQuestion = (
  question: SnapshotQuestion,
  { rank, nb_dimensions, draw }: { rank: number; nb_dimensions: number; draw: Draw },
): SnapshotQuestion => {
  const isCorrected = question.type === 'multiple_choice' && draw(3) > 0
  const explanation = isCorrected ? textOf(draw) : null
  return {
    ...question,
    text: `Question ${rank} : ${draw(2) ? 'et vous, {{Prénom}} ?' : 'laquelle ?'}`,
    ...(rank === 0 && { label: 'Prénom' }),
    ...(explanation && { explanation }),
    ...(nb_dimensions > 0 && { dimension_id: `d${draw(nb_dimensions)}` }),
    ...(draw(5) === 0 && { grid_title: `Grille ${rank}` }),
    answers: question.answers.map((answer, place) => ({
      ...answer,
      text: `Réponse ${place} de ${rank}.`,
      ...(isCorrected && (place === 0 || draw(2) === 0) && { is_correct: true }),
    })),
  }
}

const conditionalTextsOf = (
  { questions, results }: Pick<Snapshot, 'questions' | 'results'>,
  type: QuizType,
  draw: Draw,
): SnapshotTextVariant[] =>
  Array.from({ length: draw(5) }, (_, rank) => {
    const question = questions[draw(questions.length)]
    const answer = question?.answers[draw(question.answers.length)]
    const isOfResult = type !== 'sondage' && draw(3) === 0
    const condition = answer
      ? { question_id: question?.id ?? '', answer_id: answer.id }
      : { question_id: '', answer_id: '' }
    return {
      id: `v${rank}`,
      text: textOf(draw) ?? `Texte ${rank}`,
      joined_by: 'and' as const,
      ...(type === 'sondage'
        ? { place: 'end' as const }
        : { place: isOfResult ? ('result' as const) : ('every_result' as const) }),
      result_id: isOfResult ? (results[draw(results.length)]?.id ?? null) : null,
      conditions: [
        {
          kind: draw(2) ? ('answer_chosen' as const) : ('answer_not_chosen' as const),
          ...condition,
        },
      ],
      button_text: null,
      button_url: null,
      ...buttonOf(draw),
    }
  })

/** Returns when a version shows corrections. Versions omit 'never', because it is the default. */
const momentOf = (draw: Draw): { shows_corrections?: CorrectionMoment } => {
  const moment = CORRECTION_MOMENTS[draw(CORRECTION_MOMENTS.length)]
  return moment === 'never' ? {} : { shows_corrections: moment }
}

/** Random versions that give a report, each with the replies of a finished run. */
export const reportedRuns: fc.Arbitrary<{ snapshot: Snapshot; replies: Replies }> = fc
  .tuple(versionsWithReplies(), fc.infiniteStream(fc.nat(2 ** 30)))
  .map(([{ snapshot, replies }, stream]) => {
    const draw: Draw = (count) => (stream.next().value ?? 0) % Math.max(1, count)
    const { quiz, quiz_mode } = snapshot
    const dimensions = quiz_mode === 'score' && quiz.type !== 'sondage' ? dimensionsOf(draw) : []
    const questions = snapshot.questions.map((question, rank) =>
      describeQuestion(question, { rank, nb_dimensions: dimensions.length, draw }),
    )
    const results = snapshot.results.map((result, rank) => describeResult(result, rank, draw))
    const text_variants = conditionalTextsOf({ questions, results }, quiz.type, draw)
    const end_text = textOf(draw)
    const { button_text, button_url } = buttonOf(draw)
    return {
      replies,
      snapshot: {
        ...snapshot,
        quiz: {
          ...quiz,
          name: 'Bilan : « santé » & rythme',
          report: draw(3) ? ('replies' as const) : ('result' as const),
          font: FONTS[draw(FONTS.length)],
          ...(draw(2) === 0 && { address_form: 'tu' as const }),
          ...(quiz.type !== 'sondage' && momentOf(draw)),
          dimension_chart: DIMENSION_CHARTS[draw(DIMENSION_CHARTS.length)],
          ...(draw(2) === 0 && { end_title: 'Voilà !' }),
          ...(end_text && { end_text }),
          ...(button_text && { end_button_text: button_text, end_button_url: button_url }),
        },
        questions,
        results,
        ...(dimensions.length > 0 && { dimensions }),
        ...(text_variants.length > 0 && { text_variants }),
      },
    }
  })
