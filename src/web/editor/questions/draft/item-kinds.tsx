import {
  AlignLeft,
  CalendarDays,
  Gauge,
  Hash,
  ListChecks,
  Mail,
  Phone,
  TextCursorInput,
  Type,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { QUESTION_TYPES, type QuestionType } from '#domain/common/vocabulary.ts'
import { QUESTION_TYPE_NAMES } from '#domain/questionnaire/question-type-names.ts'

/** Kinds of items on a page: a question of one of the types, or a text block. */
export type ItemKind = QuestionType | 'text_block'

/** Kinds of items that have reached their limit, and whether the preset « Coordonnées » would exceed one. */
export type ReachedLimits = {
  questions: boolean
  text_blocks: boolean
  pages: boolean
  contact: boolean
}

const ICONS: Record<QuestionType, ReactNode> = {
  multiple_choice: <ListChecks aria-hidden="true" />,
  text: <TextCursorInput aria-hidden="true" />,
  textarea: <AlignLeft aria-hidden="true" />,
  email: <Mail aria-hidden="true" />,
  phone: <Phone aria-hidden="true" />,
  number: <Hash aria-hidden="true" />,
  scale: <Gauge aria-hidden="true" />,
  date: <CalendarDays aria-hidden="true" />,
}

/** Kind of item with its label and icon. */
export type KindEntry = { kind: ItemKind; label: string; icon: ReactNode }

/** Question types in the order of the menu. */
export const QUESTION_KINDS: readonly KindEntry[] = QUESTION_TYPES.map((kind) => ({
  kind,
  label: QUESTION_TYPE_NAMES[kind],
  icon: ICONS[kind],
}))

/** Entry of the text block in the menu. */
export const TEXT_BLOCK_KIND: KindEntry = {
  kind: 'text_block',
  label: 'Bloc de texte',
  icon: <Type aria-hidden="true" />,
}
