import { z } from 'zod'
import { account, preferences } from './account.ts'
import { admin } from './admin.ts'
import { apiKeys } from './api-keys.ts'
import { campaigns, invitedRuns } from './campaigns.ts'
import { crashes } from './crashes.ts'
import { documents } from './documents.ts'
import { drafts } from './drafts.ts'
import { erasures } from './erasures.ts'
import { evidence } from './evidence.ts'
import { folders } from './folders.ts'
import { automations } from './forwarding/automations.ts'
import { deliveries } from './forwarding/deliveries.ts'
import { dryRuns } from './forwarding/dry-runs.ts'
import { fieldMappings } from './forwarding/field-mappings.ts'
import { mailSender } from './forwarding/mail-senders.ts'
import { quizMails } from './forwarding/quiz-mails.ts'
import { trialRuns } from './forwarding/trial-runs.ts'
import { webhooks } from './forwarding/webhooks.ts'
import { images } from './images.ts'
import { integrations } from './integrations.ts'
import { exports, participants, retention } from './participants.ts'
import { progress } from './progress.ts'
import { publicQuiz } from './public-quiz.ts'
import { questions } from './questions.ts'
import { quizFiles } from './quiz-files.ts'
import { quizzes } from './quizzes.ts'
import { results } from './results.ts'
import { questionQuality, statistics } from './statistics/statistics.ts'
import { sharedStatistics, statisticsLinks } from './statistics/statistics-links.ts'
import { textViews } from './statistics/text-views.ts'
import { trash } from './trash.ts'
import { replay, versions } from './versions.ts'

/** Calls of the product API as data (product 13.1). The auth service has its own protocol. */
export const api = {
  quizzes,
  trash,
  folders,
  quizFiles,
  drafts,
  versions,
  replay,
  results,
  questions,
  publicQuiz,
  trialRuns,
  statistics,
  statisticsLinks,
  sharedStatistics,
  questionQuality,
  textViews,
  participants,
  retention,
  deliveries,
  erasures,
  documents,
  exports,
  integrations,
  automations,
  dryRuns,
  fieldMappings,
  webhooks,
  quizMails,
  campaigns,
  progress,
  evidence,
  invitedRuns,
  images,
  mailSender,
  apiKeys,
  account,
  preferences,
  crashes,
  admin,
}
/** Type of the whole API. */
export type Api = typeof api

/**
 * Body of every error under /api/v1: French sentence, code for programs, reasons of a refused publication, and id of
 * an internal error.
 */
export const errorBody = z
  .object({
    error: z.string(),
    code: z.string(),
    validation_errors: z.array(z.string()).optional(),
    error_id: z.string().optional(),
  })
  .meta({ id: 'Error' })
/** Body of an error. */
export type ErrorBody = z.output<typeof errorBody>
