import type { QuizColors } from '#domain/questionnaire/quiz.ts'
import {
  contrastRatio,
  NON_TEXT_CONTRAST,
  PLAYER_PALETTE,
  resolveColors,
  TEXT_CONTRAST,
} from './colors.ts'

type ColorName = keyof QuizColors

/** Two colours of a page that are seen together. */
export type ColorPair = {
  /** Pair in French, such as « du texte sur le fond ». */
  label: string
  /** Colour that a correction changes. */
  color: ColorName
  against: ColorName
  /** Minimum contrast, from 1 to 21. */
  needed: number
  /** Field below which the editor shows the contrast. */
  field: ColorName
}

/** Pairs of colours whose contrast decides whether visitors can read a page. */
export const COLOR_PAIRS: readonly ColorPair[] = [
  {
    label: 'du texte sur le fond',
    color: 'text_color',
    against: 'bg_color',
    needed: TEXT_CONTRAST,
    field: 'text_color',
  },
  {
    label: 'du bouton et de son texte',
    color: 'button_color',
    against: 'button_text_color',
    needed: TEXT_CONTRAST,
    field: 'button_text_color',
  },
  {
    label: 'de l’accent sur le fond',
    color: 'accent_color',
    against: 'bg_color',
    needed: NON_TEXT_CONTRAST,
    field: 'accent_color',
  },
]

const ratioText = new Intl.NumberFormat('fr', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** Returns a contrast as a French text, such as « 2,2 : 1 ». Rounds down, so that 4,49 is not shown as sufficient. */
export const contrastText = (ratio: number): string =>
  `${ratioText.format(Math.floor(ratio * 10) / 10)} : 1`

/**
 * Returns the pairs that visitors can hardly read, with their contrast. `is_default` is true if the creator chose
 * neither colour, so that the defaults of the public page are shown.
 */
export const findLowContrasts = (
  colors: QuizColors,
): (ColorPair & { ratio: number; is_default: boolean })[] => {
  const seen = resolveColors(colors, PLAYER_PALETTE)
  return COLOR_PAIRS.flatMap((pair) => {
    const ratio = contrastRatio(seen[pair.color], seen[pair.against])
    if (ratio >= pair.needed) return []
    const is_default = colors[pair.color] === null && colors[pair.against] === null
    return [{ ...pair, ratio, is_default }]
  })
}
