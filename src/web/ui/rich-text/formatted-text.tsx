import { useLayoutEffect, useRef } from 'react'
import type { RichText } from '#domain/run/rich-text.ts'
import { RichTextElement } from '#web/player/content/rich-text.tsx'
import { createRenderer } from '#web/player/jsx-runtime'

/** Shows a formatted text in a screen of the application, with the renderer of the public page. */
export const FormattedText = ({ text }: { text: RichText }) => {
  const element = useRef<HTMLDivElement>(null)
  const render = useRef<ReturnType<typeof createRenderer>>(undefined)
  useLayoutEffect(() => {
    if (!element.current) return
    render.current ??= createRenderer(element.current)
    render.current(RichTextElement({ text, className: 'q-text whitespace-pre-line' }))
  }, [text])
  return <div ref={element} />
}
