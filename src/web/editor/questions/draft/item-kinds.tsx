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
import { QUESTION_TYPE_NAMES } from '#web/editor/fields/field-ids.ts'
import { Button } from '#web/ui/button.tsx'

/** What a page can be given: a question of one of the types, or a text block. */
export type ItemKind = QuestionType | 'text_block'

/** Which kinds of items have reached their limit. */
export type ReachedLimits = { questions: boolean; text_blocks: boolean; pages: boolean }

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

export type KindEntry = { kind: ItemKind; label: string; icon: ReactNode }

export const QUESTION_KINDS: readonly KindEntry[] = QUESTION_TYPES.map((kind) => ({
  kind,
  label: QUESTION_TYPE_NAMES[kind],
  icon: ICONS[kind],
}))

export const TEXT_BLOCK_KIND: KindEntry = {
  kind: 'text_block',
  label: 'Bloc de texte',
  icon: <Type aria-hidden="true" />,
}

/** Buttons of all that an empty page can be given. */
export const AddChips = ({
  page_number,
  canAddQuestions,
  canAddBlocks,
  onAdd,
}: {
  page_number: number
  canAddQuestions: boolean
  canAddBlocks: boolean
  onAdd: (kind: ItemKind, page_number: number) => void
}) => (
  <fieldset
    aria-label={`Ajouter à la page ${page_number}`}
    className="flex flex-wrap justify-center gap-2"
  >
    {[...QUESTION_KINDS, TEXT_BLOCK_KIND].map(({ kind, label, icon }) => (
      <Button
        key={kind}
        pill
        icon={icon}
        disabled={kind === 'text_block' ? !canAddBlocks : !canAddQuestions}
        onClick={() => onAdd(kind, page_number)}
      >
        {label}
      </Button>
    ))}
  </fieldset>
)
