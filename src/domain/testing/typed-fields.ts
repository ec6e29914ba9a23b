import type { Draft } from '#domain/questionnaire/quiz.ts'

/** Returns each value that an editor types, by its path. Missing values are omitted. */
export const fieldsOf = (draft: Draft): Map<string, unknown> =>
  new Map<string, unknown>([
    ['quiz/name', draft.quiz.name],
    ['quiz/bg_color', draft.quiz.bg_color],
    ['quiz/welcome_text', draft.quiz.welcome_text],
    ['quiz/font', draft.quiz.font],
    ['quiz/tie_rule', draft.quiz.tie_rule],
    ...draft.results.flatMap(({ id, name, min_score, button_text, image_id }) => [
      [`result/${id}/button_text`, button_text] as const,
      [`result/${id}/image_id`, image_id] as const,
      [`result/${id}/name`, name] as const,
      [`result/${id}/min_score`, min_score] as const,
    ]),
    ...draft.dimensions.map(({ id, name }) => [`dimension/${id}/name`, name] as const),
    ...draft.text_variants.map(({ id, text }) => [`text_variant/${id}/text`, text] as const),
    ...draft.text_blocks.map(({ id, content }) => [`text_block/${id}/content`, content] as const),
    ...draft.questions.flatMap(({ id, text, label, image_id, max_choices, answers, ...more }) => [
      [`question/${id}/dimension_id`, more.dimension_id] as const,
      [`question/${id}/max_choices`, max_choices] as const,
      [`question/${id}/label`, label] as const,
      [`question/${id}/image_id`, image_id] as const,
      [`question/${id}/text`, text] as const,
      ...answers.flatMap((answer) => [
        [`answer/${answer.id}/text`, answer.text] as const,
        [`answer/${answer.id}/image_id`, answer.image_id] as const,
        [`answer/${answer.id}/score`, answer.score] as const,
      ]),
    ]),
  ])
