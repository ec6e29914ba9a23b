import type { api } from '#contract/api.ts'
import { anonymityError, findContactQuestions } from '#domain/campaigns/anonymity.ts'
import { CAMPAIGN_LIMITS } from '#domain/campaigns/campaign.ts'
import {
  type CampaignWords,
  campaignWordErrors,
  defaultWords,
} from '#domain/campaigns/campaign-mail.ts'
import type { Person } from '#domain/campaigns/people.ts'
import { campaignMailsPerDay } from '#domain/campaigns/schedule.ts'
import { canonicalEmail } from '#domain/common/addresses.ts'
import { oneLine } from '#domain/common/one-line.ts'
import { isPublished } from '#domain/questionnaire/quiz.ts'
import { audit } from '#server/audit/audit.ts'
import { type Db, readInOneSnapshot } from '#server/db/database.ts'
import { conflict, forbidden, invalid } from '#server/http/edge/errors.ts'
import { type Handlers, signalOf } from '#server/http/edge/mount.ts'
import type { Transport } from '#server/mails/transport.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'
import type { TextParser } from '#server/rich-texts/text-parser.ts'
import { showCampaign, showCampaigns, shownPersonOf } from './campaign-views.ts'
import {
  type CampaignOfCreator,
  type CampaignRow,
  deleteCampaign,
  insertCampaign,
  loadCampaign,
  updateCampaign,
} from './campaigns.store.ts'
import { endCampaign } from './end-campaigns.store.ts'
import type { InvitationLinks } from './invitation-links.ts'
import {
  deleteInvitation,
  insertInvitations,
  listPeople,
  replaceAddress,
} from './invitations.store.ts'
import { createTestMailer } from './test-mail.ts'

/** Dependencies of the calls of campaigns. */
export type CampaignNeeds = {
  db: Db
  secretKey: string | Uint8Array
  transport: Transport | undefined
  links: InvitationLinks
  texts: Pick<TextParser, 'parse'>
  public_url: string
  /** Daily limit of mails to the participants and invited people of one creator. */
  mails_per_day: number
  has_rate_limits: boolean
  /** Makes the worker search for due mails. */
  wake: () => void
  /** Tells the statistics screens of these quizzes that participants were stored. */
  announce: (quiz_ids: readonly string[]) => Promise<void>
}

const DAY_MS = 86_400_000

const noServer = () =>
  conflict(
    'no_mail_server',
    'Ce site n’a pas de serveur d’emails : aucune invitation ne peut partir.',
  )

/** Throws a 422 for the first problem in the words of a campaign. */
const refuseWords = (words: CampaignWords): void => {
  const [error] = campaignWordErrors(words)
  if (error) throw invalid(error.message, error.field)
}

const refuseDates = ({ starts_at, ends_at }: { starts_at: string; ends_at: string }, now: Date) => {
  const [start, end] = [Date.parse(starts_at), Date.parse(ends_at)]
  if (end <= Math.max(start, now.getTime()))
    throw invalid('La fin doit venir après le début, et après maintenant', 'ends_at')
  if (end - start > CAMPAIGN_LIMITS.days * DAY_MS)
    throw invalid(`Une campagne dure au plus ${CAMPAIGN_LIMITS.days} jours`, 'ends_at')
}

/** Person as a call gives one: names may be absent. */
type TypedPerson = { [Field in keyof Person]?: Person[Field] | undefined } & { email: string }

/** Returns people with canonical addresses and names on one line. */
const peopleOf = (people: readonly TypedPerson[]): Person[] => {
  const nameOf = (name: string | null | undefined): string | null => oneLine(name ?? '') || null
  return people.flatMap(({ email, ...names }) => {
    const address = canonicalEmail(email)
    return address === null
      ? []
      : {
          email: address,
          first_name: nameOf(names.first_name),
          last_name: nameOf(names.last_name),
          group_name: nameOf(names.group_name),
        }
  })
}

/** Returns the handlers of contract/campaigns.ts for creators. */
export const campaignsHandlers = ({
  db,
  secretKey,
  transport,
  links,
  texts,
  public_url,
  mails_per_day,
  has_rate_limits,
  wake,
  announce,
}: CampaignNeeds): Handlers<typeof api.campaigns> => {
  const sendTestMail = createTestMailer({ db, texts, public_url, has_rate_limits })
  const show = (read: Db, key: CampaignOfCreator) => showCampaign(read, key, mails_per_day)
  const loadOpen = async (change: Db, key: CampaignOfCreator): Promise<CampaignRow> => {
    const row = await loadCampaign(change, key, 'lock')
    if (row.status === 'ended') throw conflict('campaign_ended', 'Cette campagne est terminée')
    return row
  }
  /** Returns the questions of the published version that ask who the participant is. */
  const contactQuestionsOf = async (
    read: Db,
    quiz_id: string,
    published_version: number | null,
  ): Promise<string[]> => {
    const snapshot =
      published_version === null
        ? undefined
        : await findCachedVersion(read, quiz_id, published_version)
    return findContactQuestions(snapshot?.questions ?? []).map(({ text }) => text)
  }

  return {
    list: ({ id: quiz_id }, { id: creator_id }) =>
      readInOneSnapshot(db, async (read) => {
        const owned = { quiz_id, creator_id }
        const { quiz, published_version } = await loadQuiz(read, owned)
        return {
          campaigns: await showCampaigns(read, owned, mails_per_day),
          default_words: defaultWords(quiz),
          mails_per_day: campaignMailsPerDay(mails_per_day),
          has_mail_server: transport !== undefined,
          is_published: isPublished(quiz),
          contact_questions: await contactQuestionsOf(read, quiz_id, published_version),
        }
      }),

    create: async ({ id: quiz_id, body }, { id: creator_id }) => {
      const owned = { quiz_id, creator_id }
      await loadQuiz(db, owned)
      if (!transport) throw noServer()
      const { people, may_write: _, ...campaign } = body
      refuseWords(campaign)
      const now = new Date()
      const starts_at = campaign.starts_at ?? now.toISOString()
      refuseDates({ starts_at, ends_at: campaign.ends_at }, now)
      const { campaign_id, added } = await db.transaction().execute(async (change) => {
        const { quiz, published_version } = await loadQuiz(change, owned, 'lock')
        if (!isPublished(quiz))
          throw forbidden('quiz_not_published', 'Publiez d’abord ce questionnaire')
        const asked = await contactQuestionsOf(change, quiz_id, published_version)
        if (campaign.is_anonymous && asked.length > 0)
          throw conflict('not_anonymous', anonymityError(asked[0] ?? ''))
        const inserted = await insertCampaign(change, owned, { ...campaign, starts_at })
        const row = { quiz_id, id: inserted, starts_at }
        const at = { creator_id, links, now }
        return {
          campaign_id: inserted,
          added: await insertInvitations(change, row, peopleOf(people), at),
        }
      })
      audit('campaign_created', { actor_id: creator_id, object_id: campaign_id })
      wake()
      return { campaign: await show(db, { ...owned, campaign_id }), added }
    },

    get: ({ id: quiz_id, campaignId: campaign_id }, { id: creator_id }) =>
      readInOneSnapshot(db, async (read) => ({
        campaign: await show(read, { quiz_id, creator_id, campaign_id }),
      })),

    update: async ({ id: quiz_id, campaignId: campaign_id, body }, { id: creator_id }) => {
      const key = { quiz_id, creator_id, campaign_id }
      await db.transaction().execute(async (change) => {
        const row = await loadOpen(change, key)
        const { status, ends_at, ...settings } = withoutAbsent(body)
        refuseWords({ ...row, ...settings })
        if (ends_at) refuseDates({ starts_at: row.starts_at, ends_at }, new Date())
        const dates = ends_at ? { ends_at } : {}
        const running = status && status !== 'ended' ? { status } : {}
        const changed = { ...settings, ...dates, ...running }
        if (Object.keys(changed).length > 0) await updateCampaign(change, row, changed)
        if (status === 'ended') await endCampaign(change, row, secretKey)
      })
      if (body.status) {
        audit('campaign_changed', {
          actor_id: creator_id,
          object_id: campaign_id,
          detail: body.status,
        })
        if (body.status === 'ended') await announce([quiz_id])
      }
      wake()
      return { campaign: await show(db, key) }
    },

    remove: async ({ id: quiz_id, campaignId: campaign_id }, { id: creator_id }) => {
      await db.transaction().execute(async (change) => {
        const row = await loadCampaign(change, { quiz_id, creator_id, campaign_id }, 'lock')
        if (row.status !== 'ended')
          throw conflict('campaign_running', 'Terminez d’abord cette campagne')
        await deleteCampaign(change, row)
      })
      audit('campaign_deleted', { actor_id: creator_id, object_id: campaign_id })
    },

    people: async ({ id: quiz_id, campaignId: campaign_id, ...query }, { id: creator_id }) => {
      const row = await loadCampaign(db, { quiz_id, creator_id, campaign_id })
      const { state, group, after, limit } = query
      const group_name = group === undefined ? undefined : group || null
      const filter = { state, group_name, after, limit: limit + 1 }
      const found = await listPeople(db, row, filter)
      const people = found.slice(0, limit).map((person) => shownPersonOf(person, row))
      return { people, next_cursor: found.length > limit ? (people.at(-1)?.id ?? null) : null }
    },

    addPeople: async ({ id: quiz_id, campaignId: campaign_id, body }, { id: creator_id }) => {
      const added = await db.transaction().execute(async (change) => {
        const row = await loadOpen(change, { quiz_id, creator_id, campaign_id })
        if (!transport) throw noServer()
        const at = { creator_id, links, now: new Date() }
        return insertInvitations(change, row, peopleOf(body.people), at)
      })
      const nb_added = String(added.nb_added)
      audit('campaign_people_added', {
        actor_id: creator_id,
        object_id: campaign_id,
        detail: nb_added,
      })
      wake()
      return { added }
    },

    removePerson: async (
      { id: quiz_id, campaignId: campaign_id, personId },
      { id: creator_id },
    ) => {
      await db.transaction().execute(async (change) => {
        const row = await loadCampaign(change, { quiz_id, creator_id, campaign_id }, 'lock')
        await deleteInvitation(change, row, personId)
      })
    },

    correctAddress: async (
      { id: quiz_id, campaignId: campaign_id, personId, body },
      { id: creator_id },
    ) => {
      const email = canonicalEmail(body.email)
      if (email === null) throw invalid('L’adresse email n’est pas valable', 'email')
      await db.transaction().execute(async (change) => {
        const row = await loadOpen(change, { quiz_id, creator_id, campaign_id })
        await replaceAddress(change, row, { id: personId, email, creator_id, now: new Date() })
      })
      wake()
    },

    test: async ({ id: quiz_id, body }, { id: creator_id }, request) => {
      const { quiz } = await loadQuiz(db, { quiz_id, creator_id })
      if (!transport) throw noServer()
      refuseWords(body)
      const signal = signalOf(request)
      return sendTestMail({ transport }, { quiz, creator_id, body, signal })
    },
  }
}

/** Returns a body without its absent fields. */
const withoutAbsent = <T extends object>(
  body: T,
): { [Key in keyof T]?: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as never
