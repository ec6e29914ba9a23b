import { ChevronDown } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
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
const useScrollPadding = (bar: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const element = bar.current
    if (!element) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      style.scrollPaddingTop = `${element.offsetHeight + GAP}px`
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('scroll-padding-top')
    }
  }, [bar])
}

/** Windows in which all links together would hide too much of the screen, also at a zoom of 200 %. */
const SMALL_WINDOW = '(width < 40rem) or (height < 30rem)'
/** Section with a link of its own on small windows; the menu contains the others. */
const FIRST_CHOICE = 'participants'

const BAR =
  'sticky top-0 z-10 -mx-4 flex min-h-11 flex-wrap items-center gap-x-2 border-b border-line bg-paper px-4 py-0.5 sm:-mx-6 sm:px-6 print:hidden'

/**
 * Renders links to the sections of the screen, which stay in sight while the screen scrolls. A small window has the
 * link to the participants, and a menu of all sections.
 */
export const SectionBar = () => {
  const bar = useRef<HTMLElement>(null)
  const sections = useSections(bar)
  useScrollPadding(bar)
  const isSmall = useMedia(SMALL_WINDOW)
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
        items={sections.map(({ id, title }) => ({ label: title, onSelect: () => goTo(id) }))}
      />
      {first && <SectionLink {...first} />}
    </>
  )
}

/**
 * Focuses and shows a section. The address stays, because Back to an address with a section would take the focus from
 * the list of participants.
 */
const goTo = (id: string): void => {
  const heading = document.getElementById(id)
  heading?.focus({ preventScroll: true })
  heading?.scrollIntoView({ block: 'start' })
}

const SectionLink = ({ id, title }: Section) => (
  <a
    href={`#${id}`}
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      goTo(id)
    }}
    className="inline-flex min-h-9 items-center rounded-md px-2 font-medium wrap-anywhere text-brand underline underline-offset-2 hover:bg-press pointer-coarse:min-h-11"
  >
    {title}
  </a>
)
