import { useState } from 'react'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { groupOf } from '#domain/questionnaire/grids/arrange-grids.ts'
import { type Item, itemsInOrder, placeOf } from '#domain/questionnaire/pages.ts'
import { newId } from '#web/editor/draft/editor-draft.ts'
import { fieldId } from '#web/editor/fields/field-ids.ts'
import { focusElement } from '#web/editor/fields/focus.ts'
import { useLoadFailure } from '#web/ui/feedback/lazy-part.tsx'
import { useDialogs } from '#web/ui/overlay/dialogs.tsx'
import { findCurrentLocation, useLastLocation } from './current-location.ts'
import type { ItemKind, ReachedLimits } from './item-kinds.tsx'
import { addedPage, type PagePosition, pageOverviews } from './item-positions.ts'
import { copyItem, createQuestion, createTextBlock } from './new-items.ts'
import { createContactItems, knownContactParts, settingsOfNewScale } from './presets.ts'
import type { AnswerPath, QuestionsDraft } from './questions-reducer.ts'
import type { ChangeQuestions } from './use-change-questions.ts'

/** Position where an item is inserted; without an index, at the end of the page. */
export type InsertPosition = { page_number: number; index?: number }

/** Options of a menu that adds an item at its own position. */
export type MenuOptions = {
  onClose?: () => void
  /** Empty answer in which the menu was opened, which an added item or page replaces. */
  erased?: AnswerPath | undefined
}

/** Open menu at the position of an « Ajouter ici » button or of a typed slash. */
export type OpenMenu = MenuOptions & { opener: HTMLElement; to: InsertPosition }

/** Position of a new grid; without `to`, the current position of the creator. */
export type GridPlace = Partial<Pick<OpenMenu, 'to' | 'erased'>>

/** Page whose questions get shared settings first, or the id of the first row of a grid. */
export type SettingsTarget = number | string

type ActionsInput = {
  draft: QuestionsDraft
  change: ChangeQuestions
  /** Shows a toast that can undo the change. */
  announce: (text: string) => void
}

/** Returns the actions on whole items and pages, with their confirmations (product 3.8). */
export const useContentActions = (quiz_id: string, { draft, change, announce }: ActionsInput) => {
  const { alert, confirm } = useDialogs()
  const explain = useLoadFailure()
  const last = useLastLocation()
  const [openMenu, setOpenMenu] = useState<OpenMenu | null>(null)
  const [grid_place, openGrid] = useState<GridPlace | null>(null)
  const [settings_target, openSettings] = useState<SettingsTarget | null>(null)
  const closeMenu = (): void => {
    openMenu?.onClose?.()
    setOpenMenu(null)
  }
  const full: ReachedLimits = {
    questions: draft.questions.length >= LIMITS.questions,
    text_blocks: draft.text_blocks.length >= LIMITS.text_blocks,
    pages: draft.page_count >= LIMITS.pages,
    contact:
      draft.questions.length + 1 >= LIMITS.questions ||
      draft.text_blocks.length >= LIMITS.text_blocks,
  }

  const insert = (
    item: Item,
    to: InsertPosition,
    options: { is_copy?: boolean; more?: Item[]; erased?: AnswerPath | undefined },
  ): void => {
    change({ type: 'item_added', item, to, ...options })
    last.current = { item: placeOf(options.more?.at(-1) ?? item).id }
  }
  const currentPosition = (): InsertPosition => {
    const editor_location = findCurrentLocation(last.current)
    // The welcome screen has page number 0.
    if (editor_location && 'page' in editor_location)
      return editor_location.page < 1
        ? { page_number: 1, index: 0 }
        : { page_number: editor_location.page }
    return (
      (editor_location && afterItem(draft, editor_location.item)) ?? {
        page_number: draft.page_count,
      }
    )
  }
  const optionsOf = (kind: ItemKind, to: InsertPosition) =>
    kind === 'scale' ? { options: settingsOfNewScale(draft, to) } : {}
  /** Adds a new item, by default where the creator is. */
  const add = (kind: ItemKind, to: InsertPosition = currentPosition(), erased?: AnswerPath): void =>
    insert(
      kind === 'text_block'
        ? { kind, text_block: createTextBlock({ quiz_id, newId }) }
        : {
            kind: 'question',
            question: createQuestion(kind, { quiz_id, newId, ...optionsOf(kind, to) }),
          },
      to,
      { erased },
    )
  const agreesTo = (label: string): Promise<boolean> =>
    confirm(`Êtes-vous sûr de vouloir supprimer ${label} ?`, {
      confirm_label: 'Supprimer',
      danger: true,
    })

  return {
    full,
    /** Number of questions that can be added. */
    max_new_questions: LIMITS.questions - draft.questions.length,
    openMenu,
    grid_place,
    /** Opens the dialog that adds a grid; closes it with null. */
    openGrid,
    settings_target,
    /** Opens the dialog that gives several questions the same settings; closes it with null. */
    openSettings,
    /**
     * Opens the menu that adds an item after the given one, next to `opener`; closes it if `opener` had
     * opened it. Returns true if the menu is open afterwards.
     */
    toggleMenu: (id: string, opener: HTMLElement, options: MenuOptions = {}): boolean => {
      const to = afterItem(draft, id)
      const isOpen = to !== undefined && openMenu?.opener !== opener
      closeMenu()
      if (isOpen) setOpenMenu({ opener, to, ...options })
      return isOpen
    },
    closeMenu,
    add,
    /** Adds the preset « Coordonnées » on one page, by default where the creator is. */
    addContact: (to: InsertPosition = currentPosition(), erased?: AnswerPath): void => {
      const known = knownContactParts(draft.questions)
      const [item, ...more] = createContactItems(draft, { quiz_id, newId })
      insert(item, to, { more, erased })
      const already = known.length > 0 ? ` (déjà demandé : ${known.join(', ')})` : ''
      announce(`Coordonnées ajoutées, page ${to.page_number}${already}`)
    },
    /** Adds the rows of a new grid, by default at the current position of the creator. */
    addGrid: (
      [row, ...more]: Item[],
      to: InsertPosition = currentPosition(),
      erased?: AnswerPath,
    ): void => {
      if (!row) return
      insert(row, to, { more, erased })
      announce(`Grille ajoutée, page ${to.page_number}`)
    },
    /** Focuses the next question on the page, or adds a question after the last one. */
    goToNextQuestion: (id: string): void => {
      const page = itemsOnPageOf(draft, id)
      const next = page
        .slice(page.findIndex((item) => placeOf(item).id === id) + 1)
        .find(({ kind }) => kind === 'question')
      const to = afterItem(draft, id)
      if (next) focusElement(fieldId(placeOf(next).id))
      else if (to && !full.questions) add('multiple_choice', to)
    },
    /** Adds a page at the end; with a position, splits the page there. */
    addPage: (to?: InsertPosition, erased?: AnswerPath): void => {
      const at = to?.index === undefined ? undefined : { ...to, index: to.index }
      change({ type: 'page_added', at, erased })
      last.current = { page: addedPage(at, draft.page_count) }
    },
    copy: (item: Item): void => {
      const { id } = placeOf(item)
      const to = afterItem(draft, id)
      const [copy, ...more] = groupOf(draft, id).map((row) => copyItem(row, newId))
      if (!to || !copy) return
      if (draft.questions.length + more.length >= LIMITS.questions && more.length > 0) {
        void alert(`Un questionnaire a ${LIMITS.questions} questions au plus.`)
        return
      }
      insert(copy, to, more.length > 0 ? { more } : { is_copy: true })
      if (more.length > 0) announce('Grille dupliquée')
    },
    move: (id: string, to: PagePosition): void => change({ type: 'item_moved', id, to }),
    drop: (id: string, to: PagePosition): void =>
      change({ type: 'item_moved', id, to, is_dragged: true }),
    remove: async (item: Item): Promise<void> => {
      const { id } = placeOf(item)
      const { length: row_count } = groupOf(draft, id)
      const [label, done] = removalLabels(item, row_count)
      if (!(await agreesTo(label))) return
      change({ type: 'item_removed', id })
      announce(done)
    },
    movePage: (from: number, to: number): void => change({ type: 'page_moved', from, to }),
    dropPage: (from: number, to: number): void =>
      change({ type: 'page_moved', from, to, is_dragged: true }),
    copyPage: (page_number: number): void => {
      if (!pageOverviews(draft)[page_number - 1]?.canCopy) return
      const items = itemsInOrder(draft)
        .filter((item) => placeOf(item).page_number === page_number)
        .map((item) => copyItem(item, newId))
      change({ type: 'page_copied', page_number, items })
    },
    deletePage: async (page_number: number): Promise<void> => {
      if (draft.page_count === 1) {
        await alert('Vous ne pouvez pas supprimer la dernière page !')
        return
      }
      if (!(await agreesTo(`la page ${page_number}`))) return
      change({ type: 'page_deleted', page_number })
      announce(`Page ${page_number} supprimée`)
    },
    /** Gives each question its own page. */
    splitPages: async (): Promise<void> => {
      const part = await import('#domain/editing/split-pages.ts').catch((error: unknown) => {
        void explain(error, 'Les pages n’ont pas pu être créées.')
      })
      const count = part?.splitPages(draft).page_count ?? 0
      if (!part) return
      if (count > LIMITS.pages)
        await alert(`Un questionnaire a ${LIMITS.pages} pages au plus : il en faudrait ${count}.`)
      else {
        change({ type: 'pages_split', split: part.splitPages })
        announce(`Une question par page : ${count} pages`)
      }
    },
  }
}

/** Returns the object of the confirmation before a removal, and the toast after the removal. */
const removalLabels = ({ kind }: Item, row_count: number): [what: string, done: string] => {
  if (row_count > 1) return [`cette grille de ${row_count} questions`, 'Grille supprimée']
  return kind === 'question'
    ? ['cette question', 'Question supprimée']
    : ['ce bloc de texte', 'Bloc de texte supprimé']
}

/** Actions on whole items and pages. */
export type ContentActions = ReturnType<typeof useContentActions>

const itemsOnPageOf = (draft: QuestionsDraft, id: string): Item[] => {
  const items = itemsInOrder(draft)
  const page_number = items.map(placeOf).find((place) => place.id === id)?.page_number
  return items.filter((item) => placeOf(item).page_number === page_number)
}

/** Returns the position after an item, or after its whole grid; undefined if the item does not exist. */
const afterItem = (draft: QuestionsDraft, id: string): PagePosition | undefined => {
  const page = itemsOnPageOf(draft, id).map(placeOf)
  const last = groupOf(draft, id).at(-1)
  const last_id = last && placeOf(last).id
  const [first] = page
  return (
    first && {
      page_number: first.page_number,
      index: page.findIndex((item) => item.id === last_id) + 1,
    }
  )
}
