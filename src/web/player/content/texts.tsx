/** @jsxImportSource #web/player */
import { type LineProps, parts, type TextProps } from '#web/player/parts.ts'

/** Renders a text of the creator. Only the part `texts` has marks, links and insertions. */
export const CreatorText = (props: TextProps) =>
  parts.RichTextElement?.(props) ?? (
    <p id={props.id} className={props.className ?? 'q-text'} dir="auto">
      {`${props.text}`}
    </p>
  )

/** Renders a line of text of the creator. */
export const CreatorLine = (props: LineProps) => parts.FilledLine?.(props) ?? props.text
