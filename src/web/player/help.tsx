import type { Insertions } from '#domain/insertions.ts'
import type { RichText } from '#domain/rich-text.ts'
import { RichWords } from './rich-words.tsx'
import './asked.css'

/** What a question says below itself. */
export const Help = ({
  id,
  text,
  insertions,
}: {
  id: string
  text: RichText | null | undefined
  insertions: Insertions | null
}) => (text ? <RichWords id={id} className="q-text q-help" {...{ text, insertions }} /> : null)
