import type { LabelKind } from '#domain/deliveries/enrolment-kinds.ts'
import type { ConnectedCreator, OutboxApp } from '#server/testing/app/outbox-app.ts'
import type { SampleQuiz } from './sample-quizzes.ts'

/** Tool with labels besides tags. */
export type EnrollingTool = 'convertkit' | 'systemio'

/** Names of the groups for the first result and for the first answer, by tool. */
export const GROUP_NAMES = {
  convertkit: { form: 'Inscription', sequence: 'Bienvenue' },
  systemio: { course: 'Premiers pas', community: 'Le cercle' },
} as const

/** Returns helpers that create quizzes whose rules enrol, and that read who is enrolled at the fake tools. */
export const createEnrollingQuizzes = ({
  fakes,
  createForwardingQuiz,
}: Pick<OutboxApp, 'fakes' | 'createForwardingQuiz'>) => {
  const groupsOf = (
    creator: ConnectedCreator,
    provider: EnrollingTool,
  ): [LabelKind, string, number][] => {
    if (provider === 'systemio')
      return [
        ['course', GROUP_NAMES.systemio.course, 8_001],
        ['community', GROUP_NAMES.systemio.community, 9_001],
      ]
    const { forms, sequences } = fakes.convertkit.accountOf(creator.account)
    const [[form = 0] = []] = forms
    const [[sequence = 0] = []] = sequences
    const known = forms.get(form)
    if (known) known.has_confirmation = true
    return [
      ['form', GROUP_NAMES.convertkit.form, form],
      ['sequence', GROUP_NAMES.convertkit.sequence, sequence],
    ]
  }
  /** Adds rules to a quiz: its first result and its first answer enrol in one group each. */
  const addEnrollingRules = async (
    creator: ConnectedCreator,
    { id, question_id, result_ids, answer_ids }: SampleQuiz,
    provider: EnrollingTool,
  ): Promise<void> => {
    const subjects = [
      { result_id: result_ids[0] },
      { question_id, answer_id: answer_ids[0] },
    ] as const
    for (const [at, [label_kind, label_name, vendor_id]] of groupsOf(creator, provider).entries())
      await creator.client.automations.add({
        id,
        body: { provider, label_kind, label_name, vendor_id: String(vendor_id), ...subjects[at] },
      })
  }
  return {
    addEnrollingRules,

    /** Publishes a quiz whose first result and first answer enrol in one group each. */
    createEnrollingQuiz: async (
      creator: ConnectedCreator,
      provider: EnrollingTool,
    ): Promise<SampleQuiz> => {
      const quiz = await createForwardingQuiz(creator, [provider])
      await addEnrollingRules(creator, quiz, provider)
      return quiz
    },

    /** Returns by address how often a contact is in each of the two groups. */
    countEnrolments: (
      creator: ConnectedCreator,
      provider: EnrollingTool,
    ): Record<string, [number, number]> => {
      const people: [string, [number, number]][] =
        provider === 'convertkit'
          ? [...fakes.convertkit.accountOf(creator.account).subscribers.values()].map(
              (subscriber) => [
                subscriber.email_address,
                [subscriber.form_ids.length, subscriber.sequence_ids.length],
              ],
            )
          : [...fakes.systemio.accountOf(creator.account).contacts.values()].map((contact) => {
              const { enrollments, memberships } = fakes.systemio.accountOf(creator.account)
              const countOf = (all: typeof enrollments): number =>
                all.filter(({ contact_id }) => contact_id === contact.id).length
              return [contact.email, [countOf(enrollments), countOf(memberships)]]
            })
      return Object.fromEntries(people.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    },
  }
}
