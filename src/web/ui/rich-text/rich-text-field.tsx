import { Bold, Italic, Link, List } from 'lucide-react'
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  use,
  useRef,
  useState,
} from 'react'
import { cutText } from '#domain/common/text.ts'
import { type RichText, refusedLinks } from '#domain/run/rich-text.ts'
import { IconButton } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { type FieldTexts, TextField } from '#web/ui/form/text-field.tsx'
import { Menu } from '#web/ui/overlay/menu.tsx'
import type { MenuItem } from '#web/ui/overlay/menu-list.tsx'
import { afterPress } from '#web/ui/presses.ts'
import { insertText, type Mark, markText, type TextEdit } from './text-marks.ts'

import { Toolbar } from './toolbar.tsx'
import { useReadText } from './use-read-text.ts'

/** Loaded with the first formatted text. */
const FormattedText = lazyPart<{ text: RichText }>(
  () => import('./formatted-text.tsx').then((part) => ({ default: part.FormattedText })),
  'Le rendu n’a pas pu être chargé.',
)

/** Entry of « Insérer ». */
export type Insertion = {
  /** Name between the braces. */
  name: string
  /** Label of the entry; the name if undefined. */
  title?: string
  /** Calls `write`, which inserts, together with another change that the name needs. */
  insert?: (write: () => void) => void
}

/** Lists the insertions of an item's texts, or of the texts at the end if there is no id. */
export type ListInsertions = (item_id?: string) => readonly Insertion[]

/** Lists what « Insérer » offers. Only the field with the focus reads it, so that a change renders no other field. */
export const InsertionsContext = createContext<ListInsertions>(() => [])

type Props = FieldTexts & {
  value: string
  /** Id of the item that the text belongs to; undefined for a text at the end. */
  item_id?: string
  /** False for a text that allows insertions but no marks. */
  has_marks?: boolean
} & Omit<ComponentProps<'textarea'>, 'value' | 'ref'>

const MARKS: { mark: Mark; label: string; key?: string; icon: ReactNode }[] = [
  { mark: 'strong', label: 'Gras (Ctrl B)', key: 'b', icon: <Bold aria-hidden="true" /> },
  { mark: 'em', label: 'Italique (Ctrl I)', key: 'i', icon: <Italic aria-hidden="true" /> },
  { mark: 'link', label: 'Lien (Ctrl K)', key: 'k', icon: <Link aria-hidden="true" /> },
  { mark: 'list', label: 'Liste', icon: <List aria-hidden="true" /> },
]

/**
 * Renders a growing field for a text with marks and insertions. While it has the focus, it shows a toolbar and a
 * preview of the marks below the field. Its value is the text as typed.
 */
export const RichTextField = ({ item_id, has_marks = true, error, onKeyDown, ...props }: Props) => {
  const { label, value } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const [isFocused, setFocused] = useState(false)
  const insertions = isFocused ? use(InsertionsContext)(item_id) : []
  const read = useReadText(isFocused && has_marks ? value : '')
  const [refused] = has_marks ? refusedLinks(value) : []

  const apply = (edited: (text: string, start: number, end: number) => TextEdit): void => {
    const { current } = field
    if (!current) return
    current.focus()
    replaceTyped(current, edited(current.value, current.selectionStart, current.selectionEnd))
  }
  const mark = (kind: Mark): void => apply((...selected) => markText(...selected, kind))
  const insert = ({ name, insert: insertWith }: Insertion): void => {
    const { current } = field
    if (!insertWith || !current) {
      apply((_, start, end) => insertText(start, end, `{{${name}}}`))
      return
    }
    current.focus()
    insertWith(() => writeInto(current, `{{${name}}}`))
  }
  const entryOf = (insertion: Insertion): MenuItem => ({
    label: insertion.title ?? insertion.name,
    onSelect: () => insert(insertion),
  })
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    const wanted = isCommand && MARKS.find(({ key }) => key === event.key.toLowerCase())
    if (wanted && has_marks) {
      event.preventDefault()
      mark(wanted.mark)
    } else onKeyDown?.(event)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only track whether the focus is inside
    <div
      className="flex flex-col gap-1"
      onFocus={() => setFocused(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        // The focus may have returned before the press ended.
        if (!currentTarget.contains(relatedTarget))
          afterPress(() => setFocused(currentTarget.contains(document.activeElement)))
      }}
    >
      <TextField
        {...props}
        multiline
        ref={field}
        error={error ?? (refused && refusalOf(refused))}
        onKeyDown={onKey}
      />
      {isFocused && (has_marks || insertions.length > 0) && (
        <Toolbar label={`Mise en forme – ${label}`}>
          {has_marks &&
            MARKS.map(({ mark: kind, label, icon }) => (
              <IconButton
                key={kind}
                label={label}
                icon={icon}
                // Keeps the focus in the field.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => mark(kind)}
              />
            ))}
          {insertions.length > 0 && (
            <Menu
              label="Insérer une réponse ou un résultat"
              face={<span className="px-2 text-sm text-ink-2">Insérer</span>}
              isFilterable
              groups={[
                { items: insertions.filter(({ title }) => !title).map(entryOf) },
                {
                  label: 'Questions sans nom court',
                  items: insertions.filter(({ title }) => title).map(entryOf),
                },
              ].filter(({ items }) => items.length > 0)}
            />
          )}
        </Toolbar>
      )}
      {typeof read !== 'string' && (
        <div className="rounded-lg bg-wash px-3 py-2">
          <p className="mb-1 text-xs font-medium text-ink-3">Rendu</p>
          <Suspense>
            <FormattedText text={read} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

const refusalOf = (address: string): string =>
  isUnfinished(address)
    ? 'L’adresse du lien est à compléter.'
    : `Le lien vers « ${cutText(address, 60)} » reste du texte : son adresse doit commencer par https://, http://, mailto: ou tel:`

const isUnfinished = (address: string): boolean => /^(?:https?:\/*|mailto:|tel:)$/i.test(address)

/** Writes a text in place of the selection as a change of the app, which the browser's undo does not know. */
const writeInto = (field: HTMLTextAreaElement, text: string): void => {
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Types into the field, so that the browser's undo takes it back. */
const replaceTyped = (
  field: HTMLTextAreaElement,
  { from, to, insert, selection }: TextEdit,
): void => {
  field.setSelectionRange(from, to)
  if (insert) document.execCommand('insertText', false, insert)
  else if (from < to) document.execCommand('delete')
  field.setSelectionRange(...selection)
}
