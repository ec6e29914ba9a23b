import { ChevronDown } from 'lucide-react'
import {
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Menu } from '#web/ui/overlay/menu.tsx'
import { useMedia } from '#web/ui/use-media.ts'

type Section = { id: string; title: string }

const readSections = (within: Element): Section[] =>
  [...within.querySelectorAll<HTMLElement>('h2[id]')]
    .filter((heading) => heading.closest('dialog') === null)
    .map(({ id, textContent }) => ({ id, title: textContent ?? '' }))

/** Returns the sections next to an element. The titles are read from the headings, including those that appear later. */
const useSections = (ref: RefObject<HTMLElement | null>): Section[] => {
  const [sections, setSections] = useState<Section[]>([])
  useLayoutEffect(() => {
    const screen = ref.current?.parentElement
    if (!screen) return
    const read = (): void => {
      const found = readSections(screen)
      setSections((known) => (JSON.stringify(known) === JSON.stringify(found) ? known : found))
    }
    read()
    const observer = new MutationObserver(read)
    observer.observe(screen, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [ref])
  return sections
}

/** Distance in pixels between the bar and an element that is scrolled into view. */
const GAP = 16

/** Keeps elements that are scrolled into view, or receive the focus, below a sticky bar. */
const useScrollPadding = (bar: RefObject<HTMLElement | null>, isAtSide: boolean): void => {
  useEffect(() => {
    const element = bar.current
    if (!element || isAtSide) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      style.scrollPaddingTop = `${element.offsetHeight + GAP}px`
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('scroll-padding-top')
    }
  }, [bar, isAtSide])
}

/** Windows in which all links together would hide too much of the screen, also at a zoom of 200 %. */
const SMALL_WINDOW = '(width < 40rem) or (height < 30rem)'
/** Section with a link of its own on small windows; the menu contains the others. */
const FIRST_CHOICE = 'participants'

const BAR =
  'sticky top-0 z-10 -mx-4 flex min-h-11 flex-wrap items-center gap-x-2 border-b border-line bg-paper px-4 py-0.5 sm:-mx-6 sm:px-6 print:hidden'

/** Matches windows with room for the list of links next to the sections. */
const WIDE_WINDOW = '(width >= 90rem) and (height >= 30rem)'
const SIDE_LIST = 'sticky top-6 max-h-[calc(100dvh-3rem)] self-start overflow-y-auto print:hidden'

/**
 * Returns the id of the section whose heading has the focus and is in sight, else of the section at a line of the window.
 * The line moves down the window during scrolling, so that even a short last section becomes current at the end.
 */
const useCurrentSection = (sections: readonly Section[]): string | undefined => {
  const [current, setCurrent] = useState<string>()
  useEffect(() => {
    const read = (): void => {
      const rest = document.documentElement.scrollHeight - innerHeight
      const line = Math.max(rest > 0 ? (scrollY / rest) * innerHeight : 0, HEADING_LINE_PX)
      const topOf = ({ id }: Section): number =>
        document.getElementById(id)?.getBoundingClientRect().top ?? Number.NaN
      const focused = sections.find(({ id }) => id === document.activeElement?.id)
      const isInSight = focused && topOf(focused) >= 0 && topOf(focused) < innerHeight
      const reached = sections.findLast((section) => topOf(section) <= line)
      setCurrent((isInSight ? focused : (reached ?? sections[0]))?.id)
    }
    read()
    const events = ['scroll', 'focusin']
    for (const event of events) addEventListener(event, read, { passive: true })
    return () => {
      for (const event of events) removeEventListener(event, read)
    }
  }, [sections])
  return current
}

/** Distance in pixels from the top of the window at which a heading is certainly reached. */
const HEADING_LINE_PX = 140

/**
 * Renders links to the sections of the screen, which stay in sight while the screen scrolls: a list at the side of a wide
 * window, else a bar. A small window has the link to the participants, and a menu of all sections.
 */
export const SectionBar = () => {
  const bar = useRef<HTMLElement>(null)
  const sections = useSections(bar)
  const isSmall = useMedia(SMALL_WINDOW)
  const isAtSide = useMedia(WIDE_WINDOW)
  useScrollPadding(bar, isAtSide)
  if (isAtSide)
    return (
      <nav ref={bar} aria-label="Sections de l’écran" className={SIDE_LIST}>
        <SideLinks sections={sections} />
      </nav>
    )
  return (
    <nav ref={bar} aria-label="Sections de l’écran" className={BAR}>
      {isSmall ? (
        <FoldedLinks sections={sections} />
      ) : (
        <>
          <span className="shrink-0 text-ink-2">Aller à :</span>
          <ul className="flex min-w-0 flex-wrap gap-x-1">
            {sections.map((section) => (
              <li key={section.id}>
                <SectionLink {...section} />
              </li>
            ))}
          </ul>
        </>
      )}
    </nav>
  )
}

const SideLinks = ({ sections }: { sections: readonly Section[] }) => {
  const current = useCurrentSection(sections)
  return (
    <ul className="flex flex-col p-1">
      {sections.map(({ id, title }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            aria-current={id === current ? 'location' : undefined}
            onClick={(event) => followLink(event, id)}
            className="flex min-h-8 items-center rounded-md px-2 py-1 wrap-anywhere text-ink-2 hover:bg-press hover:text-ink aria-[current=location]:bg-press aria-[current=location]:font-medium aria-[current=location]:text-ink pointer-coarse:min-h-11"
          >
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
}

const FoldedLinks = ({ sections }: { sections: readonly Section[] }) => {
  const first = sections.find(({ id }) => id === FIRST_CHOICE)
  return (
    <>
      <Menu
        label="Aller à une section"
        face={
          <>
            Aller à
            <ChevronDown aria-hidden="true" className="size-4 text-ink-2" />
          </>
        }
        items={sections.map(({ id, title }) => ({ label: title, onSelect: () => goToSection(id) }))}
      />
      {first && <SectionLink {...first} />}
    </>
  )
}

/**
 * Focuses and shows a section. The address stays, because Back to an address with a section would take the focus from
 * the list of participants.
 */
export const goToSection = (id: string): void => {
  const heading = document.getElementById(id)
  heading?.focus({ preventScroll: true })
  heading?.scrollIntoView({ block: 'start' })
}

const followLink = (event: MouseEvent, id: string): void => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  goToSection(id)
}

const SectionLink = ({ id, title }: Section) => (
  <a
    href={`#${id}`}
    onClick={(event) => followLink(event, id)}
    className="inline-flex min-h-9 items-center rounded-md px-2 font-medium wrap-anywhere text-brand underline underline-offset-2 hover:bg-press pointer-coarse:min-h-11"
  >
    {title}
  </a>
)
