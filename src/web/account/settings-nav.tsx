import { useEffect, useState } from 'react'

type Place = { id: string; title: string }

/** Returns the top-level sections of the page. */
const findSections = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(
    '#content section[aria-labelledby]:not(section section)',
  ),
]

const placesOf = (sections: HTMLElement[]): Place[] =>
  sections.map((section) => {
    const id = section.getAttribute('aria-labelledby') ?? ''
    return { id, title: document.getElementById(id)?.textContent ?? '' }
  })

/**
 * Returns the id of the current section: the section with the focus if it is on screen, or else the section at a
 * line. The line moves down the screen during scrolling, so that even a short last section becomes current at the
 * end.
 */
const findCurrent = (sections: HTMLElement[]): string | undefined => {
  const { scrollY, innerHeight } = window
  const isOnScreen = (section: HTMLElement): boolean => {
    const { top, bottom } = section.getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  }
  const focused = sections.find((section) => section.contains(document.activeElement))
  const rest = document.documentElement.scrollHeight - innerHeight
  const line = rest > 0 ? (scrollY / rest) * innerHeight : 0
  const reached = sections.findLast((section) => section.getBoundingClientRect().top <= line)
  const current = focused && isOnScreen(focused) ? focused : (reached ?? sections[0])
  return current?.getAttribute('aria-labelledby') ?? undefined
}

/** Renders links to the sections of the settings, and marks the current one. */
export const SettingsNav = () => {
  const [places, setPlaces] = useState<Place[]>([])
  const [current, setCurrent] = useState<string>()

  useEffect(() => {
    let frame = 0
    const read = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        const sections = findSections()
        const found = placesOf(sections)
        setPlaces((known) => (isSame(known, found) ? known : found))
        setCurrent(findCurrent(sections))
      })
    }
    read()
    // Sections appear and disappear with the state of the installation and of the account.
    const observer = new MutationObserver(read)
    observer.observe(document.getElementById('content') ?? document.body, {
      childList: true,
      subtree: true,
    })
    const events = ['scroll', 'resize', 'focusin']
    for (const event of events) window.addEventListener(event, read, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      for (const event of events) window.removeEventListener(event, read)
    }
  }, [])

  return (
    <nav
      aria-label="Sections de votre compte"
      className="min-w-0 @2xl:sticky @2xl:top-6 @2xl:self-start"
    >
      <ul className="flex min-h-11 gap-1 overflow-x-auto p-1 @2xl:flex-col pointer-coarse:min-h-13">
        {places.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? 'location' : undefined}
              onClick={(event) => {
                event.preventDefault()
                goTo(id)
              }}
              className="flex min-h-9 items-center rounded-md px-3 whitespace-nowrap text-ink-2 hover:bg-press hover:text-ink aria-[current=location]:bg-press aria-[current=location]:font-medium aria-[current=location]:text-ink @2xl:whitespace-normal pointer-coarse:min-h-11"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const isSame = (known: Place[], found: Place[]): boolean =>
  known.length === found.length && known.every(({ id }, index) => id === found[index]?.id)

/** Focuses the heading of a section, so that the keyboard continues there. */
const goTo = (id: string): void => {
  const heading = document.getElementById(id)
  if (!heading) return
  heading.tabIndex = -1
  heading.scrollIntoView()
  heading.focus({ preventScroll: true })
}
