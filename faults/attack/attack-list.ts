import { accountTakeovers, copiedTokens } from './accounts/account-takeover.ts'
import { administrationAttacks } from './accounts/administration-changes.ts'
import { guessedSecrets } from './accounts/guessed-secrets.ts'
import { httpRequestAttacks } from './accounts/http-requests.ts'
import { localUserAttacks } from './accounts/local-users.ts'
import { loginCsrf } from './accounts/login-csrf.ts'
import { rateLimitAttacks } from './accounts/rate-limits.ts'
import { campaignInputs } from './campaigns/campaign-inputs.ts'
import { campaignRights } from './campaigns/campaign-rights.ts'
import { invitedPeople } from './campaigns/invited-people.ts'
import { certificateAttacks } from './hostile-inputs/certificates.ts'
import { damagedLinks } from './hostile-inputs/damaged-links.ts'
import { dateAttacks } from './hostile-inputs/dates.ts'
import { emailSlipAttacks } from './hostile-inputs/email-slips.ts'
import { embeddedPages } from './hostile-inputs/embedded-pages.ts'
import { formulaInjection } from './hostile-inputs/formula-injection.ts'
import { helpPages } from './hostile-inputs/help-pages.ts'
import { importedFiles } from './hostile-inputs/imported-files.ts'
import { mailSenderAttacks } from './hostile-inputs/mail-senders.ts'
import { participantFilters } from './hostile-inputs/participant-filters.ts'
import { prefilledLinks } from './hostile-inputs/prefilled-links.ts'
import { publicAddresses } from './hostile-inputs/public-addresses.ts'
import { settingsAttacks } from './hostile-inputs/settings.ts'
import { storedRuns } from './hostile-inputs/stored-runs.ts'
import { largestInputs } from './largest-inputs/largest-inputs.ts'
import { textShapes } from './largest-inputs/text-shapes.ts'
import { confirmationAttacks } from './links/confirmations.ts'
import { leakedSecrets } from './links/leaked-secrets.ts'
import { linksAndRights } from './links/links-and-rights.ts'
import { measureConsentAttacks } from './links/measure-consents.ts'
import { trashedQuizzes } from './links/trashed-quizzes.ts'
import { anonymousFloods } from './overload/anonymous-floods.ts'
import { coldVersions } from './overload/cold-versions.ts'
import { costlyTexts } from './overload/costly-texts.ts'
import { documentTexts } from './overload/document-texts.ts'
import { documentQueues } from './overload/documents.ts'
import { downloadQueues } from './overload/downloads.ts'
import { imageAttacks } from './overload/images.ts'
import { mailFloods } from './overload/mail-floods.ts'
import { requestBodies } from './overload/request-bodies.ts'
import { sharedResources } from './overload/shared-resources.ts'
import { statisticsLoads } from './overload/statistics.ts'
import type { Attack } from './runner/attack.ts'

/** All attacks, in the order in which they run. */
export const ATTACKS: Attack[] = [
  ...imageAttacks,
  ...costlyTexts,
  ...documentTexts,
  ...anonymousFloods,
  ...coldVersions,
  ...mailFloods,
  ...requestBodies,
  ...sharedResources,
  ...documentQueues,
  ...downloadQueues,
  ...statisticsLoads,
  ...leakedSecrets,
  ...trashedQuizzes,
  ...largestInputs,
  ...textShapes,
  ...accountTakeovers,
  ...loginCsrf,
  ...copiedTokens,
  ...guessedSecrets,
  ...administrationAttacks,
  ...rateLimitAttacks,
  ...httpRequestAttacks,
  ...formulaInjection,
  ...damagedLinks,
  ...localUserAttacks,
  ...linksAndRights,
  ...confirmationAttacks,
  ...invitedPeople,
  ...campaignRights,
  ...campaignInputs,
  ...measureConsentAttacks,
  ...publicAddresses,
  ...prefilledLinks,
  ...emailSlipAttacks,
  ...helpPages,
  ...participantFilters,
  ...embeddedPages,
  ...storedRuns,
  ...certificateAttacks,
  ...settingsAttacks,
  ...mailSenderAttacks,
  ...importedFiles,
  ...dateAttacks,
]
