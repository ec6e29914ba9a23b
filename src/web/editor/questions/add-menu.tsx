import {
  AlignLeft,
  FilePlus2,
  Hash,
  ListChecks,
  Mail,
  Phone,
  Plus,
  TextCursorInput,
  Type,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { QUESTION_TYPES, type QuestionType } from '#domain/vocabulary.ts'
import { ADD_ITEM_ID } from '#web/editor/publish-targets.ts'
import { Menu } from '#web/ui/menu.tsx'
import { QUESTION_TYPE_NAMES } from './question-words.ts'

const ICONS: Record<QuestionType, ReactNode> = {
  multiple_choice: <ListChecks aria-hidden="true" />,
  text: <TextCursorInput aria-hidden="true" />,
  textarea: <AlignLeft aria-hidden="true" />,
  email: <Mail aria-hidden="true" />,
  phone: <Phone aria-hidden="true" />,
  number: <Hash aria-hidden="true" />,
}

/** Which kinds of items have reached their limit. */
export type Full = { questions: boolean; text_blocks: boolean; pages: boolean }

/** The floating plus button and its menu (spec §2 « Questions screen »). */
export const AddMenu = ({
  full,
  onQuestion,
  onTextBlock,
  onPage,
}: {
  full: Full
  onQuestion: (type: QuestionType) => void
  onTextBlock: () => void
  onPage: () => void
}) => (
  <Menu
    label="Ajouter un élément"
    openerId={ADD_ITEM_ID}
    icon={<Plus aria-hidden="true" />}
    className="floating-menu"
    groups={[
      {
        label: 'Questions',
        items: QUESTION_TYPES.map((type) => ({
          label: QUESTION_TYPE_NAMES[type],
          icon: ICONS[type],
          disabled: full.questions,
          onSelect: () => onQuestion(type),
        })),
      },
      {
        label: 'Contenu',
        items: [
          {
            label: 'Bloc de texte',
            icon: <Type aria-hidden="true" />,
            disabled: full.text_blocks,
            onSelect: onTextBlock,
          },
          {
            label: 'Nouvelle page',
            icon: <FilePlus2 aria-hidden="true" />,
            disabled: full.pages,
            onSelect: onPage,
          },
        ],
      },
    ]}
  />
)
