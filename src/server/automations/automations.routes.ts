import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { ListedAutomation } from '#contract/forwarding/automations.ts'
import {
  type AutomationSubject,
  automationSentence,
  describeSubject,
  formatLabel,
  labelOf,
} from '#domain/deliveries/automations.ts'
import {
  isFeminineLabel,
  KINDS_OF_TOOL,
  type LabelKind,
  labelNoun,
  labelNouns,
} from '#domain/deliveries/enrolment-kinds.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import { audit } from '#server/audit/audit.ts'
import type { Config } from '#server/config/config.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { type Handlers, mount } from '#server/http/edge/mount.ts'
import { createNotConnectedError } from '#server/integrations/connection-errors.ts'
import { findConnection } from '#server/integrations/connections.store.ts'
import type { Integrations } from '#server/integrations/create-integrations.ts'
import {
  type AutomationRow,
  deleteAutomation,
  insertAutomation,
  listAutomations,
  loadAutomation,
} from '#server/quizzes/automations.store.ts'
import { loadQuizContent, type QuizContent } from '#server/quizzes/quiz-content.ts'
import { createAccountLabels } from './account-labels.ts'

type Dependencies = {
  db: Db
  config: Pick<Config, 'rate_limits'>
  integrations: Pick<Integrations, 'use'>
}

const toListedAutomation = (
  row: AutomationRow,
  { draft, published }: QuizContent,
  rows: readonly AutomationRow[],
): ListedAutomation => {
  const inDraft = describeSubject(row, draft)
  const words = inDraft ?? (published && describeSubject(row, published))
  const existing = rows
    .filter(
      (enrolment) => enrolment.provider === row.provider && enrolment.label_kind === row.label_kind,
    )
    .map(labelOf)
  const label_name = formatLabel(labelOf(row), existing)
  const sentence = automationSentence(words ?? null, { ...row, label_name })
  const { dimension_id = null, tier_id = null } = row
  return { ...row, dimension_id, tier_id, sentence, is_orphan: !inDraft }
}

type SubjectInput = { [Name in keyof AutomationSubject]?: string | null | undefined }

/** Returns the result, answer or tier to which a new rule applies. Throws a 422 if the quiz has none of them. */
const readSubject = (input: SubjectInput, { draft, published }: QuizContent): AutomationSubject => {
  const { result_id = null, question_id = null, answer_id = null } = input
  const { dimension_id = null, tier_id = null } = input
  const isKnown = (subject: AutomationSubject): boolean =>
    describeSubject(subject, draft) !== undefined ||
    (published !== undefined && describeSubject(subject, published) !== undefined)
  if (dimension_id !== null || tier_id !== null) {
    const isAlone = result_id === null && question_id === null && answer_id === null
    if (!isAlone || dimension_id === null || tier_id === null)
      throw invalid('Choisissez une dimension et un de ses paliers, et rien d’autre', 'tier_id')
    const subject = { result_id, question_id, answer_id, dimension_id, tier_id }
    if (isKnown(subject)) return subject
    throw invalid('Ce palier n’est pas de cette dimension', 'tier_id')
  }
  if (result_id !== null && question_id === null && answer_id === null) {
    const subject = { result_id, question_id, answer_id }
    if (isKnown(subject)) return subject
    throw invalid('Ce résultat n’est pas de ce questionnaire', 'result_id')
  }
  if (result_id === null && question_id !== null && answer_id !== null) {
    const subject = { result_id, question_id, answer_id }
    if (isKnown(subject)) return subject
    throw invalid('Cette réponse n’est pas de cette question', 'answer_id')
  }
  throw invalid(
    'Choisissez un résultat, ou une question et une de ses réponses, ou une dimension et un de ses paliers',
    'result_id',
  )
}

/**
 * Throws a 422 if the tool lacks the kind of labels. Also throws if a label of this kind was not picked from the
 * account.
 */
const checkKind = ({
  provider,
  label_kind,
  vendor_id,
}: Pick<AutomationRow, 'provider' | 'label_kind' | 'vendor_id'>): void => {
  if (label_kind === null) return
  const kinds: readonly LabelKind[] = KINDS_OF_TOOL[provider]
  if (!kinds.includes(label_kind))
    throw invalid(
      `${PROVIDER_LABELS[provider]} n’offre pas de ${labelNouns(provider, label_kind)}`,
      'label_kind',
    )
  if (vendor_id === null)
    throw invalid(
      `Choisissez ${isFeminineLabel(provider, label_kind) ? 'une' : 'un'} ${labelNoun(provider, label_kind)} de votre compte`,
      'vendor_id',
    )
}

/** Returns the handlers of contract/forwarding/automations.ts. */
const automationsHandlers = (deps: Dependencies): Handlers<typeof api.automations> => {
  const { db } = deps
  const accountLabels = createAccountLabels(deps)
  return {
    list: async ({ id: quiz_id }, { id: creator_id }) =>
      readInOneSnapshot(db, async (state) => {
        const owned = { quiz_id, creator_id }
        const known = await loadQuizContent(state, owned)
        const rows = await listAutomations(state, owned)
        return { automations: rows.map((row) => toListedAutomation(row, known, rows)) }
      }),

    add: async ({ id: quiz_id, body }, { id: creator_id }) => {
      const owned = { quiz_id, creator_id }
      const { provider, label_name, label_kind = null, vendor_id = null, ...about } = body
      checkKind({ provider, label_kind, vendor_id })
      const known = await readInOneSnapshot(db, (state) => loadQuizContent(state, owned))
      const subject = readSubject(about, known)
      const connection = await findConnection(db, { user_id: creator_id, provider })
      if (!connection?.sealed_secret) throw createNotConnectedError()
      const rule = { ...subject, provider, label_name, label_kind, vendor_id }
      const automation_id = await insertAutomation(db, owned, rule)
      audit('automation_added', { actor_id: creator_id, object_id: automation_id })
      const rows = await listAutomations(db, owned)
      const added = await loadAutomation(db, { ...owned, automation_id })
      return { automation: toListedAutomation(added, known, rows) }
    },

    remove: async ({ id: quiz_id, automationId: automation_id }, { id: creator_id }) => {
      await deleteAutomation(db, { quiz_id, creator_id, automation_id })
      audit('automation_removed', { actor_id: creator_id, object_id: automation_id })
      return undefined
    },

    kitLabels: async ({ kind }, { id: user_id }) => ({
      labels: await accountLabels({ user_id, provider: 'convertkit', kind }),
    }),
    systemioLabels: async ({ kind }, { id: user_id }) => ({
      labels: await accountLabels({ user_id, provider: 'systemio', kind }),
    }),
    brevoLabels: async (_input, { id: user_id }) => ({
      labels: await accountLabels({ user_id, provider: 'brevo' }),
    }),
  }
}

/** Mounts the routes of the rules that give labels of email tools to participants. */
export const registerAutomations = (app: FastifyInstance, deps: Dependencies): void =>
  mount(app, api.automations, automationsHandlers(deps))
