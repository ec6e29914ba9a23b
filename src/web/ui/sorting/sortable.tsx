import { CollisionPriority } from '@dnd-kit/abstract'
import { Accessibility, Cursor } from '@dnd-kit/dom'
import { DOMRectangle, scrollIntoViewIfNeeded } from '@dnd-kit/dom/utilities'
import {
  type DragDropManager,
  DragDropProvider,
  type DragMoveEvent,
  type DragOverEvent,
  useDroppable,
} from '@dnd-kit/react'
import { useSortable } from '@dnd-kit/react/sortable'
import { GripVertical } from 'lucide-react'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import {
  findPlace,
  type Groups,
  moveNextTo,
  moveOneStep,
  moveToGroup,
  type Place,
} from './sort-groups.ts'

/** Id of the element that describes the drag handles, because a screen may have several lists. */
const Instructions = createContext<string | undefined>(undefined)
const ITEM = 'item'

/**
 * Renders lists whose items can be dragged by their handle within and across groups, with the mouse, a finger or the
 * keyboard. The dragged item is shown at its new place at once; `onMove` is called when it is dropped, and Escape
 * cancels. Every step is announced in French.
 */
export const Sortable = ({
  groups,
  nameOf,
  placeOf,
  onMove,
  children,
}: {
  groups: Groups
  nameOf: (id: string) => string
  /** Returns the French name of a place: 'position 2 sur 3, page 1'. */
  placeOf: (place: Place, count: number) => string
  onMove: (id: string, to: Place) => void
  /** Renders the groups in the order of the current drag. */
  children: (shown: Groups) => ReactNode
}) => {
  const dragged = useRef<Groups | null>(null)
  // Manager of a drag by keyboard; null without one.
  const keyboardDrag = useRef<DragDropManager>(null)
  const [shown, setShown] = useState<Groups | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const instructions_id = useId()
  useEffect(() => {
    const manager = keyboardDrag.current
    if (!manager) return
    const followPlace = (): void => {
      if (!manager.dragOperation.source) return
      if (shown) showPlace(manager)
      // An item loses the focus when it moves in the document. Its handle is its first described control.
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('[data-dnd-dragging] [aria-describedby]')?.focus()
      frame = requestAnimationFrame(followPlace)
    }
    // The place can move in any frame, because the page scrolls or because late content changes its layout.
    let frame = requestAnimationFrame(followPlace)
    return () => cancelAnimationFrame(frame)
  }, [shown])

  const show = (arrangement: Groups | null): void => {
    dragged.current = arrangement
    setShown(arrangement)
  }
  const announceMove = (id: string, label: string, arrangement: Groups): void => {
    const place = findPlace(arrangement, id)
    const count = place ? (arrangement[place.group]?.length ?? 0) : 0
    if (place) setAnnouncement(`« ${nameOf(id)} »${label}, ${placeOf(place, count)}.`)
  }
  const follow = ({ source }: Operation, arrangement: Groups): void => {
    if (!source || arrangement === (dragged.current ?? groups)) return
    show(arrangement)
    announceMove(String(source.id), '', arrangement)
  }
  const endDrag = (id: string, isCanceled: boolean): void => {
    const arrangement = dragged.current ?? groups
    show(null)
    if (isCanceled) {
      setAnnouncement('Déplacement annulé.')
      return
    }
    const [from, to] = [findPlace(groups, id), findPlace(arrangement, id)]
    announceMove(id, ' déposée', arrangement)
    if (to && (to.group !== from?.group || to.index !== from.index)) onMove(id, to)
  }

  return (
    <DragDropProvider
      plugins={(defaults) =>
        defaults.filter((plugin) => plugin !== Accessibility && plugin !== Cursor)
      }
      onDragStart={({ operation }, manager) => {
        const { source } = operation
        keyboardDrag.current = isByKeyboard(operation) ? manager : null
        show(groups)
        if (source) announceMove(String(source.id), ' saisie', groups)
      }}
      onDragOver={(event) => {
        // Prevents the library's own move, because the place follows the pointer or the keyboard.
        event.preventDefault()
        const { operation } = event
        if (!isByKeyboard(operation))
          follow(operation, placeByPointer(dragged.current ?? groups, operation))
      }}
      onDragMove={(event) => {
        const { operation } = event
        const before = dragged.current
        if (!before) return
        if (!isByKeyboard(operation)) follow(operation, placeByPointer(before, operation))
        else if (event.nativeEvent) {
          // The library's own step only knows the items near the visible area.
          event.preventDefault()
          follow(operation, placeByKey(before, event))
        }
      }}
      onDragEnd={({ operation: { source }, canceled }) => {
        if (source) endDrag(String(source.id), canceled)
      }}
    >
      <Instructions value={instructions_id}>{children(shown ?? groups)}</Instructions>
      <p id={instructions_id} className="sr-only">
        Espace pour saisir, flèches pour déplacer, Espace pour déposer, Échap pour annuler.
      </p>
      <p role="status" aria-live="assertive" className="sr-only">
        {announcement}
      </p>
    </DragDropProvider>
  )
}

type Operation = DragOverEvent['operation']

const isByKeyboard = ({ activatorEvent }: Operation): boolean =>
  activatorEvent instanceof KeyboardEvent

/**
 * Returns the order for a pointer position: the dragged item goes before or after the item under the pointer,
 * depending on the half. The library only checks when the pointer enters an item, so a tall item could not be passed.
 */
const placeByPointer = (groups: Groups, { source, target, position }: Operation): Groups => {
  const element = target?.element
  if (!source || !target || !element || target.id === source.id) return groups
  const { top, height } = element.getBoundingClientRect()
  const isBelow = position.current.y > top + height / 2
  const [id, over] = [String(source.id), String(target.id)]
  return over in groups
    ? moveToGroup(groups, id, { group: over, isLast: isBelow })
    : moveNextTo(groups, id, { beside: over, isAfter: isBelow })
}

/** Returns the order after a step of the keyboard, independent of the sizes and distances of the items. */
const placeByKey = (groups: Groups, { operation: { source }, by }: DragMoveEvent): Groups =>
  source && by?.y ? moveOneStep(groups, String(source.id), by.y > 0 ? 'below' : 'above') : groups

/** Distance in pixels between an item and its place that is not corrected. */
const MIN_MOVE_PX = 0.5

/** Scrolls to the place of the item that is dragged by keyboard, and lays the item over it. */
const showPlace = ({ dragOperation, registry, actions }: DragDropManager): void => {
  const { source, shape, position } = dragOperation
  const place = source && registry.droppables.get(source.id)?.element
  if (!place || !shape) return
  scrollIntoViewIfNeeded(place)
  const { center } = new DOMRectangle(place)
  const x = center.x - shape.current.center.x
  const y = center.y - shape.current.center.y
  if (Math.hypot(x, y) < MIN_MOVE_PX) return
  // An absolute position, so that a second call before the move does not carry the item past its place.
  actions.move({ to: { x: position.current.x + x, y: position.current.y + y } })
}

type SortableItem = {
  ref: (element: Element | null) => void
  handleRef: (element: Element | null) => void
  isDragging: boolean
}

/** Makes an element a sortable item; `handleRef` is for its handle. */
export const useSortableItem = ({ id, index, group }: Place & { id: string }): SortableItem => {
  const { ref, handleRef, isDragging } = useSortable({ id, index, group, type: ITEM, accept: ITEM })
  return { ref, handleRef, isDragging }
}

/** Makes an element the drop zone of a group, mainly for an empty group. */
export const useDropZone = (
  group: string,
): { ref: (element: Element | null) => void; isDropTarget: boolean } => {
  const { ref, isDropTarget } = useDroppable({
    id: group,
    type: 'group',
    accept: ITEM,
    collisionPriority: CollisionPriority.Low,
  })
  return { ref, isDropTarget }
}

/** Renders the button by which an item is dragged; the rest of the item stays free for text. */
export const SortHandle = ({
  id,
  sortable,
  label,
}: {
  id?: string
  sortable: SortableItem
  label: string
}) => {
  const instructions_id = useContext(Instructions)
  return (
    <button
      ref={sortable.handleRef}
      id={id}
      type="button"
      aria-label={label}
      aria-describedby={instructions_id}
      className="flex h-10 w-6 shrink-0 pointer-coarse:size-11 cursor-grab touch-none items-center justify-center rounded-md text-ink-3 hover:bg-press hover:text-ink active:cursor-grabbing"
    >
      <GripVertical aria-hidden="true" className="size-4" />
    </button>
  )
}
