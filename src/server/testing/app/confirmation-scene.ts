import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import type { Client } from '#contract/client/client.ts'
import { settleDueConfirmations } from '#server/confirmations/due-confirmations.store.ts'
import { createMailScene } from './mail-scene.ts'

const LINK = /https?:\/\/[^/\s]+(\/q\/[\da-f-]{36}\/confirmation\/[\w-]+)/

/** Starts the outbox with a mail server and quizzes whose participants confirm their address. */
export const createConfirmationScene = async (env: Record<string, string> = {}) => {
  const scene = await createMailScene(env)
  const { db, raw, pool, newAddress, listMailsTo } = scene

  /** Returns the path of the link in the newest mail to an address. */
  const linkTo = (address: string): string => {
    const [, path = ''] = LINK.exec(listMailsTo(address).at(-1)?.text ?? '') ?? []
    assert.notEqual(path, '', `a link was mailed to ${address}`)
    return path
  }
  const press = (url: string): Promise<LightMyRequestResponse> => raw({ method: 'POST', url })

  return {
    ...scene,
    linkTo,
    press,
    /** Creates a published quiz that forwards to these tools and asks its participants to confirm their address. */
    createConfirmingQuiz: async (
      providers?: Parameters<typeof scene.createForwardingQuiz>[1],
      { sends_result = false }: { sends_result?: boolean } = {},
    ) => {
      const creator = await scene.connectCreator()
      const quiz = await scene.createForwardingQuiz(creator, providers)
      const { client } = creator
      if (sends_result)
        await client.quizMails.set({ id: quiz.id, body: { sends_result, subject: 'Résultat' } })
      await client.quizzes.update({ id: quiz.id, body: { confirms_email: true } })
      return {
        creator,
        client,
        quiz,
        /** Submits a participant and sends everything that is due. */
        join: async (address = newAddress(), choice = 0) => {
          const joined = await scene.submitParticipant(quiz, address, choice)
          await scene.finishDeliveries()
          return { address, ...joined }
        },
        /** Returns the balance of a channel without zeros. */
        balance: (provider: string) => balanceOf(client, quiz.id, provider),
        stateOf: async (participant_uuid: string) => {
          const { rows } = await pool.query<{ state: string | null }>(
            'select email_confirmation as state from responses where quiz_id = $1 and participant_uuid = $2',
            [quiz.id, participant_uuid],
          )
          return rows[0]?.state
        },
      }
    },
    /** Lets confirmations wait these hours, one maintenance run an hour before the last, and runs the maintenance. */
    waitHours: async (hours: number): Promise<void> => {
      await settleDueConfirmations(db)
      await pool.query('update confirmation_clock set elapsed_s = elapsed_s + $1 * 3600', [hours])
      await settleDueConfirmations(db)
      await scene.finishDeliveries()
    },
    unusedId: randomUUID,
  }
}

const balanceOf = async (client: Client, id: string, provider: string) => {
  const { ledgers } = await client.deliveries.list({ id })
  const ledger = ledgers.find((candidate) => candidate.provider === provider)
  const { nb_participants: _, ...balance } = ledger?.balance ?? { nb_participants: 0 }
  return Object.fromEntries(Object.entries(balance).filter(([, count]) => count > 0))
}
