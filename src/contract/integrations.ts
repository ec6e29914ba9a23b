import { z } from 'zod'
import { KIT_SCREENS } from '#domain/deliveries/integrations.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { text, uuid } from './kit/fields.ts'

const { integrations: integrationCalls } = calls
const MAX_KEY_LENGTH = 500

/** Details of a connection, without its secret. */
const details = {
  /** Email address of the account, if the tool tells it. */
  email: z.string().nullable(),
  needs_attention: z.boolean(),
  /** French sentence about what the creator must do. */
  message: z.string().nullable(),
}
const kitStatus = z.object({ connected: z.boolean(), ...details })
const keyStatus = z.object({ configured: z.boolean(), ...details })

const key = z
  .object({
    api_key: text(MAX_KEY_LENGTH).trim(),
    /** True to accept a key of another account; otherwise such a key is refused (409, other_account). */
    replace_account: z.boolean().optional(),
  })
  // A header can hold only these characters. The error is about the pasted key, because no field name is shown.
  .refine(({ api_key }) => /^[\x21-\x7e]+$/.test(api_key), {
    path: [],
    error:
      'Cette clé n’est pas valable : une clé n’a que des lettres sans accent, des chiffres et des signes simples, sans espace. Copiez-la de nouveau.',
  })

const quizSwitch = z.object({
  /** True if the creator enabled forwarding and the account is connected. */
  enabled: z.boolean(),
  /** True if the tool also gets a tag with the name of the result. */
  tag_by_result: z.boolean(),
  /** True if the parameters of the page address are also stored in fields of the tool. */
  sends_parameters: z.boolean(),
})
const switches = z.object({
  convertkit: quizSwitch,
  systemio: quizSwitch,
  brevo: quizSwitch,
  /** True if a tool was ever enabled. Before the first one, screens ask about consent. */
  has_been_enabled: z.boolean(),
})
const setting = {
  access: 'quiz_owner',
  body: z.object({
    /** New state; an absent field stays unchanged. */
    enabled: z.boolean().optional(),
    tag_by_result: z.boolean().optional(),
    sends_parameters: z.boolean().optional(),
  }),
  answer: switches,
} as const

/** Accounts of a creator at email tools, and the quizzes that forward to them (product 13.1). */
export const integrations = group({
  kitStatus: {
    ...integrationCalls.kitStatus,
    access: 'creator',
    answer: kitStatus,
    summary: 'Si un compte Kit est connecté',
  },
  connectKit: {
    ...integrationCalls.connectKit,
    access: 'creator',
    key_scope: 'none',
    query: z.object({
      /** Address at Kit to return to, if the connection was started there. */
      return_to: z.string().max(2_000).optional(),
      /** Quiz of the screen to which Kit returns, if the connection was started there. */
      quiz_id: uuid.optional(),
      /** Screen to which Kit returns; by default the integrations of the quiz. */
      screen: z.enum(KIT_SCREENS).optional(),
      /** 'true' to accept another account than the connected one. */
      replace_account: z.literal('true').optional(),
    }),
    answer: z.object({ auth_url: z.url() }),
    summary: 'L’adresse où donner son accord ; un cookie lie le retour à ce navigateur',
  },
  disconnectKit: {
    ...integrationCalls.disconnectKit,
    access: 'creator',
    key_scope: 'none',
    answer: kitStatus,
    summary: 'Retirer l’accord chez Kit et oublier ses jetons',
  },
  checkKit: {
    ...integrationCalls.checkKit,
    access: 'creator',
    key_scope: 'none',
    answer: kitStatus,
    summary: 'Demander à Kit s’il accepte de nouveau le compte connecté',
  },
  systemioStatus: {
    ...integrationCalls.systemioStatus,
    access: 'creator',
    answer: keyStatus,
    summary: 'Si une clé de Systeme.io est enregistrée',
  },
  saveSystemio: {
    ...integrationCalls.saveSystemio,
    access: 'creator',
    key_scope: 'none',
    body: key,
    answer: keyStatus,
    summary: 'Vérifier une clé chez Systeme.io et l’enregistrer ; elle n’est jamais rendue',
  },
  removeSystemio: {
    ...integrationCalls.removeSystemio,
    access: 'creator',
    key_scope: 'none',
    summary: 'Oublier la clé de Systeme.io',
  },
  checkSystemio: {
    ...integrationCalls.checkSystemio,
    access: 'creator',
    key_scope: 'none',
    answer: keyStatus,
    summary: 'Demander à Systeme.io s’il accepte de nouveau la clé enregistrée',
  },
  brevoStatus: {
    ...integrationCalls.brevoStatus,
    access: 'creator',
    answer: keyStatus,
    summary: 'Si une clé de Brevo est enregistrée',
  },
  saveBrevo: {
    ...integrationCalls.saveBrevo,
    access: 'creator',
    key_scope: 'none',
    body: key,
    answer: keyStatus,
    summary: 'Vérifier une clé chez Brevo et l’enregistrer ; elle n’est jamais rendue',
  },
  removeBrevo: {
    ...integrationCalls.removeBrevo,
    access: 'creator',
    key_scope: 'none',
    summary: 'Oublier la clé de Brevo',
  },
  checkBrevo: {
    ...integrationCalls.checkBrevo,
    access: 'creator',
    key_scope: 'none',
    answer: keyStatus,
    summary: 'Demander à Brevo s’il accepte de nouveau la clé enregistrée',
  },
  ofQuiz: {
    ...integrationCalls.ofQuiz,
    access: 'quiz_owner',
    answer: switches,
    summary: 'Les outils auxquels les participants d’un quiz sont envoyés',
  },
  setConvertkit: {
    ...integrationCalls.setConvertkit,
    ...setting,
    summary: 'Envoyer ou non les participants d’un quiz à Kit ; crée le champ personnalisé',
  },
  setSystemio: {
    ...integrationCalls.setSystemio,
    ...setting,
    summary: 'Envoyer ou non les participants d’un quiz à Systeme.io ; crée le champ de contact',
  },
  setBrevo: {
    ...integrationCalls.setBrevo,
    ...setting,
    summary: 'Envoyer ou non les participants d’un quiz à Brevo ; crée l’attribut',
  },
})

/** State of the connection to Kit. */
export type KitStatus = z.output<typeof kitStatus>
/** State of a connection by API key. */
export type KeyStatus = z.output<typeof keyStatus>
/** Forwarding settings of a quiz. */
export type QuizSwitches = z.output<typeof switches>
