import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type pg from 'pg'
import { pino } from 'pino'
import { api } from '#contract/api.ts'
import type { Client } from '#contract/client/client.ts'
import { createClient } from '#contract/client/full-client.ts'
import { calls } from '#contract/kit/calls.ts'
import type { Endpoint, Group } from '#contract/kit/endpoint.ts'
import { createApp } from '#server/app.ts'
import { insertEmailUser, newEmailUser } from '#server/auth/accounts/email-accounts.store.ts'
import { HASHING_COST } from '#server/auth/password/passwords.ts'
import { type Config, readConfig } from '#server/config/config.ts'
import { type Database, openPool } from '#server/db/database.ts'
import { createErrorReports } from '#server/error-reports/error-reports.ts'
import { createTestDatabase, findTestServer } from './test-server.ts'

const quiet = pino({ level: process.env.LOG_LEVEL ?? 'silent' })
/** SECRET_KEY of the app of a test. */
export const SECRET = 'a secret that only tests know of'
const USUAL_HASHING_COST = { ...HASHING_COST }
/** Lowest cost of a password hash, because a hash of the usual cost takes 45 ms of processor time. */
const LOWEST_HASHING_COST = { memory: 8, passes: 1, parallelism: 1 }

/** Signed-in creator with a client for their account. */
export type SignedUp = { client: Client; user_id: string; email: string; access_token: string }

export type TestApp = {
  app: FastifyInstance
  db: Database['db']
  pool: Database['pool']
  notifications: Database['notifications']
  openDedicatedPool: Database['openDedicatedPool']
  heavyReads: Database['heavyReads']
  /** Database address for tests with their own session or process. */
  connection: pg.ClientConfig
  config: Config
  /** The contract's client without an account. */
  client: Client
  signUp: (email?: string) => Promise<SignedUp>
  /** Sends any request to the app in this process. */
  raw: (request: InjectOptions) => Promise<LightMyRequestResponse>
  close: () => Promise<void>
}

/**
 * Starts the app on a new database. Clients call the app in this process, without a port. New passwords are hashed at
 * the lowest cost until the app is closed.
 */
export const createTestApp = async (
  env: Record<string, string> = {},
  options: Partial<Pick<Parameters<typeof createApp>[0], 'has_pages' | 'folders' | 'log'>> & {
    /** Receives the body of every answer. */
    onAnswer?: (body: string) => void
  } = {},
): Promise<TestApp> => {
  Object.assign(HASHING_COST, LOWEST_HASHING_COST)
  const { server, stop } = await findTestServer()
  const database = await createTestDatabase(server)
  const { connection } = database
  const { has_pages = false, folders, log = quiet, onAnswer = () => undefined } = options
  const opened = openPool(connection, log)
  const DATA_DIR = join(tmpdir(), database.name)
  const config = readConfig({
    RATE_LIMITS: 'off',
    HTTP_LOOP_DELAY_MS: '600000',
    WORKER: 'off',
    WEBHOOKS_TO_LOOPBACK: 'on',
    SECRET_KEY: SECRET,
    DATA_DIR,
    ...env,
  })
  const error_reports = createErrorReports({ address: undefined, release: 'test' })
  const deps = { config, database: opened, secretKey: SECRET, log, error_reports, has_pages }
  const app = await createApp({ ...deps, ...(folders && { folders }) })
  await app.ready()
  return {
    app,
    db: opened.db,
    pool: opened.pool,
    notifications: opened.notifications,
    openDedicatedPool: opened.openDedicatedPool,
    heavyReads: opened.heavyReads,
    connection,
    config,
    client: clientOf(app, onAnswer),
    signUp: async (email = `${randomUUID()}@example.org`) => {
      const signed = await signUp(app, opened.db, email)
      return { ...signed, client: clientOf(app, onAnswer, signed.access_token) }
    },
    raw: async (request) => {
      const reply = await app.inject(request)
      onAnswer(reply.body)
      return reply
    },
    close: async () => {
      Object.assign(HASHING_COST, USUAL_HASHING_COST)
      await app.close()
      await opened.close()
      await database.drop()
      await rm(DATA_DIR, { recursive: true, force: true })
      await stop()
    },
  }
}

const answerOf = (reply: LightMyRequestResponse): unknown => {
  if (reply.body === '') return undefined
  return String(reply.headers['content-type']).startsWith('text/plain') ? reply.body : reply.json()
}

const PASSWORD = 'secret1'
/** Hash of this password at the lowest cost. */
const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$BwcHBwcHBwcHBwcHBwcHBw$tJj2h7t7qOXs6faZBCiH4ccFBt4MRjjO3oW6PQlUZGo'

/** Creates a confirmed account as a sign-up does, and signs in. */
const signUp = async (
  app: FastifyInstance,
  db: Database['db'],
  email: string,
): Promise<Omit<SignedUp, 'client'>> => {
  const account = { email, encrypted_password: PASSWORD_HASH, data: {}, is_confirmed: true }
  await insertEmailUser(db, newEmailUser(account))
  const reply = await app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    body: { email, password: PASSWORD },
  })
  assert.equal(reply.statusCode, 200, reply.body)
  const { access_token, user } = reply.json<{ access_token: string; user: { id: string } }>()
  return { user_id: user.id, email, access_token }
}

/** Returns a client that calls the app in this process and checks each successful answer against the contract. */
const clientOf = (
  app: FastifyInstance,
  onAnswer: (body: string) => void,
  access_token?: string,
): Client =>
  createClient(async ({ method, path, body }) => {
    const reply = await app.inject({
      method: method as 'GET',
      url: path,
      headers: access_token ? { authorization: `Bearer ${access_token}` } : {},
      ...(body === undefined ? {} : { body: body as object }),
    })
    onAnswer(reply.body)
    const answer = answerOf(reply)
    if (reply.statusCode < 300) checkShape(method, path, answer)
    return { status: reply.statusCode, body: answer }
  })

const endpoints: Endpoint[] = Object.values(api as Record<string, Group>).flatMap((group) =>
  Object.values(group),
)
assert.equal(endpoints.length, Object.values(calls).flatMap(Object.keys).length)

const checkShape = (method: string, path: string, answer: unknown): void => {
  const called = endpoints.find((endpoint) => {
    const pattern = endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')
    return endpoint.method === method && new RegExp(`^/api/v1${pattern}(\\?|$)`).test(path)
  })
  if (called?.answer) called.answer.parse(answer)
  else assert.equal(answer, undefined, `${method} ${path} answers no body`)
}
