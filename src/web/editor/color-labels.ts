import type { QuizColors } from '#domain/quiz.ts'

/** The five colours as the settings screen names them (spec §2). */
export const COLOR_LABELS: Record<keyof QuizColors, string> = {
  bg_color: 'Fond',
  text_color: 'Texte',
  button_color: 'Bouton',
  button_text_color: 'Texte du bouton',
  accent_color: 'Accent',
}
