import { openAddress } from '#web/player/run/open-address.ts'

/**
 * Script of a framed quiz. Exchanges height, Escape key, steps of the run and URL parameters with the surrounding page,
 * and opens links that the sandbox of the frame may refuse. Reads the document and the saved run, so that the player
 * needs no code for frames.
 */
const page = document.body
// Messages go to any origin, because heights, page numbers and ranks are not secret.
const post = (quizaine: number | string): void => parent.postMessage({ quizaine }, '*')

const postHeight = (): void => post(Math.ceil(page.offsetHeight))

const find = (selector: string): Element | null => document.querySelector(selector)
/** Returns a JSON value of the tab's storage; null if the value is missing or the browser refuses the storage. */
const readTabStorage = (key: string) => {
  try {
    return JSON.parse(String(sessionStorage.getItem(key)))
  } catch {
    return null
  }
}

/** Data of the page. The id is `PLAYER_DATA_ID` of player/page/player-data.ts. */
const { quiz_id, snapshot } = JSON.parse(`${find('#taken-quiz')?.textContent}`)
/** Storage key of the steps that this tab has posted: the participant, and the names of the steps. */
const POSTED_STEPS_KEY = `quizaine:steps:${quiz_id}`
/** Returns the saved run. Its storage key is the key of framed pages in player/run/saved-run.ts. */
const readRun = () => readTabStorage(`quizaine:run:${quiz_id}`)

/** Names of the posted steps of the run. */
let steps: string[] = []
/** True if this document has added to `steps`, so that steps in the storage no longer replace them. */
let isOwn = false
/** True from the first reply of the run. */
let hasReplied = false
let hadEnded = false
/** True if the surrounding page has answered. Earlier messages may be lost, because its script was not loaded. */
let isHeard = false
/** Steps to post after the surrounding page has answered. */
let waiting: string[] = []

/** Returns the rank of the shown result, from 1; '' without a result. Reads the share link if there is no storage. */
const rankOfResult = (): string => {
  const id: unknown = readRun()?.result?.id
  const rank = snapshot.results.findIndex((result: { id: string }) => result.id === id) + 1
  const link = find(`a.q-link[href^="${location.pathname}?r="]`)
  return `${rank || (link?.getAttribute('href')?.split('=').pop() ?? '')}`
}

const sendWaiting = (): void => {
  if (!isHeard || !waiting[0]) return
  for (const message of waiting) post(message)
  waiting = []
  try {
    const run = readRun()?.participant_uuid ?? ''
    sessionStorage.setItem(POSTED_STEPS_KEY, JSON.stringify([run, steps]))
  } catch {
    // Without storage, a reload begins a new run anyway.
  }
}

/** Adds a step to the waiting steps, unless the run has posted it. */
const addStep = (step: string, name: string, rank = ''): void => {
  if (steps.includes(step)) return
  isOwn = true
  steps.push(step)
  waiting.push(`${name} ${quiz_id} ${rank}`)
}

/** Posts each step of the run once: its pages, its first reply and its end. */
const postSteps = (): void => {
  const number = Number.parseInt(`${find('.q-counter')?.textContent}`, 10)
  const hasEnded = !!find('.q-ending')
  if (hadEnded && !hasEnded) {
    // « Recommencer » begins another run.
    steps = []
    hasReplied = false
  } else if (!isOwn) {
    // After a reload, the player continues the run or begins another one.
    const run = readRun()?.participant_uuid ?? ''
    const [participant = '', posted = []] = readTabStorage(POSTED_STEPS_KEY) ?? []
    steps = (participant || run) === run ? posted : []
  }
  hadEnded = hasEnded
  if (hasReplied || number > 1 || hasEnded) addStep('start', 'start')
  if (number) addStep(`${number}`, 'page', `${number}`)
  if (hasEnded) addStep('finish', 'finish', rankOfResult())
  sendWaiting()
}

/** Returns the note below a link, which is created empty so that screen readers announce its text. */
const noteOf = (link: Element): HTMLElement => {
  const next = link.nextElementSibling
  if (next instanceof HTMLElement && next.matches('.q-address')) return next
  const note = document.createElement('span')
  // The build shortens `className` (scripts/player-bundles.ts).
  note.setAttribute('class', 'q-note q-address')
  note.setAttribute('role', 'status')
  note.style.cssText = 'display:block;flex-basis:100%;user-select:all'
  link.after(note)
  return note
}

/**
 * Opens the link of a click outside the frame. Shows its address in words if the sandbox refuses every tab, and below
 * documents, whose download a sandbox may refuse without telling the page.
 */
const followLink = (event: MouseEvent): void => {
  const link = (event.target as Partial<Element>).closest?.<HTMLAnchorElement>('a[target]')
  const isPlain = !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.shiftKey
  if (!link || !isPlain || !/^https?:/.test(link.href)) return
  event.preventDefault()
  const isOpen = openAddress(link.href, link.target === '_top' ? ['_top', '_blank'] : ['_blank'])
  if (isOpen && !link.closest('.q-docs')) return
  const note = noteOf(link)
  const reason = isOpen
    ? 'S’ouvre dans un nouvel onglet. Si rien ne s’ouvre, adresse à copier'
    : 'Cette page n’autorise pas l’ouverture du lien. Adresse à copier'
  setTimeout(() => {
    note.textContent = `${reason}\u00a0: ${link.href}`
  })
}

/** Submits the form at a press of its button, because a sandbox without `allow-forms` dispatches no submit event. */
const submitForm = (event: MouseEvent): void => {
  const button = (event.target as Partial<Element>).closest?.<HTMLButtonElement>('[type=submit]')
  if (!button?.form || event.defaultPrevented) return
  event.preventDefault()
  // The player prevents the usual submission; without it, the form is posted.
  const isUnhandled = button.form.dispatchEvent(
    new Event('submit', { bubbles: true, cancelable: true }),
  )
  if (isUnhandled) button.form.submit()
}

addEventListener('click', submitForm)
addEventListener('click', followLink)
new ResizeObserver(postHeight).observe(page)
new MutationObserver(postSteps).observe(page, { childList: true, subtree: true })
// The height is posted again, because a script that loads later has missed the first message.
setInterval(postHeight, 1_000)
// The height is posted more often during the first 5 s, so that a late script resizes the frame.
let nb_greetings = 0
const greeting = setInterval(() => {
  if (isHeard || ++nb_greetings > 50) clearInterval(greeting)
  else postHeight()
}, 100)
addEventListener('input', () => {
  hasReplied = true
  postSteps()
})
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') post('close')
})
addEventListener('message', ({ source, data }) => {
  const parameters: unknown = data?.quizaine
  if (source !== parent || typeof parameters !== 'string') return
  isHeard = true
  postSteps()
  const address = new URL(location.href)
  for (const [name, value] of new URLSearchParams(parameters))
    if (!address.searchParams.has(name)) address.searchParams.set(name, value)
  if (address.href !== location.href && address.href.length < 4_000)
    history.replaceState(history.state, '', address)
})
