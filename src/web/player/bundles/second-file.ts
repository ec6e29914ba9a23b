import corrections from '#web/player/corrections/corrections.css?inline'
import dimensions from '#web/player/ending/dimensions.css?inline'
import nextSteps from '#web/player/ending/next-steps.css?inline'
import print from '#web/player/ending/print.css?inline'
import breakdown from '#web/player/ending/result-breakdown.css?inline'
import tiedResults from '#web/player/ending/tied-results.css?inline'
import { type FileLoaders, parts } from '#web/player/parts.ts'
import './second-file-parts.ts'

/** Address of the file that reads phone numbers (phone-reading.ts). */
declare const PHONE_READING_ADDRESS: string
/** Address of the file that finds slips in addresses (email-slips.ts). */
declare const EMAIL_SLIPS_ADDRESS: string

/** Returns a function that loads a file once. After a failure, the next call tries again. */
const createLoader = (file: string): (() => Promise<unknown>) => {
  let nb_loads = 0
  let loading: Promise<unknown> | undefined
  return () => {
    // Each load has an address of its own, because some browsers remember the failure of an address.
    const address = `${file}?${nb_loads}`
    loading ??= import(/* @vite-ignore */ address).catch(() => {
      // Browsers report the failure. The page shows no readings and no suggestions.
      nb_loads++
      loading = undefined
    })
    return loading
  }
}
const LOADERS: FileLoaders = {
  loadPhoneReading: createLoader(PHONE_READING_ADDRESS),
  loadEmailSlips: createLoader(EMAIL_SLIPS_ADDRESS),
}
Object.assign(parts, LOADERS)

// Screen readers announce that this file extends an end that is already shown.
const note = document.querySelector('.q-ending>.q-said')
if (note) note.textContent = 'La suite du résultat est affichée.'

// Events of phone fields before this file was loaded: a field has the focus, or the visitor has left a number.
for (const phone of document.querySelectorAll<HTMLInputElement>('[type=tel]'))
  if (phone.matches(':focus')) LOADERS.loadPhoneReading()
  else if (phone.value) phone.dispatchEvent(new Event('blur'))
// An email field of the first page may be left before it has listeners.
if (document.querySelector('[type=email]')) LOADERS.loadEmailSlips()

// The policy of the page allows no other style element, and old browsers have no constructed styles.
const [page] = document.styleSheets
const css = nextSteps + breakdown + dimensions + tiedResults + corrections + print
page?.insertRule(`@media all{${css}}`, page.cssRules.length)
