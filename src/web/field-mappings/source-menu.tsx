import { Check } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { MappedType } from '#domain/deliveries/field-mappings.ts'
import { Button } from '#web/ui/button.tsx'
import { MenuList } from '#web/ui/overlay/menu.tsx'
import type { MenuGroup } from '#web/ui/overlay/menu-list.tsx'
import { type SourceChoice, sourceEntry } from './mapping-labels.ts'

/** Renders a button with a menu of the values that a field can receive. */
export const SourceMenu = ({
  openerId,
  text,
  label,
  icon,
  choices,
  field_type = null,
  onChoose,
}: {
  openerId?: string
  text: string
  /** Accessible name, which begins with the text. */
  label: string
  icon?: ReactNode
  choices: readonly SourceChoice[]
  /** Type of the field, if it exists. */
  field_type?: MappedType | null
  onChoose: (choice: SourceChoice) => void
}) => {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const groupOf = (title: string, shown: readonly SourceChoice[]): MenuGroup[] =>
    shown.length === 0
      ? []
      : [
          {
            label: title,
            items: shown.map((choice) => ({
              ...sourceEntry(choice, field_type),
              icon: choice.is_sent ? <Check aria-hidden="true" /> : undefined,
              onSelect: () => onChoose(choice),
            })),
          },
        ]
  const groups = [
    ...groupOf(
      'Questions',
      choices.filter(({ source }) => source === 'question'),
    ),
    ...groupOf(
      'Score et résultat',
      choices.filter(({ source }) => source === 'score' || source === 'result'),
    ),
    ...groupOf(
      'Dimensions',
      choices.filter(({ source }) => source === 'dimension'),
    ),
    ...groupOf(
      'Participant',
      choices.filter(({ source }) => ['own_page', 'measure', 'measure_day'].includes(source)),
    ),
  ]
  return (
    <>
      <Button
        ref={opener}
        id={openerId}
        icon={icon}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className="self-start"
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {text}
      </Button>
      {isOpen && (
        <MenuList
          id={id}
          label={label}
          groups={groups}
          opener={() => opener.current}
          align="start"
          isFilterable
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
