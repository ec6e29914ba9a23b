import { parseAccountEmail } from '#domain/accounts/account-email.ts'
import type { SignUpMode } from '#domain/accounts/sign-up-mode.ts'
import { findSignUpMode, saveSignUpMode } from '#server/auth/accounts/sign-up-mode.store.ts'
import { isBanned, type User } from '#server/auth/accounts/users.store.ts'
import { AuthError } from '#server/auth/auth-error.ts'
import { deletePendingSignIns } from '#server/auth/external/external.store.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { deleteSessions } from '#server/auth/sessions/sessions.store.ts'
import type { Db } from '#server/db/database.ts'
import { conflict, invalid, notFound, unknownPath } from '#server/http/edge/errors.ts'
import { changeUser, lockActorAndTarget } from './admin-users.store.ts'
import { generateLink, invite } from './generate-link.ts'

/** An administrator, and the account that they change. */
export type AccountChange = { actor_id: string; account_id: string }

/** Accounts of the embedded auth service, as administrators of the installation change them. */
export type AccountManagement = {
  findSignUpMode: () => Promise<SignUpMode>
  saveSignUpMode: (mode: SignUpMode) => Promise<void>
  /**
   * Creates an account without a password and invites its person by mail, or returns the link if no mail server is
   * configured. Throws 409 if the address has an account or invitations are closed, 422 for an invalid address.
   */
  invite: (typed: string) => Promise<{ account_id: string; email: string; link: string | null }>
  /** Disables an account and ends its sessions, or enables it again. Throws like `lockChangeable`. */
  setDisabled: (change: AccountChange, is_disabled: boolean) => Promise<void>
}

/** Time for which a disabled account is banned: hundred years, because the protocol knows no ban without an end. */
const BAN_MS = 100 * 365 * 86_400_000

/**
 * Locks the account that an administrator changes and returns it. Throws 409 for the administrator's own account, 404 for
 * an unknown one, and the 404 of an unknown path if the administrator was disabled or deleted meanwhile. So two
 * administrators can never remove each other at once.
 */
export const lockChangeable = async (
  db: Db,
  { actor_id, account_id }: AccountChange,
): Promise<User> => {
  if (actor_id === account_id)
    throw conflict(
      'own_account',
      'Vous ne pouvez ni désactiver ni supprimer ici votre propre compte',
    )
  const { actor, target } = await lockActorAndTarget(db, { actor_id, target_id: account_id })
  if (!actor || isBanned(actor)) throw unknownPath()
  if (!target || target.deleted_at !== null) throw notFound('Compte introuvable')
  return target
}

/** Converts a refusal of the auth protocol to one of the product API. */
const refusalOfInvitation = (error: unknown): unknown => {
  if (!(error instanceof AuthError)) return error
  if (error.code === 'email_exists')
    return conflict('account_exists', 'Un compte existe déjà avec cette adresse')
  if (error.code === 'signup_disabled')
    return conflict(
      'sign_up_closed',
      'Les inscriptions sont fermées : choisissez d’abord « sur invitation » ou « ouvertes »',
    )
  return error
}

/** Creates the changes of accounts by administrators. `has_mail_server` tells whether invitations leave by mail. */
export const createAccountManagement = (
  services: Services,
  has_mail_server: boolean,
): AccountManagement => {
  // Without passwords, an invited person signs in through a provider after the first time.
  const screen = services.auth.has_passwords ? 'new-password' : 'login'
  const redirect_to = `${services.public_url}/${screen}`
  const inviteAddress = async (email: string) => {
    if (has_mail_server) {
      const { id: account_id } = await invite(services, { email, data: null }, redirect_to)
      return { account_id, email, link: null }
    }
    const request = { type: 'invite', email, password: null, new_email: null, data: null }
    const { id, action_link } = await generateLink(services, request, redirect_to)
    return { account_id: id, email, link: action_link }
  }
  return {
    findSignUpMode: () => findSignUpMode(services),
    saveSignUpMode: (mode) => saveSignUpMode(services.db, mode),
    invite: async (typed) => {
      const email = parseAccountEmail(typed)
      if (email === undefined) throw invalid('Adresse attendue de la forme nom@exemple.fr', 'email')
      try {
        return await inviteAddress(email)
      } catch (error) {
        throw refusalOfInvitation(error)
      }
    },
    setDisabled: (change, is_disabled) =>
      inTransaction(services.db, async (db) => {
        const { id } = await lockChangeable(db, change)
        const banned_until = is_disabled ? new Date(Date.now() + BAN_MS) : null
        await changeUser(db, id, { banned_until })
        // A sign-in that raced with the ban may have begun a session after it, so enabling ends sessions too.
        await deleteSessions(db, { user_id: id })
        await deletePendingSignIns(db, id)
      }),
  }
}
