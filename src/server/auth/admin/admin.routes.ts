import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { audit } from '#server/audit/audit.ts'
import { findUserOfSession } from '#server/auth/accounts/users.store.ts'
import {
  AuthError,
  factorNotFound,
  sessionNotFound,
  validationFailed,
} from '#server/auth/auth-error.ts'
import { factorJson } from '#server/auth/auth-json.ts'
import { redirectOf } from '#server/auth/email-links/redirects.ts'
import { deleteFactor, findFactor, listFactors } from '#server/auth/factors/factors.store.ts'
import { readBearer } from '#server/auth/identify-caller.ts'
import {
  adminUserBody,
  deleteUserBody,
  inviteBody,
  isStorableText,
  linkBody,
  readBody,
} from '#server/auth/request-bodies.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { AUTHENTICATED } from '#server/auth/sessions/tokens.ts'
import { declareAccess } from '#server/http/edge/access.ts'
import { changeByAdmin, createUser, getUser, readUserId, removeUser } from './admin-user.ts'
import { listUsers } from './admin-users.store.ts'
import { generateLink, invite } from './generate-link.ts'

const MAX_USERS_PER_PAGE = 1000
const MAX_PAGE = 100_000
const MAX_FILTER_LENGTH = 255

/** Returns a positive number of the query, at most `largest`. Returns `fallback` if the parameter is absent or empty. */
const readNumber = (text: unknown, fallback: number, largest: number): number => {
  if (text === undefined || text === '') return fallback
  if (typeof text !== 'string' || !/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw validationFailed('Bad Pagination Parameters: page and per_page are positive numbers')
  return Math.min(Number(text), largest)
}

/** Returns the search text for addresses and names. Throws 400 if it is too long. */
const readFilter = (text: unknown): string => {
  if (text === undefined) return ''
  if (typeof text === 'string' && text.length <= MAX_FILTER_LENGTH && isStorableText(text))
    return text
  throw validationFailed(`filter is a text of at most ${MAX_FILTER_LENGTH} characters`)
}

type Page = { page: number; per_page: number; filter: string }

/** Sets the pagination headers. `page` comes first, because clients parse the number after the first =. */
const setPaginationHeaders = (reply: FastifyReply, shown_page: Page, total: number): void => {
  const { page, per_page, filter } = shown_page
  const last = Math.max(1, Math.ceil(total / per_page))
  const rest = `per_page=${per_page}${filter && `&filter=${encodeURIComponent(filter)}`}`
  const to = (number: number, rel: string) => `</admin/users?page=${number}&${rest}>; rel="${rel}"`
  const links = [...(page < last ? [to(page + 1, 'next')] : []), to(last, 'last')]
  reply.header('x-total-count', total).header('link', links.join(', '))
}

const ADMIN_ROLES = ['service_role', 'supabase_admin']

/**
 * Accepts only service tokens, which our key signed for an administrator role. Throws 401 without a token, 403
 * `not_admin` for other roles.
 */
const authenticateAdmin = async (
  { db, tokens }: Pick<Services, 'db' | 'tokens'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): Promise<void> => {
  const { role, session } = await tokens.verifyRole(readBearer(headers))
  if (session && !(await findUserOfSession(db, session))) throw sessionNotFound()
  if (!ADMIN_ROLES.includes(role)) throw new AuthError(403, 'not_admin', 'User not allowed')
}

/** Routes that require a service token. */
export const adminRoutes =
  (services: Services, bodyLimit: number) =>
  async (app: FastifyInstance): Promise<void> => {
    declareAccess(app, 'service')
    app.addHook('onRequest', (request) => authenticateAdmin(services, request))
    const idOf = (params: unknown) => readUserId((params as { id?: string }).id)

    app.get('/admin/users', async (request, reply) => {
      const query = request.query as Record<string, unknown>
      const wanted = {
        page: readNumber(query.page, 1, MAX_PAGE),
        per_page: readNumber(query.per_page, 50, MAX_USERS_PER_PAGE),
        filter: readFilter(query.filter),
      }
      const { users, total } = await listUsers(services.db, wanted)
      setPaginationHeaders(reply, wanted, total)
      return { users, aud: AUTHENTICATED }
    })
    app.post('/admin/users', { bodyLimit }, async ({ body }) =>
      createUser(services, readBody(adminUserBody, body)),
    )
    app.get('/admin/users/:id', async ({ params }) => getUser(services, idOf(params)))
    app.put('/admin/users/:id', { bodyLimit }, async ({ params, body }) =>
      changeByAdmin(services, idOf(params), readBody(adminUserBody, body)),
    )
    app.delete('/admin/users/:id', { bodyLimit }, async ({ params, body }) => {
      const { should_soft_delete } = readBody(deleteUserBody, body)
      await removeUser(services, idOf(params), should_soft_delete ?? false)
      return {}
    })
    app.get('/admin/users/:id/factors', async ({ params }) => {
      const { id } = await getUser(services, idOf(params))
      return (await listFactors(services.db, id)).map(factorJson)
    })
    app.delete('/admin/users/:id/factors/:factor', { bodyLimit }, async ({ params }) => {
      const { id: user_id } = await getUser(services, idOf(params))
      const id = readUserId((params as { factor?: string }).factor)
      const factor = await findFactor(services.db, { id, user_id })
      if (!factor) throw factorNotFound()
      await inTransaction(services.db, (db) => deleteFactor(db, factor))
      return factorJson(factor)
    })
    app.post('/invite', { bodyLimit }, async (request) => {
      const body = readBody(inviteBody, request.body)
      const invited = await invite(services, body, redirectOf(request, services))
      audit('user_invited', { object_id: invited.id })
      return invited
    })
    app.post('/admin/generate_link', { bodyLimit }, async (request) =>
      generateLink(services, readBody(linkBody, request.body), redirectOf(request, services)),
    )
  }
