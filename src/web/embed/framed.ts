/**
 * The script of a framed quiz. It posts the height of the page, the visitor's wish to close it, and the steps of the
 * run. It copies the parameters of the surrounding page into its own address, where the player reads them. The player
 * knows nothing of this script, which reads the document and the run that the player saves.
 */
const page = document.body
// Posted to any origin, because a height and the number of a page are no secrets.
const post = (quizaine: number | string): void => parent.postMessage({ quizaine }, '*')

const postHeight = (): void => post(Math.ceil(page.offsetHeight))

const find = (selector: string): Element | null => document.querySelector(selector)
/** Returns a JSON value of the tab; null without one, and if the browser refuses the storage. */
const readTab = (key: string) => {
  try {
    return JSON.parse(String(sessionStorage.getItem(key)))
  } catch {
    return null
  }
}

/** The data of the page (player-data.ts). */
const { quiz_id, snapshot } = JSON.parse(`${find('#taken-quiz')?.textContent}`)
/** Place of the steps that this tab has posted: the participant and the names of the steps. */
const POSTED = `quizaine:steps:${quiz_id}`
const readRun = () => readTab(`quizaine:run:${quiz_id}`)

/** Names of the posted steps of the run. */
let steps: string[] = []
/** True if `steps` belong to the run of this document, which no other run in the storage replaces. */
let isOwn = false
/** True from the first reply of the run. */
let hasReplied = false
let hadEnded = false
/** True if the surrounding page has answered, because a message before its script is loaded would be lost. */
let isHeard = false
let waiting: string[] = []

/** Returns the rank of the shown result, from 1; empty without a result. Without storage, the share link names the rank. */
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
    sessionStorage.setItem(POSTED, JSON.stringify([run, steps]))
  } catch {
    // Without storage, a reload begins a new run anyway.
  }
}

const take = (step: string, name: string, rank = ''): void => {
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
    const [participant = '', posted = []] = readTab(POSTED) ?? []
    steps = (participant || run) === run ? posted : []
  }
  hadEnded = hasEnded
  if (hasReplied || number > 1 || hasEnded) take('start', 'start')
  if (number) take(`${number}`, 'page', `${number}`)
  if (hasEnded) take('finish', 'finish', rankOfResult())
  sendWaiting()
}

new ResizeObserver(postHeight).observe(page)
new MutationObserver(postSteps).observe(page, { childList: true, subtree: true })
// Repeated, because a site's script that loads after the page has missed the first message.
setInterval(postHeight, 1_000)
// More often during the first seconds, so that the frame has its height as soon as that script is loaded.
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
  const said: unknown = data?.quizaine
  if (source !== parent || typeof said !== 'string') return
  isHeard = true
  postSteps()
  const address = new URL(location.href)
  for (const [name, value] of new URLSearchParams(said))
    if (!address.searchParams.has(name)) address.searchParams.set(name, value)
  if (address.href !== location.href && address.href.length < 4_000)
    history.replaceState(history.state, '', address)
})
