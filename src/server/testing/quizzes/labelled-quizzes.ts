import assert from 'node:assert/strict'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import type { Connected, OutboxApp } from '#server/testing/app/outbox-app.ts'
import type { Ready } from './sample-quizzes.ts'

/** Labels of the first result and of the first answer, sorted by name. */
export const OF_ANSWER = 'Agenda rempli'
export const OF_RESULT = 'Pas pressées'

/** Returns the labels of each person at the tools. */
export const createLabelReader = (fakes: OutboxApp['fakes']) => {
  const accountsOf = ({ account }: Pick<Connected, 'account'>) => ({
    kit: fakes.convertkit.accountOf(account),
    systemio: fakes.systemio.accountOf(account),
    brevo: fakes.brevo.accountOf(account),
  })
  /** Returns the sorted labels of each person at a tool; duplicates stay visible. */
  const labelled = (
    creator: Pick<Connected, 'account'>,
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
  return { accountsOf, labelled }
}

/** Creates quizzes whose participants get tags and lists, and reads them back. */
export const createLabelledQuizzes = ({
  fakes,
  forwardingQuiz,
}: Pick<OutboxApp, 'fakes' | 'forwardingQuiz'>) => {
  const { accountsOf, labelled } = createLabelReader(fakes)
  return {
    /** Creates a quiz with labels for its first result and first answer. */
    ruledQuiz: async (
      creator: Connected,
      providers: readonly ProviderName[] = PROVIDERS,
    ): Promise<Ready> => {
      const quiz = await forwardingQuiz(creator, providers)
      const { id, question_id, result_ids, answer_ids } = quiz
      const ofResult = { result_id: result_ids[0], label_name: OF_RESULT }
      const ofAnswer = { question_id, answer_id: answer_ids[0], label_name: OF_ANSWER }
      for (const provider of providers)
        for (const rule of [ofResult, ofAnswer])
          await creator.client.automations.add({ id, body: { provider, ...rule } })
      return quiz
    },

    labelled,

    /** Returns the names of an account's tags or lists without Brevo's defaults; duplicates stay visible. */
    madeOf: (creator: Connected, provider: ProviderName): string[] => {
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
