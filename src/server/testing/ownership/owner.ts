import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { storePasswordOrigin } from '#server/auth/password/password-origins.store.ts'
import type { Db } from '#server/db/database.ts'
import { connectWebhook } from '#server/testing/app/store-connections.ts'
import { createQuiz } from './owned-quiz.ts'

/** Creator with a row in each table that has an owner, quiz, session, factor or connection column. */
export type Owner = {
  user_id: string
  email: string
  session_id: string
  /** Expired session. */
  old_session_id: string
  factor_id: string
  recovery_id: string
  identity: { id: string; provider: string; subject: string }
  link_hash: Buffer
  challenge_id: string
  /** Hash of the only recovery code. */
  code_hash: Buffer
  quiz_id: string
  question_id: string
  answer_id: string
  result_id: string
  text_block_id: string
  connection_id: string
  webhook_id: string
  /** Refused erasure request for a deleted participant. */
  erasure_id: string
  automation_id: string
  mapping_id: string
  participant_uuid: string
  participant_email: string
  /** Trial run with the same address. */
  trial_run_id: string
  image_id: string
  folder_id: string
  key_id: string
  key_hash: Buffer
  /** Ids of parent objects. Each row of this creator refers to at least one of them. */
  ids: string[]
}

const longAgo = sql<string>`now() - interval '100 days'`
/** Hash of a network that both creators used. */
const SHARED_NETWORK = Buffer.alloc(32)
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Inserts a creator and their rows with SQL, because some rows cannot be created by calls. */
export const createOwner = async (db: Db): Promise<Owner> => {
  const [user_id, session_id, old_session_id] = [randomUUID(), randomUUID(), randomUUID()]
  const [factor_id, recovery_id, identity_id] = [randomUUID(), randomUUID(), randomUUID()]
  const email = `${user_id}@exemple.fr`
  const identity = { id: identity_id, provider: 'google', subject: `google-${user_id}` }
  const link_hash = hashOf(user_id)
  const now = sql<string>`now()`
  const confirmed = { email_confirmed_at: now, last_sign_in_at: now }
  await db
    .insertInto('users')
    .values({ id: user_id, email, encrypted_password: 'x', ...confirmed })
    .execute()
  await db
    .insertInto('identities')
    .values([
      { id: randomUUID(), user_id, provider: 'email', provider_id: user_id },
      { id: identity_id, user_id, provider: 'google', provider_id: identity.subject },
    ])
    .execute()
  await db
    .insertInto('mfa_factors')
    .values([
      { id: factor_id, user_id, factor_type: 'totp', status: 'verified', friendly_name: 'A' },
      { id: recovery_id, user_id, factor_type: 'recovery_code', status: 'verified' },
      { id: randomUUID(), user_id, factor_type: 'totp', friendly_name: 'B', created_at: longAgo },
    ])
    .execute()
  const challenge_id = randomUUID()
  await db
    .insertInto('mfa_challenges')
    .values({ id: challenge_id, factor_id, ip: '127.0.0.1', created_at: longAgo })
    .execute()
  await db
    .insertInto('recovery_codes')
    .values({ factor_id: recovery_id, code_hash: link_hash })
    .execute()
  await db
    .insertInto('sessions')
    .values([
      { id: session_id, user_id, factor_id },
      { id: old_session_id, user_id, created_at: longAgo, refreshed_at: longAgo },
    ])
    .execute()
  await db.insertInto('session_amr').values({ session_id, method: 'totp' }).execute()
  await db
    .insertInto('flow_states')
    .values({
      id: randomUUID(),
      user_id,
      method: 'magiclink',
      created_at: longAgo,
      code_challenge: 'x',
      code_challenge_method: 's256',
    })
    .execute()
  await db
    .insertInto('one_time_tokens')
    .values([
      { user_id, type: 'recovery', relates_to: email, link_hash, code_hash: link_hash },
      {
        user_id,
        type: 'email_change_new',
        relates_to: email,
        code_hash: link_hash,
        link_hash: hashOf(`change ${user_id}`),
      },
    ])
    .execute()
  await storePasswordOrigin(db, user_id, { browser: user_id })
  await db
    .insertInto('oauth_states')
    .values({
      id: randomUUID(),
      provider: 'google',
      redirect_to: '/',
      linking_user_id: user_id,
      code_verifier: 'x',
      nonce: 'x',
    })
    .execute()
  await db
    .insertInto('known_networks')
    .values({ user_id, network_hash: SHARED_NETWORK, seen_at: longAgo })
    .execute()
  const reply_to = randomUUID()
  await db.insertInto('reply_addresses').values({ id: reply_to, user_id, email }).execute()
  await db
    .insertInto('creator_settings')
    .values({ user_id, time_zone: 'America/Lima', sender_name: 'A', reply_to })
    .execute()
  await db.insertInto('mail_unsubscribes').values({ user_id, mailbox_hash: link_hash }).execute()
  await db
    .insertInto('mail_digests')
    .values({ user_id, day: '2000-01-01', until: '2000-01-01' })
    .execute()
  await db.insertInto('mail_jobs').values({ id: randomUUID(), kind: 'x', email, user_id }).execute()
  const connection_id = randomUUID()
  await db
    .insertInto('integration_connections')
    .values({
      id: connection_id,
      user_id,
      provider: 'brevo',
      sealed_secret: Buffer.alloc(1),
      status: 'active',
      vendor_email: `brevo-${email}`,
    })
    .execute()
  const image_id = randomUUID()
  await db
    .insertInto('images')
    .values({ id: image_id, creator_id: user_id, width: 1, height: 1, color: '#000000', bytes: 1 })
    .execute()
  const key_id = randomUUID()
  const key_hash = hashOf(`key ${user_id}`)
  await db
    .insertInto('api_keys')
    .values({ id: key_id, user_id, name: 'A', scope: 'écriture', key_hash })
    .execute()
  const quiz = await createQuiz(db, user_id)
  const folder_id = randomUUID()
  await db.insertInto('folders').values({ id: folder_id, creator_id: user_id, name: 'A' }).execute()
  await db.insertInto('quiz_mails').values({ quiz_id: quiz.quiz_id, subject: user_id }).execute()
  const webhook_id = await connectWebhook(db, { user_id }, quiz.quiz_id)
  const erasure_id = randomUUID()
  await db
    .insertInto('erasures')
    .values({
      id: erasure_id,
      user_id,
      connection_id,
      provider: 'brevo',
      kind: 'delete',
      quiz_ids: [quiz.quiz_id],
      sealed_person: Buffer.alloc(1),
      status: 'refused',
      give_up_at: now,
      settled_at: now,
    })
    .execute()
  const auth = [user_id, session_id, old_session_id, factor_id, recovery_id]
  return {
    user_id,
    email,
    session_id,
    old_session_id,
    factor_id,
    recovery_id,
    identity,
    link_hash,
    code_hash: link_hash,
    challenge_id,
    connection_id,
    webhook_id,
    erasure_id,
    image_id,
    folder_id,
    key_id,
    key_hash,
    ...quiz,
    ids: [...auth, connection_id, webhook_id, quiz.quiz_id, erasure_id, image_id],
  }
}
