import css from '#web/player/fields/email-suggestion.css?inline'
import { updateSuggestion, watchEmails } from '#web/player/fields/email-suggestion.tsx'
import { type EmailSlipParts, parts } from '#web/player/parts.ts'

/** The file that finds slips in typed addresses. Only pages with an email field load it. */
const SLIPS: EmailSlipParts = { updateSuggestion }
Object.assign(parts, SLIPS)
watchEmails(document)

// As in the second file, the rules join a style element that the policy of the page allows.
const [page] = document.styleSheets
page?.insertRule(`@media all{${css}}`, page.cssRules.length)
