import type { CSSProperties, ReactNode } from 'react'
import {
  contrastRatio,
  PLAYER_PALETTE,
  readableTextColor,
  resolveColors,
  TEXT_CONTRAST,
} from '#domain/questionnaire/look/colors.ts'
import type { QuizColors } from '#domain/questionnaire/quiz.ts'
import { MINIATURE } from './card-styles.ts'

/** Renders a miniature of a quiz in its own colours; the children are its title. */
export const QuizMiniature = ({
  colors,
  children,
}: {
  colors: QuizColors
  children: ReactNode
}) => {
  const palette = resolveColors(colors, PLAYER_PALETTE)
  const { bg_color, text_color } = palette
  // The title must stay readable even if the quiz itself is not, because the creator finds the quiz by its title.
  const isReadable = contrastRatio(text_color, bg_color) >= TEXT_CONTRAST
  const title = isReadable ? text_color : readableTextColor(bg_color)
  return (
    <div className={MINIATURE} style={{ backgroundColor: bg_color, color: title }}>
      <Block className="absolute inset-x-0 top-0 h-1 w-2/5" color={palette.accent_color} />
      {children}
      <div aria-hidden="true" className="mt-auto flex items-end gap-4">
        <div className="flex grow flex-col gap-1.5">
          <Choice color={palette.accent_color} className="w-11/12" isChosen />
          <Choice color={text_color} className="w-3/4" />
        </div>
        <Block className="h-5.5 w-19 rounded-lg" color={palette.button_color} />
      </div>
    </div>
  )
}

const Block = ({ className, color }: { className: string; color: string }) => (
  <span
    aria-hidden="true"
    className={`${className} forced-color-adjust-none`}
    style={{ backgroundColor: color }}
  />
)

const Choice = ({
  color,
  className,
  isChosen = false,
}: {
  color: string
  className: string
  isChosen?: boolean
}) => {
  const faded = (share: number): string => `color-mix(in srgb, ${color} ${share}%, transparent)`
  const style: CSSProperties = isChosen
    ? { borderColor: color, backgroundColor: faded(14) }
    : { borderColor: faded(22) }
  return <span className={`${className} h-4.5 rounded-md border`} style={style} />
}
