import type { MappedTool } from '#contract/forwarding/field-mappings.ts'
import { CONTACT_ROLES, type ProviderName } from '#domain/common/vocabulary.ts'
import { rolesWithoutField } from '#domain/deliveries/account-fields.ts'
import { fieldNameOf } from '#domain/deliveries/integrations.ts'
import { sampleReplies } from '#domain/deliveries/webhook-event.ts'
import { CONTACT_ROLE_LABELS } from '#domain/questionnaire/contact-roles.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { contactDataOf } from '#domain/run/contact/contact.ts'
import { computeResult, PUBLIC_RULES, totalScore } from '#domain/run/scoring.ts'
import { packDimensions } from '#domain/run/stored-dimensions.ts'
import { packReplies } from '#domain/run/stored-replies.ts'
import type { Target } from '#server/deliveries/build-contact.ts'
import { previewContact } from '#server/deliveries/preview-contact.ts'
import { readablePhone } from '#server/integrations/providers/phone-numbers.ts'

type SampleField = MappedTool['sample'][number]
type SampleQuiz = Pick<
  Quiz,
  'kit_custom_field' | 'brevo_attribute_name' | 'parameters' | 'keeps_page' | 'measure_consent'
>

const SAMPLE_EMAIL = 'camille@exemple.fr'
/** Day on which the sample participant accepted the measuring. */
const SAMPLE_DAY = '2026-01-31'
/** Address of the sample participant's page, which does not exist. */
const SAMPLE_PAGE = 'https://…/ma-page/exemple'

/** Returns a version without jumps, so that the sample participant sees every question. */
const withoutJumps = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  questions: snapshot.questions.map((question) => ({
    ...question,
    answers: question.answers.map(({ jump_to: _, ...answer }) => answer),
  })),
})

/** Returns a participant with sample replies, in the form of a stored response. */
const sampleResponse = (snapshot: Snapshot, { parameters }: SampleQuiz) => {
  const replies = sampleReplies(snapshot)
  const score = totalScore(snapshot, replies, snapshot.questions)
  const computed = computeResult(snapshot, replies, PUBLIC_RULES, score)
  const result = computed ?? (snapshot.quiz.type === 'quiz' ? snapshot.results[0] : undefined)
  return {
    ...packReplies(snapshot, replies),
    ...contactDataOf(snapshot.questions, replies),
    email: SAMPLE_EMAIL,
    score,
    dimension_percents: packDimensions(snapshot, replies),
    result_position: result ? snapshot.results.findIndex(({ id }) => id === result.id) : null,
    parameters: {
      utm_source: 'newsletter',
      ...Object.fromEntries(parameters.map((name) => [name, 'exemple'])),
    },
  }
}

/**
 * Returns the fields of a sample participant as a tool will show them, built as a delivery is. A mapped field without a
 * value for this participant has the value null.
 */
export const sampleContact = (
  target: Target,
  { snapshot: version, quiz }: { snapshot: Snapshot; quiz: SampleQuiz },
  provider: ProviderName,
): SampleField[] => {
  const snapshot = withoutJumps(version)
  const response = sampleResponse(snapshot, quiz)
  const result_url = quiz.keeps_page ? SAMPLE_PAGE : null
  const measure = quiz.measure_consent ? { is_accepted: true, day: SAMPLE_DAY } : null
  const run = { snapshot, response, field_names: quiz, result_url, measure }
  const { contact, field_names } = previewContact(target, run, provider)
  const result_key = target.field_key ?? fieldNameOf(provider, quiz)
  const without = rolesWithoutField(provider)
  const native = CONTACT_ROLES.flatMap((role): SampleField[] => {
    const typed = contact.person[role]
    if (typed === null || without.includes(role)) return []
    const value = role === 'phone' ? (readablePhone(typed, target.country) ?? typed) : typed
    return [{ name: CONTACT_ROLE_LABELS[role], value, origin: 'role', mapping_id: null }]
  })
  const writtenValue = (key: string): string | null => {
    const field = contact.fields.find((candidate) => candidate.key === key)
    return field ? String(field.value) : null
  }
  const mapped = target.mappings.map((mapping): SampleField => {
    const { id, field_name, field_key } = mapping
    const value = writtenValue(field_key ?? field_name)
    return { name: field_name, value, origin: 'mapping', mapping_id: id }
  })
  const mapped_keys = new Set(
    target.mappings.map((mapping) => mapping.field_key ?? mapping.field_name),
  )
  const others = contact.fields
    .filter(({ key }) => !mapped_keys.has(key))
    .map(
      ({ key, value }): SampleField => ({
        name: field_names.get(key) ?? key,
        value: String(value),
        origin: key === result_key ? 'result' : 'parameter',
        mapping_id: null,
      }),
    )
  const email: SampleField = {
    name: 'Email',
    value: contact.email,
    origin: 'email',
    mapping_id: null,
  }
  return [email, ...native, ...others, ...mapped]
}
