import type { QuizColors, QuizPage } from '#domain/questionnaire/quiz.ts'

/** Colours, font and corners of a theme. A theme never changes images. */
export type ThemeLook = { [Name in keyof QuizColors]: string } & Pick<QuizPage, 'font' | 'corners'>
/** Named look that a creator can apply. */
export type Theme = { name: string; look: ThemeLook }

const theme = (
  name: string,
  [bg_color, text_color, button_color, button_text_color, accent_color]: [
    bg: string,
    text: string,
    button: string,
    button_text: string,
    accent: string,
  ],
  font: ThemeLook['font'],
  corners: ThemeLook['corners'],
): Theme => ({
  name,
  look: { bg_color, text_color, button_color, button_text_color, accent_color, font, corners },
})

/** Twelve themes in the order of the menu: calm, warm, fresh and dark. */
export const THEMES: readonly Theme[] = [
  theme('Clarté', ['#ffffff', '#37352f', '#0061bd', '#ffffff', '#0061bd'], 'system', 'soft'),
  theme(
    'Craie',
    ['#ffffff', '#111111', '#111111', '#ffffff', '#111111'],
    'space-grotesk',
    'square',
  ),
  theme(
    'Gazette',
    ['#fbfaf6', '#22201c', '#8a1c1c', '#ffffff', '#8a1c1c'],
    'source-serif-4',
    'square',
  ),
  theme('Terre cuite', ['#fdf3ea', '#4a2c1d', '#b3461b', '#ffffff', '#b3461b'], 'lora', 'round'),
  theme('Soleil', ['#fff9e5', '#3d2f00', '#ffc93c', '#3d2f00', '#9a6100'], 'poppins', 'soft'),
  theme('Rosée', ['#fff5f7', '#4c1526', '#c01048', '#ffffff', '#c01048'], 'nunito', 'round'),
  theme('Lavande', ['#f6f3ff', '#2e1f5e', '#6941c6', '#ffffff', '#6941c6'], 'poppins', 'round'),
  theme('Forêt', ['#f3f7f2', '#1e3a2b', '#2f6b4a', '#ffffff', '#2f6b4a'], 'work-sans', 'soft'),
  theme('Rivage', ['#eef8fb', '#0b3a4a', '#0b6b85', '#ffffff', '#0b6b85'], 'work-sans', 'round'),
  theme('Nuit', ['#101828', '#f2f4f7', '#84adff', '#101828', '#84adff'], 'inter', 'soft'),
  theme(
    'Velours',
    ['#2a0f1e', '#fbe9f1', '#f5a3c7', '#2a0f1e', '#f5a3c7'],
    'playfair-display',
    'square',
  ),
  theme(
    'Lagon noir',
    ['#0d1b1e', '#e6f1f2', '#4fd1c5', '#0d1b1e', '#4fd1c5'],
    'space-grotesk',
    'round',
  ),
]

/** Returns true if the quiz has this look. Colours are compared without case. */
export const hasLook = (
  quiz: QuizColors & Pick<QuizPage, 'font' | 'corners'>,
  look: ThemeLook,
): boolean =>
  Object.entries(look).every(
    ([name, value]) => quiz[name as keyof ThemeLook]?.toLowerCase() === value.toLowerCase(),
  )
