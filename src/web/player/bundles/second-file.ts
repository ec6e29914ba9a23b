import corrections from '#web/player/corrections/corrections.css?inline'
import dimensions from '#web/player/ending/dimensions.css?inline'
import nextSteps from '#web/player/ending/next-steps.css?inline'
import print from '#web/player/ending/print.css?inline'
import breakdown from '#web/player/ending/result-breakdown.css?inline'
import tiedResults from '#web/player/ending/tied-results.css?inline'
import { type PhoneLoader, parts } from '#web/player/parts.ts'
import './second-file-parts.ts'

/** Address of the file that reads phone numbers (phone-reading.ts). */
declare const PHONE_READING_ADDRESS: string

let nb_loads = 0
let loading: Promise<unknown> | undefined
const LOADER: PhoneLoader = {
  loadPhoneReading: () => {
    // Each load has an address of its own, because some browsers remember the failure of an address.
    const address = `${PHONE_READING_ADDRESS}?retry=${nb_loads}`
    loading ??= import(/* @vite-ignore */ address).catch(() => {
      // Browsers report the failure. The page shows no readings.
      nb_loads++
      loading = undefined
    })
    return loading
  },
}
Object.assign(parts, LOADER)

// Screen readers announce that this file extends an end that is already shown.
const note = document.querySelector('.q-ending>.q-said')
if (note) note.textContent = 'La suite du résultat est affichée.'

// Events of phone fields before this file was loaded: a field has the focus, or the visitor has left a number.
for (const phone of document.querySelectorAll<HTMLInputElement>('[type=tel]'))
  if (phone.matches(':focus')) LOADER.loadPhoneReading()
  else if (phone.value) phone.dispatchEvent(new Event('blur'))

// The policy of the page allows no other style element, and old browsers have no constructed styles.
const [page] = document.styleSheets
const css = nextSteps + breakdown + dimensions + tiedResults + corrections + print
page?.insertRule(`@media all{${css}}`, page.cssRules.length)
