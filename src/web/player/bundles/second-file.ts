import corrections from '#web/player/corrections/corrections.css?inline'
import dimensions from '#web/player/ending/dimensions.css?inline'
import nextSteps from '#web/player/ending/next-steps.css?inline'
import print from '#web/player/ending/print.css?inline'
import breakdown from '#web/player/ending/result-breakdown.css?inline'
import tiedResults from '#web/player/ending/tied-results.css?inline'
import './later.ts'

// The policy of the page allows no other style element; a constructed style needs none.
const sheet = new CSSStyleSheet()
sheet.replaceSync(nextSteps + breakdown + dimensions + tiedResults + corrections + print)
document.adoptedStyleSheets.push(sheet)
