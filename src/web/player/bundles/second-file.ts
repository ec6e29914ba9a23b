import corrections from '#web/player/corrections/corrections.css?inline'
import dimensions from '#web/player/ending/dimensions.css?inline'
import nextSteps from '#web/player/ending/next-steps.css?inline'
import print from '#web/player/ending/print.css?inline'
import breakdown from '#web/player/ending/result-breakdown.css?inline'
import tiedResults from '#web/player/ending/tied-results.css?inline'
import './later.ts'

// Screen readers announce that this file extends an end that is already shown.
const note = document.querySelector('.q-ending>.q-said')
if (note) note.textContent = 'La suite du résultat est affichée.'

// The policy of the page allows no other style element, and old browsers have no constructed styles.
const [page] = document.styleSheets
const css = nextSteps + breakdown + dimensions + tiedResults + corrections + print
page?.insertRule(`@media all{${css}}`, page.cssRules.length)
