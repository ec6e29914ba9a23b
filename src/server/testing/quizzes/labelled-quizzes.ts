import assert from 'node:assert/strict'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import type { ConnectedCreator, OutboxApp } from '#server/testing/app/outbox-app.ts'
import type { SampleQuiz } from './sample-quizzes.ts'

/** Names of the labels for the first answer and the first result. Their alphabetical order is the order here. */
export const ANSWER_LABEL = 'Agenda rempli'
export const RESULT_LABEL = 'Pas pressées'

/** Creates a reader of the labels that contacts have at the fake tools. */
export const createLabelReader = (fakes: OutboxApp['fakes']) => {
  const accountsOf = ({ account }: Pick<ConnectedCreator, 'account'>) => ({
    kit: fakes.convertkit.accountOf(account),
    systemio: fakes.systemio.accountOf(account),
    brevo: fakes.brevo.accountOf(account),
  })
  /** Returns the sorted labels at a tool by address. Labels that occur twice are listed twice. */
  const readLabels = (
    creator: Pick<ConnectedCreator, 'account'>,
    provider: ProviderName,
  ): Record<string, string[]> => {
    const { kit, systemio, brevo } = accountsOf(creator)
    const people: Record<ProviderName, [string, (string | undefined)[]][]> = {
      convertkit: [...kit.subscribers.values()].map(({ email_address, tag_ids }) => [
        email_address,
        tag_ids.map((id) => kit.tags.get(id)?.name),
      ]),
      systemio: [...systemio.contacts.values()].map(({ email, tag_ids }) => [
        email,
        tag_ids.map((id) => systemio.tags.get(id)),
      ]),
      brevo: [...brevo.contacts.values()].map(({ email, list_ids }) => [
        email,
        list_ids.map((id) => brevo.lists.get(id)),
      ]),
    }
    const listed = people[provider].toSorted(([a], [b]) => (a < b ? -1 : 1))
    assert.equal(new Set(listed.map(([email]) => email)).size, listed.length)
    return Object.fromEntries(
      listed.map(([email, names]) => [email, names.map((name) => name ?? 'gone').sort()]),
    )
  }
  return { accountsOf, readLabels }
}

/** Returns helpers that create quizzes with automations and read the labels at the fake tools. */
export const createLabelledQuizzes = ({
  fakes,
  createForwardingQuiz,
}: Pick<OutboxApp, 'fakes' | 'createForwardingQuiz'>) => {
  const { accountsOf, readLabels } = createLabelReader(fakes)
  return {
    /** Publishes a quiz with an automation for its first result and for its first answer, at each tool. */
    createLabelledQuiz: async (
      creator: ConnectedCreator,
      providers: readonly ProviderName[] = PROVIDERS,
    ): Promise<SampleQuiz> => {
      const quiz = await createForwardingQuiz(creator, providers)
      const { id, question_id, result_ids, answer_ids } = quiz
      const ofResult = { result_id: result_ids[0], label_name: RESULT_LABEL }
      const ofAnswer = { question_id, answer_id: answer_ids[0], label_name: ANSWER_LABEL }
      for (const provider of providers)
        for (const rule of [ofResult, ofAnswer])
          await creator.client.automations.add({ id, body: { provider, ...rule } })
      return quiz
    },

    readLabels,

    /** Returns the sorted names of an account's tags or lists, without the default list of Brevo. */
    listCreatedLabels: (creator: ConnectedCreator, provider: ProviderName): string[] => {
      const { kit, systemio, brevo } = accountsOf(creator)
      const named: Record<ProviderName, string[]> = {
        convertkit: [...kit.tags.values()].map(({ name }) => name),
        systemio: [...systemio.tags.values()],
        brevo: [...brevo.lists.values()].filter((name) => name !== 'Participants'),
      }
      return named[provider].toSorted()
    },
  }
}
