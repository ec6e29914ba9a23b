import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { api } from '#contract/api.ts'
import { requireAccess } from './access.ts'
import { accountHandlers, preferencesHandlers } from './account/account.routes.ts'
import { serveDocs, serveGuide } from './api-guide/api-docs.routes.ts'
import { auditCalls } from './audit/audit.ts'
import { createAuditLog } from './audit/audit-log.ts'
import { apiKeysHandlers } from './auth/api-keys/api-keys.routes.ts'
import { answerUnknownRoute } from './auth/auth-error.ts'
import { createAuth } from './auth/create-auth.ts'
import { createHostedAuth } from './auth/hosted/hosted-auth.ts'
import { createPhones } from './auth/phones/create-phones.ts'
import type { Plugins } from './auth/services.ts'
import { signInByWallet } from './auth/web3/sign-in-by-wallet.ts'
import { mountTools } from './automations/mount-tools.ts'
import type { Config } from './config/config.ts'
import type { Database } from './db/database.ts'
import { deliveriesHandlers } from './deliveries/deliveries.routes.ts'
import { runOutbox } from './deliveries/run-outbox.ts'
import { createSenders } from './deliveries/send.ts'
import { mountExports } from './exports/exports.routes.ts'
import { admissionLimits, admitCalls, shedLoad } from './http/edge/admission.ts'
import { createProxyTrust, readForwardedAddresses } from './http/edge/caller.ts'
import { isServerError, notFound, toApiError, toErrorBody } from './http/edge/errors.ts'
import { createFastPath, logRequests, requestId, sendRequestIds } from './http/edge/fast-path.ts'
import {
  closeStalledReaders,
  createBadRequestHandlers,
  createPipelineLimit,
  limitConnections,
  serverOptions,
} from './http/edge/http-server.ts'
import { mount } from './http/edge/mount.ts'
import { limitRates } from './http/edge/rate-limits.ts'
import { enforceUploadTimeout, readJsonBodies } from './http/edge/request-body.ts'
import { securityHeaders, setSecurityHeaders } from './http/edge/security-headers.ts'
import type { Gauge } from './http/observability/metrics.ts'
import { serveOperations } from './http/observability/operations.routes.ts'
import { isAuthCall, isNavigation, serveDashboard } from './http/pages/serve-dashboard.ts'
import { mountImages, scheduleImageCleanup, serveImages } from './images/images.routes.ts'
import { createIntegrations } from './integrations/create-integrations.ts'
import { serveLegalPages } from './legal/legal-pages.ts'
import { createCachedReplies } from './public-quiz/cached-replies.ts'
import { registerNoscriptRuns } from './public-quiz/noscript-runs.ts'
import { serveEmbedScript, serveFonts } from './public-quiz/player-assets.ts'
import { createPublicPages, createPublicPagesGauge } from './public-quiz/public-pages.ts'
import { registerQuizPage } from './public-quiz/quiz-page.ts'
import { createTrialPage, registerTrialRuns } from './public-quiz/trial-pages.ts'
import { registerVisits } from './public-quiz/visits.routes.ts'
import { createCurrentVersions } from './published-versions/current-versions.ts'
import { createQuizSlugs, resolveSlugs } from './published-versions/quiz-slugs.ts'
import { createSnapshots } from './published-versions/snapshots.ts'
import { mountQuizFiles } from './quiz-files/quiz-files.routes.ts'
import { createMailAdmission } from './quiz-mails/mail-limits.store.ts'
import { draftsHandlers, questionsHandlers } from './quizzes/draft.routes.ts'
import { quizzesHandlers } from './quizzes/quizzes.routes.ts'
import { resultsHandlers } from './quizzes/results.routes.ts'
import { versionsHandlers } from './quizzes/versions.routes.ts'
import { responsesHandlers } from './responses/responses.routes.ts'
import { createSubmissionQueue } from './responses/submission-queue.ts'
import { createTrialLinks, createTrialRuns } from './responses/trial-responses.ts'
import { createVisits } from './responses/visits.ts'
import { mountAnalyses } from './statistics/analyses/analyses.routes.ts'
import { createViewReader } from './statistics/figures/read-view.ts'
import { serveLive } from './statistics/live/live.routes.ts'
import { createResponseEvents } from './statistics/live/response-events.ts'
import { mountStatistics } from './statistics/mount-statistics.ts'
import { mountParticipants } from './statistics/participants/participants.routes.ts'
import { retentionHandlers, scheduleRetention } from './statistics/participants/retention.ts'
import { scheduleRareAnswers } from './statistics/selection/rare-answers.store.ts'
import { mountTrialRuns } from './trial-runs/trial-runs.routes.ts'

type Dependencies = {
  config: Config
  database: Database
  secretKey: string | Uint8Array
  log: FastifyBaseLogger
  /** Off where only the API is wanted and nothing was built. */
  has_pages?: boolean
  /** Where the built browser files are, when not in dist. */
  folders?: { player: URL; dashboard: string }
}

/** For removals of hundreds of thousands of participants, which are done whole or not at all. */
const REMOVALS = { name: 'removals', most: 2, longest_ms: 600_000 }

/** The whole server: everything that is mounted, in order. It listens to nothing yet. */
export const createApp = async ({
  config,
  database,
  secretKey,
  log,
  has_pages = true,
  folders,
}: Dependencies): Promise<FastifyInstance> => {
  const options = serverOptions(config)
  const genReqId = requestId(options.is_behind_proxy)
  const fast_path = createFastPath(genReqId)
  const broken = createBadRequestHandlers(config.public_url)
  const trust = createProxyTrust(config)
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    // The rightmost address that is no proxy's. Those before it are whatever a client wrote.
    trustProxy: options.is_behind_proxy && trust,
    genReqId,
    clientErrorHandler: broken.onClientError,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (_error, request, reply: FastifyReply) => {
      // An address that cannot be decoded meets no hook, so what hooks set is set here.
      answerUnknown(request, reply.headers(securityHeaders(config.public_url)), has_pages)
    },
    requestTimeout: options.requestTimeout,
    keepAliveTimeout: options.keepAliveTimeout,
    // A call that comes on a connection of before while we stop is answered, and ends it.
    return503OnClosing: false,
    serverFactory: (routes) => {
      const isTooDeep = createPipelineLimit()
      const refuse: typeof isTooDeep = (request, response) =>
        isTooDeep(request, response) || broken.refuseSeveralHosts(request, response)
      const server = fast_path.createServer(routes, { ...options, refuse })
      server.maxRequestsPerSocket = config.http.requests_per_connection
      limitConnections(server, config.http, options.is_behind_proxy)
      closeStalledReaders(server, config.http.request_ms)
      broken.listen(server)
      return server
    },
  })
  requireAccess(app)
  enforceUploadTimeout(app, { request_ms: config.http.request_ms, cutOff: broken.cutOff })
  if (options.is_behind_proxy) readForwardedAddresses(app)
  app.addHook('preClose', async () => fast_path.close())
  sendRequestIds(app)
  fast_path.recordRoutes(app)
  if (config.logs_requests) logRequests(fast_path, log)
  if (config.tracing) {
    const { trace } = await import('./http/observability/tracing.ts')
    trace(app, { config: config.tracing, pool: database.pool, fast_path })
  }
  app.setErrorHandler((error, request, reply) => {
    const refusal = toApiError(error)
    if (isServerError(error)) request.log.error({ err: error }, 'request failed')
    reply.code(refusal.status).headers(refusal.headers).send(toErrorBody(refusal, request.id))
  })
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply, has_pages))
  const auditLog = createAuditLog(database.pool, { secretKey, log })
  auditCalls(app, auditLog, database.applied)
  setSecurityHeaders(app, config.public_url)
  readJsonBodies(app)
  const { db, pool, notices } = database
  const slugs = createQuizSlugs(db)
  // Before the limits, which count by the quiz.
  resolveSlugs(app, slugs)
  const { hosted } = config
  const auth = hosted
    ? createHostedAuth({ base: `${hosted.url}/auth/v1`, config, log })
    : createAuth({ db, config, log, secretKey, plugins: authPlugins(config, log) })
  if (!config.rate_limits) log.warn('RATE_LIMITS=off: nobody is held back')
  const snapshotWait = config.rate_limits ? limitRates(app, config.submit_limits, auth) : () => 0
  shedLoad(app, log)
  const gauges: Gauge[] = [
    admitCalls(app, {
      room: admissionLimits(config.http.calls, config.rate_limits),
      identify: auth.identify,
      cutOff: broken.cutOff,
    }),
  ]
  serveOperations(app, { database, config, fast_path, gauges })

  auth.register(app)

  const versions = createCurrentVersions(db)
  const changes = notices.listen('quiz_changes', {
    onChange: versions.forget,
    onGap: versions.forgetAll,
  })
  const snapshots = createSnapshots(db, { versions })
  const arrivals = createResponseEvents(database, log)
  let nb_stored = 0
  const submissions = createSubmissionQueue(pool, (quiz_id) => {
    nb_stored++
    arrivals.announce(quiz_id)
  })
  const visits = createVisits(pool, log)
  app.addHook('onClose', async () => {
    await Promise.all([submissions.close(), changes.close(), visits.close()])
  })
  const { public_url, version_quota } = config
  const pages = has_pages
    ? createPublicPages({ snapshots, public_url, player_folder: folders?.player })
    : null
  gauges.push(createPublicPagesGauge({ pages, nbStored: () => nb_stored }))
  /** What this process changed is seen at once, and its page is made before the first visit. */
  const onChange = async (quiz_id: string): Promise<void> => {
    versions.forget(quiz_id)
    await pages?.prepare(quiz_id).catch((error: unknown) => {
      log.error({ err: error, quiz_id }, 'the public page was not made ahead')
    })
  }
  mountImages(app, api.images, { db, quota: config.image_quota })
  serveImages(app, db)
  const stopForgetting = scheduleImageCleanup(db, log)
  app.addHook('onClose', () => stopForgetting())
  mount(app, api.drafts, draftsHandlers({ db }))
  mount(app, api.versions, versionsHandlers({ db }))
  mountAnalyses(app, { db })
  const { db: patient_db, close: stopRemovals } = database.openDedicatedPool(REMOVALS)
  app.addHook('onClose', stopRemovals)
  const publishing = { version_quota, onChange, forgetSlug: slugs.forget }
  mount(app, api.quizzes, quizzesHandlers({ db, patient_db, ...publishing }))
  mountQuizFiles(app, { db, quota: config.image_quota })
  mount(app, api.results, resultsHandlers({ db }))
  mount(app, api.questions, questionsHandlers({ db }))
  const admitMail = createMailAdmission(db, config.result_mails_per_network)
  mount(app, api.taking, responsesHandlers({ db, snapshots, submissions, admitMail }))
  const readView = createViewReader(db)
  mountStatistics(app, { database, secretKey, log, readView })
  serveLive(app, { db, arrivals })
  mount(app, api.retention, retentionHandlers({ db }))
  const stopRetention = scheduleRetention(db, log, (removed) => {
    auditLog.note('responses_expired', { detail: String(removed) })
  })
  app.addHook('onClose', () => stopRetention())
  const stopRareAnswers = scheduleRareAnswers(db, log)
  app.addHook('onClose', () => stopRareAnswers())
  mountExports(app, { db, pool, secretKey, readView })
  const integrations = createIntegrations({ db, config, secretKey, log })
  const needs = { db, config, integrations, log }
  const { tools, webhooks, mails, send, erase, has_mail } = createSenders({ ...needs, secretKey })
  const outbox = config.is_worker ? runOutbox(database, { send, erase, log }) : undefined
  app.addHook('onClose', () => outbox?.close())
  const wake = (): void => outbox?.wake()
  mountParticipants(app, { db, vault: integrations.vault, wake })
  mount(app, api.deliveries, deliveriesHandlers({ db, tools, wake, has_mail }))
  mount(app, api.webhooks, webhooks.handlers(wake))
  const tests = createTrialRuns(db, createTrialLinks(secretKey))
  mountTrialRuns(app, { db, snapshots, tests, tools, public_url })
  mails.mount(app, { wake })
  mountTools(app, needs)
  const stopKeepAlive = integrations.keepAlive()
  app.addHook('onClose', () => stopKeepAlive())
  const { revocationOf } = integrations
  const accountNeeds = { db, patient_db, onDeleted: versions.forget, revocationOf }
  mount(app, api.apiKeys, apiKeysHandlers({ db }))
  mount(app, api.account, accountHandlers(accountNeeds))
  mount(app, api.preferences, preferencesHandlers(db))

  registerVisits(app, { snapshots, visits, public_url })
  if (pages) {
    serveDocs(app)
    serveGuide(app)
    const answerTest = createTrialPage({ tests, snapshots, pages, public_url })
    registerQuizPage(app, { snapshots, pages, answerTest })
    registerNoscriptRuns(app, { snapshots, submissions, admitMail, pages, visits, public_url })
    registerTrialRuns(app, { tests, snapshots, pages, visits, public_url })
    serveFonts(app)
    serveEmbedScript(app, folders?.player)
    serveLegalPages(app, config.legal)
    fast_path.open(createCachedReplies({ versions, slugs, pages, snapshots, config, snapshotWait }))
    serveDashboard(app, { hosted, folder: folders?.dashboard })
  }
  return app
}

/** Ways in that nothing else knows of, off unless the configuration switches them on. */
const authPlugins = (config: Config, log: FastifyBaseLogger): Plugins => ({
  ...createPhones(config, log),
  ...(config.auth.web3_chains.length > 0 && { signInByWallet }),
})

/** Leads people to the sign-in screen (spec §2 « Route table »), and tells programs that nothing is there. */
const answerUnknown = (request: FastifyRequest, reply: FastifyReply, has_pages: boolean): void => {
  if (has_pages && isNavigation(request)) {
    reply.redirect('/login', 302)
    return
  }
  if (isAuthCall(request)) {
    answerUnknownRoute(request, reply)
    return
  }
  const refusal = notFound('Page introuvable')
  reply.code(refusal.status).send(toErrorBody(refusal))
}
